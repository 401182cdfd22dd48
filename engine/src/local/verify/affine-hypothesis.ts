import type { Homography } from '../../geometry/homography.ts';
import type { Effort } from './effort.ts';
import { support } from './evidence.ts';
import { foreshortening } from './foreshortening.ts';
import type { Tentative } from './tentative.ts';

/** Correspondences that triples are made of, most alike first: 364 triples. */
const MAX_TRIED_CORRESPONDENCES = 14;
/** Twice the least area of a triple in the reference, and in the query, in square pixels: smaller ones determine no map. */
const MIN_DOUBLE_AREA = { reference: 400, query: 100 };
/** By what factor a map shrinks one direction more than the other: fewer are similarities, more show nothing. */
const FORESHORTENING = { min: 1.25, max: 5 };
/** How far a place may be off, in pixels of a feature of level 0. */
const INLIER_TOLERANCE_PIXELS = 6;
/** Fewer correspondences agree by chance, since three always do. */
const MIN_INLIERS = 4;
/** What each of them counts besides their support, which has one for each place. */
const WEIGHT_PER_INLIER = 0.1;

/**
 * Three correspondences determine an affine map, whatever angles and scales they have: those of a feature are not right where
 * one direction is foreshortened. Every triple of the likeliest is tried, and the one wins that most agree with, in most places.
 */
export function bestAffine(pairs: Tentative, effort: Effort): Homography | undefined {
  const all = Array.from({ length: pairs.count }, (_, i) => i);
  const tried = all.slice(0, MAX_TRIED_CORRESPONDENCES);
  let most = 0;
  let best: Homography | undefined;
  for (const [a, i] of tried.entries())
    for (const [b, j] of tried.slice(0, a).entries())
      for (const k of tried.slice(0, b)) {
        const next = affineThrough(pairs, i, j, k);
        if (!next) continue;
        effort.spend(pairs.count);
        const agree = all.filter((one) => agrees(pairs, next, one));
        if (agree.length < MIN_INLIERS) continue;
        const weight = support(pairs, agree) + WEIGHT_PER_INLIER * agree.length;
        if (weight > most) [most, best] = [weight, next];
      }
  return best;
}

/** The affine map that three correspondences determine; undefined for one that no camera makes, and for a similarity. */
function affineThrough({ rx, ry, qx, qy }: Tentative, i: number, j: number, k: number): Homography | undefined {
  const [bx, by, cx, cy] = [rx[j] - rx[i], ry[j] - ry[i], rx[k] - rx[i], ry[k] - ry[i]];
  const [ux, uy, vx, vy] = [qx[j] - qx[i], qy[j] - qy[i], qx[k] - qx[i], qy[k] - qy[i]];
  const area = bx * cy - cx * by;
  const seen = ux * vy - vx * uy;
  if (Math.abs(area) < MIN_DOUBLE_AREA.reference || Math.abs(seen) < MIN_DOUBLE_AREA.query || area > 0 !== seen > 0)
    return undefined;
  const [a, b] = [(ux * cy - vx * by) / area, (vx * bx - ux * cx) / area];
  const [c, d] = [(uy * cy - vy * by) / area, (vy * bx - uy * cx) / area];
  const map: Homography = [a, b, qx[i] - a * rx[i] - b * ry[i], c, d, qy[i] - c * rx[i] - d * ry[i], 0, 0, 1];
  const ratio = foreshortening(map, [0, 0]);
  return ratio >= FORESHORTENING.min && ratio <= FORESHORTENING.max ? map : undefined;
}

function agrees({ rx, ry, qx, qy, qScale }: Tentative, map: Homography, i: number): boolean {
  const ex = map[0] * rx[i] + map[1] * ry[i] + map[2] - qx[i];
  const ey = map[3] * rx[i] + map[4] * ry[i] + map[5] - qy[i];
  const reach = INLIER_TOLERANCE_PIXELS * 0.5 * (1 + qScale[i]);
  return ex * ex + ey * ey < reach * reach;
}
