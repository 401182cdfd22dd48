import type { Point } from '../../geometry/frame.ts';
import { type Cells, coverage, type Shown } from '../verify/coverage.ts';
import type { Sketch } from '../verify/guided-matching.ts';

/** The cells of the middle, by two measures: those that nothing hides, and a larger part with all of its cells. */
const MIDDLES: readonly Cells[] = [
  { side: 8, rim: 2, visible: 2 },
  { side: 6, rim: 1, visible: 0 },
];
/** Least mean of both where the evidence is much; where it is little, nothing is expected of the middle. */
const LEAST = 0.4;
const [LITTLE, MUCH] = [5, 11];

/**
 * Whether the middle of a reference was found, as far as it should show. Two pictures in one frame, template or app screen have
 * much evidence, all of it outside of the middle. See docs/experiments/2026-11-22-frames.md.
 * @param found  where features of the reference were found, in pixels of its frame
 */
export function showsMiddle(evidence: number, found: readonly Point[], sketch: Sketch, shown: Shown): boolean {
  const expected = LEAST * Math.min(1, Math.max(0, (evidence - LITTLE) / (MUCH - LITTLE)));
  const shares = MIDDLES.flatMap((cells) => coverage(found, sketch, shown, cells) ?? []);
  return shares.length === 0 || shares.reduce((sum, share) => sum + share, 0) >= expected * shares.length;
}
