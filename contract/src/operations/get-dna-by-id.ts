import Type from 'typebox';
import { operation } from '../operation.ts';
import { imageId } from '../parameters/image-id.ts';

export const getDnaById = operation({
  name: 'GetDnaById',
  families: ['enginemodify'],
  method: 'GET',
  about: 'Returns the DNA of a reference picture as base64 text, which AddImage and SearchImageByDna accept.',
  parameters: Type.Object({ image_id: imageId }),
  answer: Type.Object({
    dna: Type.Object(
      {
        dna: Type.String({ contentEncoding: 'base64', description: 'the DNA' }),
        id: Type.String({ description: 'the image_id' }),
      },
      { description: 'the DNA as base64 text; `null` on failure' },
    ),
  }),
  onFailure: { dna: null },
});
