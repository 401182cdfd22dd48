import Type from '#typebox';
import { explained, found, nothingFound, foldedFound } from '../image.ts';
import { queryOperation } from '../operation.ts';
import {
  dna,
  imageUrl,
  picture,
  imageId,
  someKeywords,
  imageIds,
  withKeywords,
  where,
  pictureOr,
  addressOfPicture,
  pictureOrElse,
  imageIdFor,
} from '../parameters/picture.ts';
import { page, search, fold, similarity } from '../parameters/search.ts';
import { colors, someColors } from '../parameters/colors.ts';
import { integerOr, optional } from '../parameters/parameter.ts';
import { list, numbersByName, object, onlyTrue, share } from '../schema.ts';
import { box } from '../result-info/result-info.ts';

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

/** What gives the colours of one picture. */
const ofPicture = {
  answer: Type.Object({
    colors: list(Type.String({ pattern: '^[0-9a-f]{6}@\\d{1,3}$' }), '`rrggbb@percentage`, the largest share first'),
  }),
} as const;

export const searchImageByColors = queryOperation({
  about:
    'Finds the reference pictures that have the given colours in the given shares. Colours without a share get equal parts of the rest. Shares that sum to more than 100 are scaled down. Similar colours count nearly in full.',
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

export const filter = queryOperation({
  method: 'POST',
  about: 'Classifies a picture against the profiles of the application.',
  parameters: Type.Object({ query_image: pictureOr('image_content'), image_url: imageUrl }),
  answer: Type.Object({
    scores: numbersByName(
      'by name of profile: positive where it fits the picture, about 1 for a clear case, negative where it does not',
    ),
  }),
  onFailure: { scores: {} },
});

const jpeg = (name: string) =>
  Type.String({
    contentEncoding: 'base64',
    contentMediaType: 'image/jpeg',
    description: `the ${name} picture in its own size (long side at most 2,048 pixels), differences tinted and outlined in orange and blue, hatched what the other picture does not show; JPEG as base64`,
  });

const boxIn = (name: string) => object(`box in the ${name} picture`, box.properties);

const region = Type.Object({
  reference: boxIn('reference'),
  query: boxIn('query'),
  strength: Type.Number({ exclusiveMinimum: 0, maximum: 1, description: 'how strongly the region differs' }),
});

const idFor = (name: string) =>
  optional(
    imageIdFor(
      `the id of a reference picture in place of \`${name}\`: its thumbnail is compared; an addition to the interface`,
    ),
  );

export const fineComparison = queryOperation({
  method: 'POST',
  about:
    'Aligns two pictures that match and shows where they differ. Other light, another size, recompression and parts that only one picture shows are no differences. In place of a file, the thumbnail of a reference picture can be compared, which is coarse.',
  parameters: Type.Object({
    reference_image: pictureOrElse('reference_id', 'reference_url', 'ref_image'),
    reference_url: addressOfPicture('reference_image'),
    reference_id: idFor('reference_image'),
    query_image: pictureOrElse('query_id', 'query_url'),
    query_url: addressOfPicture('query_image'),
    query_id: idFor('query_image'),
  }),
  answer: Type.Object({
    score: share('0 for the same picture and higher, the more of the picture differs and the more strongly'),
    ref_image: jpeg('reference'),
    query_image: jpeg('query'),
    regions: list(region, 'each difference, the largest first'),
    rim_strips: Type.Optional(
      list(
        region,
        'only where there are some: strips along the rim where the content of one picture ends, as in scans and frames, the boxes as in `regions`. They are no differences: `score` and `regions` leave them out, and the pictures show them hatched; an addition to the interface',
      ),
    ),
    coarse: onlyTrue(
      'only where a thumbnail was compared: the smallest differences may be missing, and the picture in the answer has the size of the thumbnail; an addition to the interface',
    ),
    homography: list(
      Type.Number(),
      'nine numbers, row by row: the map from pixels of ref_image to pixels of query_image; an addition to the interface',
      { minItems: 9, maxItems: 9 },
    ),
  }),
});
