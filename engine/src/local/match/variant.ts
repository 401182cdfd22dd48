import { type Keypoints, type LocalDna } from '../../dna/local.ts';
import { negativeCodes } from '../features/inverted.ts';
import type { Correspondences } from '../index/correspondences.ts';
import type { Guise } from '../index/inverted-index.ts';
import { type Scene, sceneOf, sketchOf } from '../verify/guided-matching.ts';
import { mirrorKeypoints } from '../verify/tentative.ts';

/** A query in one of its guises, with what it shares with each picture looked at. */
export interface View {
  readonly mirrored: boolean;
  readonly keypoints: Keypoints;
  readonly found: readonly Correspondences[];
  /** Where pictures are looked at twice; made when it is first asked for. */
  readonly scene?: (() => Scene) | undefined;
}

/** @param keypoints  of the query as it is */
export function viewOf(
  query: LocalDna,
  keypoints: Keypoints,
  guise: Guise,
  found: readonly Correspondences[],
  twice: boolean,
): View {
  const mirrored = guise === 'mirrored';
  const seen = seenIn(guise, keypoints, query.width);
  let made: Scene | undefined;
  const scene = (): Scene => {
    if (made) return made;
    const codes = guise === 'negative' ? negativeCodes(query.codes, query.count) : query.codes;
    return (made = sceneOf(query, sketchOf({ ...query, codes }), seen, mirrored));
  };
  return { mirrored, keypoints: seen, found, scene: twice ? scene : undefined };
}

function seenIn(guise: Guise, keypoints: Keypoints, width: number): Keypoints {
  if (guise === 'mirrored') return mirrorKeypoints(keypoints, width);
  return guise === 'negative' ? { ...keypoints, turn: keypoints.turn.map((turn) => turn + 128) } : keypoints;
}
