import { fail } from '../errors.ts';
import { imageId, integer as integerParam, keywords, optionalDna, optionalFile } from '../params/params.ts';
import { integer, list, sometimes } from '../params/schema.ts';
import { operation, withoutReferences } from './operation.ts';

export const addImage = operation({
  name: 'AddImage',
  families: ['enginemodify'],
  method: 'POST',
  about:
    'Adds a reference picture, as a file or as a DNA, never both. Once answered, every search sees it. With `compare` 1 the reasons name a picture that is there and nearly the same.',
  gives: {
    task_id: integer('always 0', { const: 0 }),
    grade: sometimes(
      integer('how well the picture can be matched, where the type can tell', { minimum: 0, maximum: 4 }),
    ),
    reasons: sometimes(list({ type: 'string' }, 'what is missing for a better grade')),
  },
  params: {
    image_id: imageId(),
    image_content: optionalFile(),
    dna: optionalDna(),
    keywords: keywords(),
    compare: integerParam({ min: 0, max: 1, fallback: 0 }),
  },
  changes: true,
  success: 'Image added to the reference database',
  onFailure: { task_id: 0 },
  needsRecipe: true,
  refuses: withoutReferences,

  async run(application, { image_id, image_content, dna, keywords, compare }) {
    if (image_content && dna) throw fail('IMAGE_OR_DNA', 'both');
    if (!image_content && !dna) throw fail('IMAGE_OR_DNA', 'neither');

    if (application.has(image_id)) throw fail('IMAGE_EXISTS', image_id); // before the work, which an import begun anew saves
    const kept = dna ? { dna: application.receive(dna, 'reference') } : await application.take(image_content!);
    const grade = await application.grade(kept.dna, compare === 1);
    await application.add(image_id, keywords, kept.dna, 'thumbnail' in kept ? kept.thumbnail : undefined);
    return { task_id: 0, ...grade };
  },
});
