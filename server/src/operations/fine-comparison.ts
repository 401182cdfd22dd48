import { file } from '../params/params.ts';
import { operation } from './operation.ts';

export const fineComparison = operation({
  name: 'FineComparison',
  families: ['enginequery'],
  method: 'POST',
  about:
    'Lays two pictures that match on each other and shows where they differ. Other light, another size, recompression and what only one of them shows are not differences.',
  gives:
    '`score`, 0 for the same picture and higher, up to 1, the more of it differs and the more strongly; `ref_image`, `query_image`: the pictures at the size they came in (long side at most 2,048 pixels), differences tinted and outlined in orange and blue, what the other does not show hatched, JPEG as base64 text; `regions`: for each difference its box in `reference` and in `query` (`topLeftPoint`, `bottomRightPoint`, as fractions of width and height) and its `strength` in (0, 1], the largest first',
  params: { reference_image: file({ or: 'ref_image' }), query_image: file() },
  refuses: (traits) => !traits.fineComparison && 'DOES_NOT_APPLY',

  async run(application, { reference_image, query_image }) {
    const { score, regions, reference, query } = await application.compare(reference_image, query_image);
    return { score, ref_image: base64(reference), query_image: base64(query), regions };
  },
});

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
}
