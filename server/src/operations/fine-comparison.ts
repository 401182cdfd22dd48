import type { Application } from '../applications/application.ts';
import { fail } from '../errors.ts';
import type { Contract, Work } from './operation.ts';
import { base64 } from '../parameters/base64.ts';

export const fineComparison: Work<Contract['fineComparison']>['run'] = async (
  application,
  { reference_image, reference_id, query_image, query_id },
) => {
  const files = [
    reference_image ?? (await thumbnail(application, reference_id!)),
    query_image ?? (await thumbnail(application, query_id!)),
  ] as const;
  const { score, regions, strips, homography, reference, query } = await application.compare(...files);
  return {
    score,
    ref_image: base64(reference),
    query_image: base64(query),
    regions,
    ...(strips.length > 0 ? { rim_strips: strips } : {}),
    ...(reference_image && query_image ? {} : { coarse: true as const }),
    homography,
  };
};

async function thumbnail({ references }: Application, id: string): Promise<Uint8Array> {
  const jpeg = await references.thumbnail(id);
  if (!jpeg) throw fail('NO_THUMBNAIL', id);
  return jpeg;
}
