import { type Box, boxAround, clipped, cornersOf, fraction } from '../../geometry/frame.ts';
import { inverse, project } from '../../geometry/homography.ts';
import type { PairVerdict } from '../../partition/partition.ts';
import { type BoxMatch, homographyInfo } from '../../partition/result-info.ts';
import { type Overlap, overlapOf } from '../overlap/overlap.ts';
import { contained } from '../overlap/same-pixels.ts';
import { copyFeatures } from './copy-features.ts';
import { logOddsOfCopy } from './copy-model.ts';
import { decide, type Decision, MIN_MATCH_EVIDENCE, scoreOf, MIN_SIMILAR_EVIDENCE } from './decision.ts';
import { falseMatchProbability } from './false-match-probability.ts';
import type { PairMatch } from './match-pair.ts';
import { relationOfCopy, relationOfSimilar } from './relation.ts';

/** The answer of Media Matching: upright boxes and one of three decisions; undefined where the pictures differ. */
export function boxMatch(match: PairMatch): PairVerdict | undefined {
  const { query, reference, exact } = match;
  const [{ homography, evidence, possible }] = match.placements;
  if (!possible) return undefined;
  const overlap =
    exact || evidence < MIN_SIMILAR_EVIDENCE
      ? undefined
      : overlapOf(reference, query, homography, { contradiction: true });
  const logOdds = logOddsOf(match, overlap);
  const decision = exact ? 'Clone' : decide(evidence, homography, reference, query, overlap, logOdds >= 0);
  if (decision === 'Different') return undefined;
  const score = exact ? 0 : scoreBy(evidence, decision);
  const agreeing = exact ? 1 : overlap?.agreeing;
  const boxes = boxesOf(match);
  if (!boxes) return undefined;
  const relation = decision === 'Similar' ? relationOfSimilar(match, overlap) : relationOfCopy(match, overlap);
  const resultInfo: BoxMatch = {
    category: 'LOCALMATCHING',
    query: { resizedDimensions: [query.width, query.height], matchingBox: boxes.query },
    reference: { resizedDimensions: [reference.width, reference.height], matchingBox: boxes.reference },
    distance: score,
    homography: homographyInfo(homography),
    decision,
    relation,
    false_match_probability: exact ? 0 : falseMatchProbability(logOdds),
    ...(agreeing !== undefined && { agreeingShare: fraction(agreeing, 1) }),
  };
  return { score, resultInfo, ...(overlap && { toned: overlap.toned }) };
}

/** Least share of a small overlap that is one compact part, and of the smaller picture that lies in the other one. */
const MIN_PART_SHARE = { compact: 0.28, contained: 0.7 };

/** A part of one picture shows in the other one, as in a collage, whose pictures are cut to fit. */
function showsPart({ query, reference, placements }: PairMatch, { compact }: Overlap): boolean {
  return (
    compact >= MIN_PART_SHARE.compact &&
    contained(placements[0].homography, reference, query) >= MIN_PART_SHARE.contained
  );
}

/** Logarithms of odds: all pixels are equal; several places are as likely, or too little is known. */
const LOG_ODDS = { samePixels: Infinity, unlikely: -5 };

/** That both share a picture or a part of one; 0 and more is a match. */
function logOddsOf(match: PairMatch, overlap: Overlap | undefined): number {
  const { placements, reference } = match;
  const [{ evidence, ambiguous = false, samePixels = false }] = placements;
  if (samePixels) return LOG_ODDS.samePixels;
  if (ambiguous) return LOG_ODDS.unlikely;
  const { sketch } = reference;
  if (!sketch || !overlap?.contradiction) return evidence >= MIN_MATCH_EVIDENCE ? 0 : LOG_ODDS.unlikely;
  const { contradiction } = overlap;
  const logOdds = logOddsOfCopy(copyFeatures(match, placements[0], sketch, { ...overlap, contradiction }));
  return showsPart(match, overlap) ? Math.max(0, logOdds) : logOdds;
}

/** Scores above the first, up to that of the least evidence, are compressed so that they end before the second. */
const MATCH_SCORE = { compressedFrom: 0.48, end: 0.499 };

/** Every match comes before 0.5 and every other picture from there on, both by evidence. */
function scoreBy(evidence: number, decision: Decision): number {
  const score = scoreOf(evidence);
  if (decision === 'Similar') return evidence < MIN_MATCH_EVIDENCE ? score : similarScore(score);
  const beyond = (score - MATCH_SCORE.compressedFrom) / (scoreOf(MIN_SIMILAR_EVIDENCE) - MATCH_SCORE.compressedFrom);
  return beyond > 0
    ? rounded(MATCH_SCORE.compressedFrom + beyond * (MATCH_SCORE.end - MATCH_SCORE.compressedFrom))
    : score;
}

/** Of a picture that is Similar though its evidence would give a match this score. */
export function similarScore(score: number): number {
  return rounded(0.5 + score / 10);
}

function rounded(score: number): number {
  return Math.round(1e6 * score) / 1e6;
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
