import type { ReferenceQuality } from '@sosia/engine';
import type { Application } from './application.ts';

/**
 * How well a reference DNA can be matched; undefined where the type cannot tell.
 * @param compared  whether a reference picture that is nearly the same counts, which takes a search
 */
export async function referenceQualityOf(
  application: Application,
  dna: Uint8Array,
  compared: boolean,
): Promise<ReferenceQuality | undefined> {
  const own = application.definition.referenceQuality?.(dna);
  if (!own || !compared) return own;
  const { retrievalThreshold, colorWeight } = application.defaults;
  const { images } = await application.references.search({
    dna,
    restriction: { keywords: [], ids: null },
    page: { start: 0, count: 1 },
    below: retrievalThreshold,
    colorWeight: colorWeight / 100,
  });
  const same = images.find(
    ({ resultInfo }) => resultInfo && 'decision' in resultInfo && resultInfo.decision === 'Clone',
  );
  if (!same) return own;
  return { grade: Math.max(0, own.grade - 1), reasons: [...own.reasons, `nearly the same as ${same.id}`] };
}
