import { addImage } from './add-image.ts';
import { deleteImage } from './delete-image.ts';
import { filter } from './filter.ts';
import { fineComparison } from './fine-comparison.ts';
import { getModifyStatus, getQueryStatus } from './get-application-status.ts';
import { getDnaById } from './get-dna-by-id.ts';
import { getImageById } from './get-image-by-id.ts';
import { getImageColorsById } from './get-image-colors-by-id.ts';
import { getImageColorsByUpload } from './get-image-colors-by-upload.ts';
import { getPalette } from './get-palette.ts';
import { listImages } from './list-images.ts';
import type { Operation } from './operation.ts';
import { searchImageByColors } from './search-image-by-colors.ts';
import { searchImageByDna } from './search-image-by-dna.ts';
import { searchImageById } from './search-image-by-id.ts';
import { searchImageByKeywords } from './search-image-by-keywords.ts';
import { searchImageByUpload } from './search-image-by-upload.ts';

/** All operations of the interface. */
export const operations: readonly Operation[] = [
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
];
