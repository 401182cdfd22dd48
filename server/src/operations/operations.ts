import { operations as contract } from '@sosia/contract';
import { addImage } from './add-image.ts';
import { deleteImage } from './delete-image.ts';
import { filter } from './filter.ts';
import { fineComparison } from './fine-comparison.ts';
import { getModifyStatus, getQueryStatus } from './get-application-status.ts';
import { getDnaById } from './get-dna-by-id.ts';
import { getDnaByUpload } from './get-dna-by-upload.ts';
import { getImageById } from './get-image-by-id.ts';
import { getImageColorsById } from './get-image-colors-by-id.ts';
import { getImageColorsByUpload } from './get-image-colors-by-upload.ts';
import { getPalette } from './get-palette.ts';
import { listImages } from './list-images.ts';
import { operation } from './operation.ts';
import type { Contract, Operation, Work } from './operation.ts';
import { searchImageByColors } from './search-image-by-colors.ts';
import { searchImageByDna } from './search-image-by-dna.ts';
import { searchImageById } from './search-image-by-id.ts';
import { searchImageByKeywords } from './search-image-by-keywords.ts';
import { searchImageByUpload } from './search-image-by-upload.ts';
import { setKeywords } from './set-keywords.ts';
import { setMetadata } from './set-metadata.ts';

/** The work of every operation of the contract; the compiler misses one that is not here. */
const work: { readonly [Name in keyof Contract]: Work<Contract[Name]> } = {
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

const names = Object.keys(contract) as (keyof Contract)[];

/** The operations of the contract, in its order. */
export const operations: readonly Operation[] = names.map(bound);

function bound<Name extends keyof Contract>(name: Name): Operation {
  return operation<Contract[Name]>(contract[name], work[name]);
}
