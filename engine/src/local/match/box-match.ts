import { type Box, boxAround, clipped, cornersOf } from '../../geometry/frame.ts';
import { inverse, project } from '../../geometry/homography.ts';
import type { PairVerdict } from '../../partition/partition.ts';
import { type BoxMatch, homographyInfo } from '../../partition/result-info.ts';
import { decide, scoreOf } from './decision.ts';
import type { PairMatch } from './match-pair.ts';

/** The answer of Media Matching: upright boxes and one of three decisions; undefined where the pictures differ. */
export function boxMatch(match: PairMatch): PairVerdict | undefined {
  const { query, reference, exact } = match;
  const [{ homography, evidence, possible }] = match.placements;
  if (!possible) return undefined;
  const score = exact ? 0 : scoreOf(evidence);
  const decision = exact ? 'Clone' : decide(evidence, homography, reference, query);
  if (decision === 'Different') return undefined;
  const boxes = boxesOf(match);
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
function boxesOf({ query, reference, placements }: PairMatch): { query: Box; reference: Box } | undefined {
  const [{ homography }] = placements;
  const back = inverse(homography);
  const image = cornersOf(reference).map(([x, y]) => project(homography, x, y));
  const inQuery = clipped(image, query);
  if (!back || inQuery.length === 0) return undefined;
  const inReference = inQuery.map(([x, y]) => project(back, x, y));
  return { query: boxAround(inQuery, query), reference: boxAround(inReference, reference) };
}
