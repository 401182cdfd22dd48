import { fitAffine, fitHomography, type Homography, project } from './homography.ts';
import { bestHypothesis } from './hypothesis.ts';
import type { Tentative } from './tentative.ts';

/** Tolerances of the rounds in which a map is refined, in pixels of a feature of level 0. */
const AFFINE_ROUNDS = [12, 8, 6];
const HOMOGRAPHY_ROUNDS = [6, 5, 4, 4];
/** The tolerance at last. */
const TOLERANCE = 4;
/** Distinct places a homography needs; with fewer an affine map is as far as they can tell. */
const HOMOGRAPHY_CELLS = 10;
/** Side of the cells in which agreement is counted, in frame pixels. */
const CELL = 10;
const COLUMNS = 53;

/** How two pictures lie on each other, and what says so. */
export interface Alignment {
  /** Reference to query, in frame pixels. */
  readonly homography: Homography;
  /** Correspondences that agree. */
  readonly inliers: readonly number[];
  /** Distinct places among them, whichever picture has fewer. */
  readonly cells: number;
}

/** @returns undefined when no map brings two correspondences together */
export function align(pairs: Tentative): Alignment | undefined {
  const hypothesis = bestHypothesis(pairs);
  if (!hypothesis) return undefined;
  let map = hypothesis.similarity;
  const chosen = new Float64Array(pairs.count);
  for (const i of hypothesis.supporters) chosen[i] = 1;
  const start = hypothesis.cells >= 4 ? fitAffine(pairs, chosen) : undefined;
  if (start) map = start;
  for (const tolerance of AFFINE_ROUNDS) {
    const weights = agreement(pairs, map, tolerance);
    if (distinct(pairs, weights) < 4) break;
    const next = fitAffine(pairs, weights);
    if (!next) break;
    map = next;
  }
  const affine = measured(pairs, map);
  let bent = map;
  for (const tolerance of HOMOGRAPHY_ROUNDS) {
    const weights = agreement(pairs, bent, tolerance);
    if (distinct(pairs, weights) < HOMOGRAPHY_CELLS) return affine;
    const next = fitHomography(pairs, weights, bent);
    if (!next) return affine;
    bent = next;
  }
  const perspective = measured(pairs, bent);
  return perspective.cells >= affine.cells ? perspective : affine;
}

function measured(pairs: Tentative, homography: Homography): Alignment {
  const weights = agreement(pairs, homography, TOLERANCE);
  const inliers: number[] = [];
  for (let i = 0; i < pairs.count; i++) if (weights[i] > 0) inliers.push(i);
  return { homography, inliers, cells: distinct(pairs, weights) };
}

/** Tukey's biweight of the distance between where a feature is and where the map puts it; 0 beyond the tolerance. */
function agreement(pairs: Tentative, map: Homography, tolerance: number): Float64Array {
  const weights = new Float64Array(pairs.count);
  for (let i = 0; i < pairs.count; i++) {
    const [x, y] = project(map, pairs.rx[i], pairs.ry[i]);
    const [ex, ey] = [x - pairs.qx[i], y - pairs.qy[i]];
    const reach = tolerance * 0.5 * (1 + pairs.qScale[i]);
    const off = (ex * ex + ey * ey) / (reach * reach);
    if (off < 1) weights[i] = ((1 - off) * (1 - off)) / (reach * reach);
  }
  return weights;
}

/** Distinct places on the side that has fewer of them. */
function distinct(pairs: Tentative, weights: Float64Array): number {
  return Math.min(places(pairs.rx, pairs.ry, weights), places(pairs.qx, pairs.qy, weights));
}

function places(x: Float64Array, y: Float64Array, weights: Float64Array): number {
  const cells = new Set<number>();
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] > 0) cells.add(COLUMNS * Math.floor(y[i] / CELL) + Math.floor(x[i] / CELL));
  }
  return cells.size;
}
