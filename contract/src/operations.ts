import type { Static } from 'typebox';
import type { reviewOperations } from './review/review.ts';
import type { administration } from './administration/administration.ts';
import type { Family } from './operation.ts';
import { addImage } from './operations/add-image.ts';
import { deleteImage } from './operations/delete-image.ts';
import { filter } from './operations/filter.ts';
import { fineComparison } from './operations/fine-comparison.ts';
import { getModifyStatus, getQueryStatus } from './operations/get-application-status.ts';
import { getDnaById } from './operations/get-dna-by-id.ts';
import { getDnaByUpload } from './operations/get-dna-by-upload.ts';
import { getImageById } from './operations/get-image-by-id.ts';
import { getImageColorsById } from './operations/get-image-colors-by-id.ts';
import { getImageColorsByUpload } from './operations/get-image-colors-by-upload.ts';
import { getPalette } from './operations/get-palette.ts';
import { listImages } from './operations/list-images.ts';
import { setKeywords } from './operations/set-keywords.ts';
import { setMetadata } from './operations/set-metadata.ts';
import { searchImageByColors } from './operations/search-image-by-colors.ts';
import { searchImageByDna } from './operations/search-image-by-dna.ts';
import { searchImageById } from './operations/search-image-by-id.ts';
import { searchImageByKeywords } from './operations/search-image-by-keywords.ts';
import { searchImageByUpload } from './operations/search-image-by-upload.ts';

/** Every operation of the interface, in the order of the documentation. */
export const operations = {
  addImage,
  deleteImage,
  setKeywords,
  setMetadata,
  getModifyStatus,
  getImageById,
  listImages,
  getDnaById,
  getDnaByUpload,
  searchImageByUpload,
  searchImageByDna,
  searchImageById,
  searchImageByKeywords,
  searchImageByColors,
  getImageColorsById,
  getImageColorsByUpload,
  getPalette,
  fineComparison,
  filter,
  getQueryStatus,
};

type AnyOperation =
  | (typeof operations)[keyof typeof operations]
  | (typeof administration)[keyof typeof administration]
  | (typeof reviewOperations)[keyof typeof reviewOperations];

/** The fields beside the status in the answer of each operation, by family and name. */
export type Answers = {
  readonly [F in Family]: {
    readonly [Each in AnyOperation as F extends Each['families'][number] ? Each['name'] : never]: Static<
      Each['answer']
    >;
  };
};
