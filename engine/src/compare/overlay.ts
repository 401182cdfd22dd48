import { type LocalDna, type LocalKind, openLocalDna } from '../dna/local.ts';
import { PlainPictureError } from '../errors.ts';
import { scaling } from '../geometry/frame.ts';
import { compose, type Homography } from '../geometry/homography.ts';
import { describeLocally } from '../local/features/describe.ts';
import type { Richness } from '../local/features/features.ts';
import { matchDna } from '../local/match/match-pair.ts';
import type { Picture } from '../pixels/picture.ts';

const REFERENCE_RICHNESS = { core: 340, all: 340, finest: 0 };
const QUERY_RICHNESS = { core: 340, all: 1200, finest: -2 };
/** Share by which the two sides may be stretched differently and the pictures still cover each other as they are. */
const MAX_STRETCH = 0.04;

/**
 * The maps that may align the pictures, from the reference's pixels to the query's: by local features, and side
 * on side where the shapes agree, which is the only one for small and plain pictures and comes first: it costs nothing.
 */
export function* overlays(reference: Picture, query: Picture): Generator<Homography, void> {
  const x = query.width / reference.width;
  const y = query.height / reference.height;
  const rounding = 1 / Math.min(query.width, query.height, reference.width, reference.height);
  if (Math.abs(x / y - 1) < MAX_STRETCH + rounding) yield [x, 0, 0, 0, y, 0, 0, 0, 1];
  const byFeatures = matched(reference, query);
  if (byFeatures) yield byFeatures;
}

function matched(reference: Picture, query: Picture): Homography | undefined {
  try {
    const [found, frame] = [
      described(query, 'media-query', QUERY_RICHNESS),
      described(reference, 'media-reference', REFERENCE_RICHNESS),
    ];
    const [placement] = matchDna(found, frame)?.placements ?? [];
    if (!placement?.possible) return undefined;
    return compose(scaling(found, query), compose(placement.homography, scaling(reference, frame)));
  } catch (cause) {
    if (cause instanceof PlainPictureError) return undefined;
    throw cause;
  }
}

function described(picture: Picture, kind: LocalKind, richness: Richness): LocalDna {
  return openLocalDna(describeLocally(picture, kind, richness), [kind]);
}
