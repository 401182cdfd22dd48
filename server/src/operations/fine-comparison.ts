import { file } from '../params/params.ts';
import { operation } from './operation.ts';

export const fineComparison = operation({
  name: 'FineComparison',
  families: ['enginequery'],
  method: 'POST',
  about: 'Shows the small differences of two pictures that match.',
  gives:
    '`score`, higher is more different; `ref_image`, `query_image`: the pictures with the differences marked, JPEG as base64 text',
  params: { reference_image: file({ or: 'ref_image' }), query_image: file() },
  refuses: (traits) => !traits.fineComparison && 'DOES_NOT_APPLY',
});
