import type { Point, Size } from '../../geometry/frame.ts';
import { type Alignment, alignAffine, alignTilted } from './alignment.ts';
import type { Effort } from './effort.ts';
import { evidenceOfBoth, evidenceOfGuided } from './evidence.ts';
import { foreshortening } from './foreshortening.ts';
import { matchGuided, type Scene, type Sketch } from './guided-matching.ts';
import type { Aligned } from './repeats.ts';

/** From which ratio on a map is clearly no similarity. */
const MIN_FORESHORTENING = 1.6;

/** What a second look reads of both pictures. */
export interface PairInputs {
  readonly reference: Size;
  readonly sketch: Sketch;
  readonly query: Size;
  readonly scene: Scene;
}

/**
 * A second and dearer look at a pair in doubt: guided matching under the map that forgives foreshortening, and under the
 * affine map that most correspondences agree with. The one with more evidence counts, and never less than the first look.
 */
export function secondLook({ pairs, alignment }: Aligned, both: PairInputs, effort: Effort): Aligned {
  const { reference, query } = both;
  const tilted = alignTilted(alignment, pairs, reference, query, effort);
  const affine = alignAffine(pairs, reference, query, effort);
  const looks = [tilted, ...(affine ? [affine] : [])].map((map) => guided(pairs, map, both, effort));
  const best = looks.reduce((one, other) => (other.alignment.evidence > one.alignment.evidence ? other : one));
  const evidence = Math.max(alignment.evidence, best.alignment.evidence);
  return { pairs: best.pairs, alignment: { ...best.alignment, evidence } };
}

function guided(first: Aligned['pairs'], map: Alignment, both: PairInputs, effort: Effort): Aligned {
  const { reference, sketch, scene } = both;
  const { pairs, alignment } = matchGuided(map, sketch, reference, scene, effort);
  const middle: Point = [reference.width / 2, reference.height / 2];
  const alone = foreshortening(alignment.homography, middle) >= MIN_FORESHORTENING ? evidenceOfGuided(pairs) : 0;
  const evidence = Math.max(alone, evidenceOfBoth(first, map.inliers, pairs));
  return { pairs, alignment: { ...alignment, evidence } };
}
