import Type from 'typebox';
import { operation } from '../operation.ts';
import { dna, imageUrl, picture } from '../parameters/bytes.ts';
import { imageId } from '../parameters/image-id.ts';
import { flag } from '../parameters/integer.ts';
import { keywords } from '../parameters/keywords.ts';
import { metadata } from '../parameters/metadata.ts';
import { optional } from '../parameters/parameter.ts';
import { list } from '../schema.ts';
import { taskId } from './task-id.ts';

export const addImage = operation({
  name: 'AddImage',
  families: ['enginemodify'],
  method: 'POST',
  about:
    'Adds a reference picture, as a file or as a DNA, never both. Every search that begins after the answer finds the picture. With `compare` 1 the reasons name a reference picture that is nearly the same. On Brand monitoring a picture with transparent parts (PNG, WebP) is a drawing without a background; other types compose it on white.',
  parameters: Type.Object({
    image_id: imageId,
    image_content: optional(picture),
    image_url: imageUrl,
    dna: optional(dna),
    keywords,
    metadata: optional(metadata),
    compare: flag('`reasons` names a nearly identical reference picture, which takes a search'),
  }),
  answer: Type.Object({
    task_id: taskId,
    grade: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 4,
        description: 'how well the picture can be matched, for the application types that grade',
      }),
    ),
    reasons: Type.Optional(list(Type.String(), 'what is missing for a better grade')),
  }),
  scope: 'add',
  success: 'Image added to the reference database',
  onFailure: { task_id: 0 },
});
