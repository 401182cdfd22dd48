import type { Box } from './result-info/box-match.ts';
import type { Quad } from './result-info/quad-match.ts';
import type { ResultInfo } from './result-info/result-info.ts';

/** What the score takes of a match at most: 0.2 leaves a recompressed copy at 98 to 99 per cent. */
const SCORE_WEIGHT = 0.2;
/** By what pictures that do not match stay below 20 per cent: their scores begin at 0.5. */
const UNMATCHED_FACTOR = 0.4;

/**
 * What two pictures have in common, in per cent with one decimal: 100 for score 0 alone, at most 99.9 otherwise. Of a match, the
 * share that agrees by the cube root of both shown parts: a tenth of a picture is about half as similar as the whole.
 * @param score   in [0, 1]
 * @param wholes  whether the type compares pictures as wholes. Scores are then squared, since another picture begins at about 0.4
 */
export function similarityOf(score: number, wholes: boolean, info: ResultInfo | null): number {
  if (score === 0) return 100;
  return Math.min(99.9, Math.round(1000 * shareOf(score, wholes, info)) / 10);
}

function shareOf(score: number, wholes: boolean, info: ResultInfo | null): number {
  if (wholes) return (1 - score) * (1 - score);
  if (!info || info.category !== 'LOCALMATCHING') return 1 - score;
  if (info.decision !== 'Clone' && info.decision !== 'Match') return UNMATCHED_FACTOR * (1 - score);
  const shown = areaOf(info.query.matchingBox) * areaOf(info.reference.matchingBox);
  return (info.agreeingShare ?? 1) * Math.cbrt(shown) * (1 - SCORE_WEIGHT * score);
}

function areaOf(part: Box | Quad): number {
  if ('area' in part) return part.area;
  const [[left, top], [right, bottom]] = [part.topLeftPoint, part.bottomRightPoint];
  return Math.max(0, right - left) * Math.max(0, bottom - top);
}
