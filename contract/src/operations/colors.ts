import Type from '#typebox';
import { foldedFound, nothingFound } from '../image.ts';
import { queryOperation } from '../operation.ts';
import { imageUrl, picture } from '../parameters/bytes.ts';
import { colors, someColors } from '../parameters/colors.ts';
import { imageId, imageIds } from '../parameters/image-id.ts';
import { integerOr } from '../parameters/integer.ts';
import { withKeywords } from '../parameters/keywords.ts';
import { where } from '../parameters/metadata.ts';
import { optional } from '../parameters/parameter.ts';
import { fold, page, similarity } from '../parameters/search.ts';
import { list } from '../schema.ts';

/** What gives the colours of one picture. */
const ofPicture = {
  answer: Type.Object({
    colors: list(Type.String({ pattern: '^[0-9a-f]{6}@\\d{1,3}$' }), '`rrggbb@percentage`, the largest share first'),
  }),
} as const;

export const searchImageByColors = queryOperation({
  about:
    'Finds the reference pictures that have the given colours in the given shares. Colours without a share get equal parts of the rest, at least 5 per cent each. Shares that sum to more than 100 are scaled down. Similar colours count nearly in full.',
  parameters: Type.Object({ colors: someColors, keywords: withKeywords, similarity, fold, ...page }),
  answer: foldedFound,
  onFailure: nothingFound,
});

export const getImageColorsById = queryOperation({
  ...ofPicture,
  about: 'Returns the dominant colours of a reference picture.',
  parameters: Type.Object({ image_id: imageId }),
  onFailure: { colors: [] },
});

export const getImageColorsByUpload = queryOperation({
  ...ofPicture,
  about:
    'Returns the dominant colours of an uploaded picture. GET with a body is accepted, but more proxies pass POST.',
  parameters: Type.Object({ image_content: picture, image_url: imageUrl }),
  onFailure: { colors: [] },
});

export const getPalette = queryOperation({
  about:
    'Returns the most frequent colours of a set of reference pictures, with the number of pictures that have each.',
  parameters: Type.Object({
    colors,
    keywords: withKeywords,
    nb_colors: optional(integerOr({ minimum: 1, maximum: 1000 }, 'length of the answer; all colours unless given')),
    ids_list: optional(imageIds),
    where,
  }),
  answer: Type.Object({
    colors: list(Type.String({ pattern: '^[0-9a-f]{6}$' }), '`rrggbb`, the most frequent first'),
    image_count: list(Type.Integer({ minimum: 1 }), 'how many pictures have each, beside `colors`'),
  }),
  onFailure: { colors: [], image_count: [] },
});
