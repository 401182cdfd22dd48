import Type from '#typebox';
import { explained, found, nothingFound } from '../image.ts';
import { queryOperation } from '../operation.ts';
import { dna, imageUrl, picture } from '../parameters/bytes.ts';
import { imageId } from '../parameters/image-id.ts';
import { someKeywords } from '../parameters/keywords.ts';
import { page, search } from '../parameters/search.ts';

const byPicture = { answer: explained, onFailure: nothingFound } as const;

export const searchImageByUpload = queryOperation({
  ...byPicture,
  method: 'POST',
  about: 'Finds the reference pictures that match an uploaded picture, best first.',
  parameters: Type.Object({ image_content: picture, image_url: imageUrl, ...search }),
});

export const searchImageByDna = queryOperation({
  ...byPicture,
  method: 'POST',
  about: 'Finds the reference pictures that match a DNA, as SearchImageByUpload does with the picture itself.',
  parameters: Type.Object({ dna, ...search }),
});

export const searchImageById = queryOperation({
  ...byPicture,
  about:
    'Finds the reference pictures that match one of them; the picture itself comes first. With `verdicts` 1, pictures that a review judged not to match it are left out.',
  parameters: Type.Object({ image_id: imageId, ...search }),
});

export const searchImageByKeywords = queryOperation({
  method: 'POST',
  about: 'Lists the reference pictures that have all the keywords, by image_id.',
  parameters: Type.Object({ keywords: someKeywords, ...page }),
  answer: found,
  onFailure: nothingFound,
});
