import { CELL_COUNT, cellOf } from './cell.ts';
import type { Tentative } from './tentative.ts';

/**
 * What a correspondence of a Hamming distance is worth: 1 at 0, 0 at 22 and beyond. Correspondences that agree by
 * chance have distances close to the reach (17 to 20 on the average, measured), true ones 8 to 10.
 */
const WORTH_BY_DISTANCE = Float64Array.from({ length: 65 }, (_, distance) => Math.max(0, 1 - distance / 22));

/**
 * Correspondences among which a few agree by chance. Pictures of repeated strokes (drawings, wallpaper, text) have
 * hundreds of chance correspondences, and some of them always agree.
 */
const CHANCE_CORRESPONDENCES = 100;

/**
 * The evidence for a map between two pictures, a weighted inlier score: its support, divided by what so many correspondences give by
 * chance, which grows like its square root.
 * @param inliers  correspondences that agree with the map
 * @param among    the number of correspondences that they were found among
 */
export function evidence(pairs: Tentative, inliers: readonly number[], among = pairs.count): number {
  return support(pairs, inliers) / Math.sqrt(1 + among / CHANCE_CORRESPONDENCES);
}

/**
 * The worth of the best correspondence in each distinct place, summed over the picture in which that is less. At most
 * the number of inliers.
 */
export function support(pairs: Tentative, inliers: readonly number[], worth = WORTH_BY_DISTANCE): number {
  return Math.min(
    sumOf(worth, pairs.rx, pairs.ry, pairs.distance, inliers),
    sumOf(worth, pairs.qx, pairs.qy, pairs.distance, inliers),
  );
}

/**
 * What a correspondence is worth in a second look: up to four times as much where the features are nearly equal, which
 * copies of the same pixels are and features that agree by chance hardly ever are.
 */
const STRICT_WORTH_BY_DISTANCE = WORTH_BY_DISTANCE.map((worth, distance) => worth && worth + 3 * halved(distance));

/** Correspondences among which few agree by chance, in a second look. */
const SECOND_LOOK_CHANCE_CORRESPONDENCES = 10;
/** Brings the evidence of a second look to the scale of the first: the thresholds are the same. */
const SECOND_LOOK_FACTOR = 0.75;

/**
 * The evidence for a map by two looks, for a pair in doubt: the geometric mean of both supports, divided by what so many
 * correspondences give by chance.
 * @param inliers  correspondences of the first look that agree with the map
 * @param guided   those that guided matching found under the map
 */
export function evidenceOfBoth(pairs: Tentative, inliers: readonly number[], guided: Tentative): number {
  const all = Array.from({ length: guided.count }, (_, i) => i);
  const both = support(pairs, inliers, STRICT_WORTH_BY_DISTANCE) * support(guided, all, STRICT_WORTH_BY_DISTANCE);
  return SECOND_LOOK_FACTOR * Math.sqrt(both / (1 + pairs.count / SECOND_LOOK_CHANCE_CORRESPONDENCES));
}

/** The worth of what guided matching finds under a foreshortened map, on the scale of the first look. */
export const FORESHORTENED_FACTOR = 0.5;

/**
 * The evidence of guided matching alone, for maps that are clearly no similarity: pictures that merely resemble each other
 * have their parts in the same layout, and features that agree by chance are few under one map.
 */
export function evidenceOfGuided(guided: Tentative): number {
  const all = Array.from({ length: guided.count }, (_, i) => i);
  return FORESHORTENED_FACTOR * support(guided, all);
}

/** 1, halved with every four bits. */
function halved(distance: number): number {
  return Math.sqrt(Math.sqrt(1 / (1 << distance)));
}

/** The best in each cell while one picture is added up; 0 everywhere between. */
const best = new Float64Array(CELL_COUNT);

function sumOf(
  worth: Float64Array,
  x: Float64Array,
  y: Float64Array,
  distance: Uint8Array,
  inliers: readonly number[],
): number {
  const cells: number[] = [];
  for (const i of inliers) {
    const cell = cellOf(x[i], y[i]);
    const value = worth[distance[i]];
    if (value <= best[cell]) continue;
    if (best[cell] === 0) cells.push(cell);
    best[cell] = value;
  }
  let sum = 0;
  for (const cell of cells) {
    sum += best[cell];
    best[cell] = 0;
  }
  return sum;
}
