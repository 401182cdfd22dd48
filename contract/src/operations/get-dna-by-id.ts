import Type from 'typebox';
import { operation } from '../operation.ts';
import { imageId } from '../parameters/image-id.ts';
import { object, string } from '../schema.ts';

export const getDnaById = operation({
  name: 'GetDnaById',
  families: ['enginemodify'],
  method: 'GET',
  about: 'Returns the DNA of a reference picture as base64 text, which AddImage and SearchImageByDna accept.',
  parameters: Type.Object({ image_id: imageId }),
  answer: Type.Object({
    dna: object('the DNA as base64 text; `null` on failure', {
      dna: Type.String({ contentEncoding: 'base64', description: 'the DNA' }),
      id: string('the image_id'),
    }),
  }),
  onFailure: { dna: null },
});
