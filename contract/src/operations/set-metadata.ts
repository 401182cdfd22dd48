import Type from 'typebox';
import { shownMetadata } from '../metadata.ts';
import { operation } from '../operation.ts';
import { imageId } from '../parameters/image-id.ts';
import { metadata } from '../parameters/metadata.ts';
import { optional } from '../parameters/parameter.ts';
import { taskId } from './task-id.ts';

/** An addition to the interface. */
export const setMetadata = operation({
  name: 'SetMetadata',
  families: ['enginemodify'],
  scope: 'add',
  method: 'POST',
  about:
    'Replaces the metadata of a reference picture; without `metadata` it has none from then on. Every search that begins after the answer uses the new ones.',
  parameters: Type.Object({ image_id: imageId, metadata: optional(metadata) }),
  answer: Type.Object({ task_id: taskId, metadata: Type.Optional(shownMetadata) }),
  success: 'Metadata replaced',
  onFailure: { task_id: 0 },
});
