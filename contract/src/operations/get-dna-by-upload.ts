import Type from 'typebox';
import { operation } from '../operation.ts';
import { imageUrl, picture } from '../parameters/bytes.ts';
import { optional } from '../parameters/parameter.ts';
import { text } from '../parameters/text.ts';

/** An addition to the interface, for clients without the engine that keep DNA instead of pictures. */
export const getDnaByUpload = operation({
  name: 'GetDnaByUpload',
  families: ['enginequery'],
  method: 'POST',
  about: 'Returns the DNA of an uploaded picture as base64 text. Nothing is stored.',
  parameters: Type.Object({
    image_content: picture,
    image_url: imageUrl,
    side: optional(
      text('`reference`: for AddImage (default); `query`: for SearchImageByDna, richer on most types', {
        example: 'reference',
        enum: ['reference', 'query'],
      }),
    ),
  }),
  answer: Type.Object({ dna: Type.String({ contentEncoding: 'base64', description: 'the DNA; empty on failure' }) }),
  onFailure: { dna: '' },
});
