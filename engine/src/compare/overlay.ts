import { openLocalDna } from '../dna/local.ts';
import { describeLocally } from '../local/features/describe.ts';
import type { Picture } from '../pixels/picture.ts';
import { LocalPartition } from '../local/local-partition.ts';
import type { Sighting } from '../local/match/match-pair.ts';
import { PlainPictureError } from '../errors.ts';
import { finished } from '../steps.ts';
import { compose, type Homography } from '../geometry/homography.ts';

const REFERENCE = { core: 340, all: 340, finest: 0 };
const QUERY = { core: 340, all: 1200, finest: -2 };
/** Share by which the two sides may be stretched differently and the pictures still cover each other as they are. */
const STRETCH = 0.04;

/**
 * The ways in which one picture may lie on the other, from the reference's pixels to the query's: by local features,
 * and side on side where the shapes agree, which is all there is to say of small and plain pictures.
 */
export function overlays(reference: Picture, query: Picture): Homography[] {
  const found: Homography[] = [];
  const x = query.width / reference.width;
  const y = query.height / reference.height;
  const rounding = 1 / Math.min(query.width, query.height, reference.width, reference.height);
  if (Math.abs(x / y - 1) < STRETCH + rounding) found.push([x, 0, 0, 0, y, 0, 0, 0, 1]);
  const byFeatures = sighted(reference, query);
  if (byFeatures) found.push(byFeatures);
  return found;
}

function sighted(reference: Picture, query: Picture): Homography | undefined {
  let sighting: Sighting | undefined;
  const partition = new LocalPartition(['media-reference', 'media-query'], (seen) => {
    sighting = seen;
    return undefined;
  });
  try {
    const block = describeLocally(reference, 'media-reference', REFERENCE);
    partition.add(0, block);
    finished(partition.verify(describeLocally(query, 'media-query', QUERY), [0]));
    if (!sighting) return undefined;
    const [{ homography, possible }] = sighting.placements;
    if (!possible) return undefined;
    const frame = openLocalDna(block, ['media-reference']);
    const into = [frame.width / reference.width, 0, 0, 0, frame.height / reference.height, 0, 0, 0, 1];
    const outOf = [query.width / sighting.query.width, 0, 0, 0, query.height / sighting.query.height, 0, 0, 0, 1];
    return compose(outOf, compose(homography, into));
  } catch (cause) {
    if (cause instanceof PlainPictureError) return undefined;
    throw cause;
  }
}
