import { receiveLocalDna } from '../dna/local.ts';
import { describeLocally } from '../local/features/describe.ts';
import { decide, scoreOf } from '../local/match/decision.ts';
import { boxAround, clipped, cornersOf, type Point, type Size } from '../geometry/frame.ts';
import { inverse, project } from '../geometry/homography.ts';
import { gradeLocally } from '../local/grade.ts';
import { LocalPartition } from '../local/local-partition.ts';
import type { Sighting } from '../local/match/match-pair.ts';
import type { Recipe } from './recipe.ts';
import type { Verdict } from '../partition/partition.ts';
import { type Box, type BoxMatch, homographyInfo } from '../partition/result-info.ts';

/** Features of a reference and of a query, and the finest level the query looks at: 1.6 times the frame. */
const REFERENCE = { core: 340, all: 340, finest: 0 };
const QUERY = { core: 340, all: 1000, finest: -2 };

/** Copies of a picture, whole or in part, found again after cropping, turning, mirroring, printing. */
export const mediaMatching: Recipe = {
  type: 'media-matching',
  workingSize: 1024,
  describe: (picture, side) =>
    side === 'reference'
      ? describeLocally(picture, 'media-reference', REFERENCE)
      : describeLocally(picture, 'media-query', QUERY),
  checkDna(dna, side) {
    receiveLocalDna(dna, side === 'reference' ? ['media-reference'] : ['media-query', 'media-reference']);
  },
  grade: (dna) => gradeLocally(dna, 'media-reference'),
  createPartition: () => new LocalPartition(['media-reference', 'media-query'], judge),
};

function judge(sighting: Sighting): Omit<Verdict, 'image'> | undefined {
  const { query, reference, exact } = sighting;
  const [{ homography, evidence, possible }] = sighting.placements;
  if (!possible) return undefined;
  const score = exact ? 0 : scoreOf(evidence);
  const decision = exact ? 'Clone' : decide(evidence, homography, reference, query);
  if (decision === 'Different') return undefined;
  const boxes = boxesOf(sighting);
  if (!boxes) return undefined;
  const resultInfo: BoxMatch = {
    category: 'LOCALMATCHING',
    query: { resizedDimensions: [query.width, query.height], matchingBox: boxes.query },
    reference: { resizedDimensions: [reference.width, reference.height], matchingBox: boxes.reference },
    distance: score,
    homography: homographyInfo(homography),
    decision,
  };
  return { score, resultInfo };
}

/** The part of either picture that shows in the other, as upright boxes. */
function boxesOf({ query, reference, placements }: Sighting): { query: Box; reference: Box } | undefined {
  const [{ homography }] = placements;
  const back = inverse(homography);
  const image = cornersOf(reference).map(([x, y]) => project(homography, x, y));
  const inQuery = clipped(image, query);
  if (!back || inQuery.length === 0) return undefined;
  const inReference = inQuery.map(([x, y]) => project(back, x, y));
  return { query: box(inQuery, query), reference: box(inReference, reference) };
}

function box(points: readonly Point[], frame: Size): Box {
  const { topLeft, bottomRight } = boxAround(points, frame);
  return { topLeftPoint: topLeft, bottomRightPoint: bottomRight };
}
