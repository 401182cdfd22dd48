import type { PictureToHash } from '../applications/application.ts';
import { referenceQualityOf } from '../applications/reference-quality.ts';
import { fail } from '../errors.ts';
import type { NewImage } from '../store/store.ts';
import type { Contract, Work } from './operation.ts';

export const addImage: Work<Contract['addImage']>['run'] = async (
  application,
  { image_id, image_content, dna, keywords, metadata, compare },
) => {
  if (image_content && dna) throw fail('IMAGE_OR_DNA', 'got both');
  if (!image_content && !dna) throw fail('IMAGE_OR_DNA', 'got neither; an empty file counts as absent');

  const { references } = application;
  if (await references.has(image_id)) throw fail('IMAGE_EXISTS', image_id); // before the description, which a repeated import then saves
  const { pdq, ...kept }: Pick<NewImage, 'dna' | 'thumbnail' | 'details'> & Partial<PictureToHash> = dna
    ? { dna: application.checkedDna(dna, 'reference') }
    : await application.keepNew(image_content!);
  const quality = await referenceQualityOf(application, kept.dna, compare === 1);
  const details = metadata ? { ...kept.details, metadata } : kept.details;
  await application.add({ id: image_id, keywords, ...kept, details }, image_content && { file: image_content, pdq });
  return { task_id: 0, ...quality };
};
