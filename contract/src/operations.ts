import type { Static } from '#typebox';
import type { reviewOperations } from './review/operations.ts';
import type { administration } from './administration/administration.ts';
import { named, type Family } from './operation.ts';
import { getImageColorsById, getImageColorsByUpload, getPalette, searchImageByColors } from './operations/colors.ts';
import { filter } from './operations/filter.ts';
import { fineComparison } from './operations/fine-comparison.ts';
import {
  addImage,
  deleteImage,
  getDnaById,
  getDnaByUpload,
  getImageById,
  getPdq,
  listImages,
  setKeywords,
  setMetadata,
} from './operations/pictures.ts';
import {
  searchImageByDna,
  searchImageById,
  searchImageByKeywords,
  searchImageByUpload,
} from './operations/searches.ts';
import { getModifyStatus, getQueryStatus } from './operations/status.ts';

/** Every operation of the interface, in the order of the documentation. */
export const operations = named({
  addImage,
  deleteImage,
  setKeywords,
  setMetadata,
  getModifyStatus,
  getImageById,
  listImages,
  getDnaById,
  getDnaByUpload,
  getPdq,
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
});

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
