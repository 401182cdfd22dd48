import Type from '#typebox';
import { queryOperation } from '../operation.ts';
import { addressOfPicture, pictureOrElse } from '../parameters/bytes.ts';
import { imageIdFor } from '../parameters/image-id.ts';
import { optional } from '../parameters/parameter.ts';
import { box } from '../result-info/box-match.ts';
import { list, object, onlyTrue, share } from '../schema.ts';

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
