import { imageId } from '../params/params.ts';
import { object, text } from '../params/schema.ts';
import { operation, withoutReferences } from './operation.ts';

export const getDnaById = operation({
  name: 'GetDnaById',
  families: ['enginemodify'],
  method: 'GET',
  about: 'Gives the DNA of a reference picture as base64 text, which AddImage and SearchImageByDna take back.',
  gives: {
    dna: object(
      { dna: text('the DNA', { contentEncoding: 'base64' }), id: text('the image_id') },
      'the DNA as base64 text; `null` on failure',
    ),
  },
  params: { image_id: imageId() },
  onFailure: { dna: null },
  refuses: withoutReferences,

  async run(application, { image_id }) {
    const dna = await application.dnaOf(image_id);
    return { dna: { dna: Buffer.from(dna).toString('base64'), id: image_id } };
  },
});
