import { file } from '../params/params.ts';
import { list, number, object, objectOf, text } from '../params/schema.ts';
import { operation } from './operation.ts';

const jpeg = (what: string) =>
  text(
    `${what} at the size it came in (long side at most 2,048 pixels), differences tinted and outlined in orange and blue, what the other does not show hatched; JPEG as base64`,
    { contentEncoding: 'base64', contentMediaType: 'image/jpeg' },
  );

const corner = (name: string) => list({ type: 'number' }, `${name}, x and y as fractions of width and height`);
const box = (of: string) =>
  object(
    { topLeftPoint: corner('upper left corner'), bottomRightPoint: corner('lower right corner') },
    `box in the ${of}`,
  );
const region = {
  reference: box('reference picture'),
  query: box('query picture'),
  strength: number('how strongly it differs', { exclusiveMinimum: 0, maximum: 1 }),
};

export const fineComparison = operation({
  name: 'FineComparison',
  families: ['enginequery'],
  method: 'POST',
  about:
    'Lays two pictures that match on each other and shows where they differ. Other light, another size, recompression and what only one of them shows are not differences.',
  gives: {
    score: number('0 for the same picture and higher, the more of it differs and the more strongly', {
      minimum: 0,
      maximum: 1,
    }),
    ref_image: jpeg('the reference picture'),
    query_image: jpeg('the query picture'),
    regions: list(objectOf(region), 'each difference, the largest first'),
    homography: list(
      { type: 'number' },
      'nine numbers, row by row, that lead from pixels of ref_image to pixels of query_image; an addition to the interface',
    ),
  },
  params: { reference_image: file({ or: 'ref_image' }), query_image: file() },
  refuses: (traits) => !traits.fineComparison && 'DOES_NOT_APPLY',

  async run(application, { reference_image, query_image }) {
    const { score, regions, homography, reference, query } = await application.compare(reference_image, query_image);
    return { score, ref_image: base64(reference), query_image: base64(query), regions, homography };
  },
});

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
}
