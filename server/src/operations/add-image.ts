import { operations } from '@sosia/contract';
import { fail } from '../errors.ts';
import { operation, withoutReferences } from './operation.ts';

export const addImage = operation(operations.addImage, {
  refuses: withoutReferences,
  async run(application, { image_id, image_content, dna, keywords, compare }) {
    if (image_content && dna) throw fail('IMAGE_OR_DNA', 'both');
    if (!image_content && !dna) throw fail('IMAGE_OR_DNA', 'neither');

    if (application.has(image_id)) throw fail('IMAGE_EXISTS', image_id); // before the work, which an import begun anew saves
    const kept = dna ? { dna: application.receive(dna, 'reference') } : await application.take(image_content!);
    const grade = await application.grade(kept.dna, compare === 1);
    await application.add(image_id, keywords, kept.dna, 'thumbnail' in kept ? kept.thumbnail : undefined);
    return { task_id: 0 as const, ...grade };
  },
});
