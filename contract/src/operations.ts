import type { Static } from 'typebox';
import type { Family } from './operation.ts';
import { addImage } from './operations/add-image.ts';
import { deleteImage } from './operations/delete-image.ts';
import { filter } from './operations/filter.ts';
import { fineComparison } from './operations/fine-comparison.ts';
import { getModifyStatus, getQueryStatus } from './operations/get-application-status.ts';
import { getDnaById } from './operations/get-dna-by-id.ts';
import { getImageById } from './operations/get-image-by-id.ts';
import { getImageColorsById } from './operations/get-image-colors-by-id.ts';
import { getImageColorsByUpload } from './operations/get-image-colors-by-upload.ts';
import { getPalette } from './operations/get-palette.ts';
import { listImages } from './operations/list-images.ts';
import { searchImageByColors } from './operations/search-image-by-colors.ts';
import { searchImageByDna } from './operations/search-image-by-dna.ts';
import { searchImageById } from './operations/search-image-by-id.ts';
import { searchImageByKeywords } from './operations/search-image-by-keywords.ts';
import { searchImageByUpload } from './operations/search-image-by-upload.ts';

/** Every operation of the interface, in the order of the documentation. */
export const operations = {
  addImage,
  deleteImage,
  getModifyStatus,
  getImageById,
  listImages,
  getDnaById,
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

type AnyOperation = (typeof operations)[keyof typeof operations];

/** The operations of a family that have this name: exactly one. */
type Named<F extends Family, Name extends string, Each = AnyOperation> = Each extends {
  readonly name: Name;
  readonly families: readonly (infer Of)[];
}
  ? F extends Of
    ? Each
    : never
  : never;

export type NameIn<F extends Family> = Named<F, string>['name'];

/** The fields beside the status in the answer of an operation. */
export type Answer<F extends Family, Name extends NameIn<F>> = Static<Named<F, Name>['answer']>;
