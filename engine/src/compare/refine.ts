import { compose, type Homography, inverse, project, solve } from '../geometry/homography.ts';
import type { Size } from '../geometry/frame.ts';
import type { Workspace } from '../kernels/workspace.ts';

/** A grey picture whose local brightness and contrast are levelled, so that light does not pull at the alignment. */
export interface Levelled {
  readonly width: number;
  readonly height: number;
  /** Where it lies in the workspace. */
  readonly at: number;
}

/** Radius of the square that brightness and contrast are taken from, in pixels. */
const LEVELLING_RADIUS_PIXELS = 7;
/** Contrast, in grey levels, below which a square counts as plain. */
const CONTRAST_FLOOR = 6;
/** Places the alignment is judged by. */
const MAX_SAMPLES = 9000;
/** Deviations from which on an error counts for nothing, by the median of their sizes, which is at least so large. */
const TUKEY = { reach: 4.685 * 1.4826, least: 0.02 };
/** Fewer say nothing. */
const MIN_SAMPLES = 100;
/** A record of the normal equations. */
const SAMPLE_BYTES = 112;
const MAX_ROUNDS = 20;
/** Motion of the corners, in pixels, that ends the rounds. */
const CONVERGED_MOTION_PIXELS = 0.01;

/** Levels a plane where it lies. */
export function levelled(at: number, { width, height }: Size, space: Workspace): Levelled {
  const mark = space.mark();
  const scratch = space.take(8 * (width * height + 3));
  space.kernels.level(at, width, height, LEVELLING_RADIUS_PIXELS, CONTRAST_FLOOR, scratch);
  space.release(mark);
  return { width, height, at };
}

/**
 * Brings a homography to a fraction of a pixel by Gauss-Newton steps on the grey values themselves, with Tukey's
 * weights so that what really differs does not pull.
 *
 * S. Baker, I. Matthews, "Lucas-Kanade 20 years on: a unifying framework", IJCV 56(3), 2004, section 3.2 (inverse
 * compositional).
 *
 * @param start  from pixels of the reference to pixels of the query
 * @returns the start itself where the pictures do not determine anything better
 */
export function refine(reference: Levelled, query: Levelled, start: Homography, space: Workspace): Homography {
  const mark = space.mark();
  const { width, height } = reference;
  const half = Math.max(width, height) / 2;
  const out = [half, 0, width / 2, 0, half, height / 2, 0, 0, 1]; // from coordinates about [-1, 1] to pixels
  const steps = stepper(reference, query, space);
  let map = start;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const step = steps(map);
    const back = step && inverse([1 + step[0], step[1], step[2], step[3], 1 + step[4], step[5], step[6], step[7], 1]);
    const next = back && compose(compose(map, compose(out, back)), inverse(out)!);
    const moved = next ? motion(map, next, reference) : Infinity;
    map = next && moved < 0.1 * half ? next : start;
    if (map === start || moved < CONVERGED_MOTION_PIXELS) break;
  }
  space.release(mark);
  return map;
}

/** The step from a map towards a better one; undefined where too few samples lie in the query, or say too little. */
function stepper(reference: Levelled, query: Levelled, space: Workspace) {
  const { kernels } = space;
  const { width, height } = reference;
  const cell = Math.max(2, Math.floor(Math.sqrt((width * height) / MAX_SAMPLES)));
  const most = Math.ceil(width / cell) * Math.ceil(height / cell);
  const samples = space.take(SAMPLE_BYTES * most);
  const sizes = space.take(8 * most);
  const sums = space.take(640);
  const homography = space.take(72);
  const count = kernels.steepest(reference.at, width, height, cell, samples);
  return (map: Homography): Float64Array | undefined => {
    space.doubles(homography, 9).set(map);
    const { at, width, height } = query;
    const { reach, least } = TUKEY;
    const inside = kernels.weighByDistance(samples, count, at, width, height, homography, reach, least, sizes);
    if (inside < MIN_SAMPLES) return undefined;
    kernels.normalEquations(samples, count, 8, sums);
    const [all, normal] = [space.doubles(sums, 80), new Float64Array(64)];
    for (let a = 0; a < 8; a++) {
      for (let b = 0; b < 8; b++) normal[8 * a + b] = all[10 * Math.min(a, b) + Math.max(a, b)];
      normal[9 * a] *= 1.0001;
    }
    return solve(
      normal,
      Float64Array.from({ length: 8 }, (_, a) => all[10 * a + 8]),
      8,
    );
  };
}

/** How alike two levelled pictures are where they cover each other: their correlation in [-1, 1], and the share covered. */
export function agreement(
  reference: Levelled,
  query: Levelled,
  map: Homography,
  space: Workspace,
): { alike: number; covered: number } {
  const mark = space.mark();
  const { at, width, height } = reference;
  const [homography, out] = [space.put(Float64Array.from(map)), space.take(32)];
  space.kernels.likeness(at, width, height, query.at, query.width, query.height, homography, out);
  const [n, rr, qq, rq] = space.doubles(out, 4);
  space.release(mark);
  return { alike: rr * qq > 0 ? rq / Math.sqrt(rr * qq) : n > 0 && rr === qq ? 1 : 0, covered: n / (width * height) };
}

function motion(before: Homography, after: Homography, { width, height }: Levelled): number {
  const places = [0, width].flatMap((x) => [0, height].map((y) => [x, y] as const));
  return Math.max(
    ...places.map(([x, y]) => {
      const [ax, ay] = project(before, x, y);
      const [bx, by] = project(after, x, y);
      return Math.hypot(bx - ax, by - ay);
    }),
  );
}
