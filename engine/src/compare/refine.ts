import { compose, type Homography, inverse, project, solve } from '../geometry/homography.ts';
import { means } from '../pixels/neighbourhood.ts';
import { median } from '../pixels/rank.ts';

/** A grey picture whose local brightness and contrast are levelled, so that light does not pull at the alignment. */
export interface Levelled {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
}

/** Radius of the square that brightness and contrast are taken from, in pixels. */
const LEVELLING_RADIUS_PIXELS = 7;
/** Contrast, in grey levels, below which a square counts as plain. */
const CONTRAST_FLOOR = 6;
/** Places the alignment is judged by. */
const MAX_SAMPLES = 9000;
const MAX_ROUNDS = 20;
/** Motion of the corners, in pixels, that ends the rounds. */
const CONVERGED_MOTION_PIXELS = 0.01;

export function levelled(luma: Float32Array, width: number, height: number): Levelled {
  const mean = means(luma, width, height, LEVELLING_RADIUS_PIXELS);
  const centred = new Float32Array(luma.length);
  const squares = new Float32Array(luma.length);
  for (let i = 0; i < luma.length; i++) {
    centred[i] = luma[i] - mean[i];
    squares[i] = centred[i] * centred[i];
  }
  const variance = means(squares, width, height, LEVELLING_RADIUS_PIXELS);
  for (let i = 0; i < luma.length; i++) centred[i] /= CONTRAST_FLOOR + Math.sqrt(Math.max(0, variance[i]));
  return { width, height, values: centred };
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
export function refine(reference: Levelled, query: Levelled, start: Homography): Homography {
  const samples = samplesOf(reference);
  if (samples.count < 100) return start;
  const { width, height } = reference;
  const half = Math.max(width, height) / 2;
  const out = [half, 0, width / 2, 0, half, height / 2, 0, 0, 1]; // from coordinates about [-1, 1] to pixels
  const errors = new Float64Array(samples.count);
  const weights = new Float64Array(samples.count);
  let map = start;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    residuals(samples, query, map, errors);
    if (!weigh(errors, weights)) return start;
    const step = solveStep(samples, errors, weights);
    const back = step && inverse([1 + step[0], step[1], step[2], step[3], 1 + step[4], step[5], step[6], step[7], 1]);
    if (!back) return start;
    const next = compose(compose(map, compose(out, back)), inverse(out)!);
    const moved = motion(map, next, reference);
    if (!(moved < 0.1 * half)) return start;
    map = next;
    if (moved < CONVERGED_MOTION_PIXELS) break;
  }
  return map;
}

/** How alike two levelled pictures are where they cover each other: their correlation in [-1, 1], and the share covered. */
export function agreement(reference: Levelled, query: Levelled, map: Homography): { alike: number; covered: number } {
  const { width, height, values } = reference;
  let [n, rr, qq, rq] = [0, 0, 0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      // not by `project`, which makes an array for each pixel
      const w = map[6] * (x + 0.5) + map[7] * (y + 0.5) + map[8];
      const u = (map[0] * (x + 0.5) + map[1] * (y + 0.5) + map[2]) / w;
      const v = (map[3] * (x + 0.5) + map[4] * (y + 0.5) + map[5]) / w;
      if (!(u >= 0 && v >= 0 && u < query.width && v < query.height)) continue;
      const r = values[y * width + x];
      const q = sampled(query, u, v);
      n++;
      rr += r * r;
      qq += q * q;
      rq += r * q;
    }
  }
  return { alike: rr * qq > 0 ? rq / Math.sqrt(rr * qq) : n > 0 && rr === qq ? 1 : 0, covered: n / (width * height) };
}

interface Samples {
  readonly count: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly value: Float64Array;
  /** Eight a sample: how its value changes with each number of the homography. */
  readonly slopes: Float64Array;
}

/** The steepest pixel of each cell of a grid. */
function samplesOf({ width, height, values }: Levelled): Samples {
  const cell = Math.max(2, Math.floor(Math.sqrt((width * height) / MAX_SAMPLES)));
  const most = Math.ceil(width / cell) * Math.ceil(height / cell);
  const samples = {
    count: 0,
    x: new Float64Array(most),
    y: new Float64Array(most),
    value: new Float64Array(most),
    slopes: new Float64Array(8 * most),
  };
  const half = Math.max(width, height) / 2;
  for (let top = 1; top < height - 1; top += cell) {
    for (let left = 1; left < width - 1; left += cell) {
      let [best, bestX, bestY] = [0.01, 0, 0];
      const [bottom, right] = [Math.min(top + cell, height - 1), Math.min(left + cell, width - 1)];
      for (let y = top; y < bottom; y++) {
        for (let x = left; x < right; x++) {
          const i = y * width + x;
          const gx = values[i + 1] - values[i - 1];
          const gy = values[i + width] - values[i - width];
          const steepness = gx * gx + gy * gy;
          if (steepness > best) [best, bestX, bestY] = [steepness, x, y];
        }
      }
      if (bestX === 0) continue;
      const i = bestY * width + bestX;
      const gx = ((values[i + 1] - values[i - 1]) / 2) * half;
      const gy = ((values[i + width] - values[i - width]) / 2) * half;
      const k = samples.count++;
      samples.x[k] = bestX + 0.5;
      samples.y[k] = bestY + 0.5;
      samples.value[k] = values[i];
      const [x, y] = [(bestX + 0.5 - width / 2) / half, (bestY + 0.5 - height / 2) / half];
      const slopes = [gx * x, gx * y, gx, gy * x, gy * y, gy, -x * (gx * x + gy * y), -y * (gx * x + gy * y)];
      samples.slopes.set(slopes, 8 * k);
    }
  }
  return samples;
}

/** What the query shows at each sample's place, less what the reference shows; NaN outside. */
function residuals({ count, x, y, value }: Samples, query: Levelled, map: Homography, errors: Float64Array): void {
  for (let k = 0; k < count; k++) {
    const w = map[6] * x[k] + map[7] * y[k] + map[8];
    const u = (map[0] * x[k] + map[1] * y[k] + map[2]) / w;
    const v = (map[3] * x[k] + map[4] * y[k] + map[5]) / w;
    const inside = u >= 1 && v >= 1 && u < query.width - 1 && v < query.height - 1;
    errors[k] = inside ? sampled(query, u, v) - value[k] : NaN;
  }
}

/** Bilinear, with the border pixel repeated. */
function sampled({ width, height, values }: Levelled, u: number, v: number): number {
  const x = Math.min(Math.max(u - 0.5, 0), width - 1);
  const y = Math.min(Math.max(v - 0.5, 0), height - 1);
  const x0 = Math.floor(x);
  const y0 = Math.floor(y);
  const right = x0 < width - 1 ? 1 : 0;
  const at = y0 * width + x0;
  const below = y0 < height - 1 ? at + width : at;
  const [fx, fy] = [x - x0, y - y0];
  const upper = values[at] + fx * (values[at + right] - values[at]);
  const lower = values[below] + fx * (values[below + right] - values[below]);
  return upper + fy * (lower - upper);
}

/** Tukey's biweight, at the scale of the median; false where too few samples are inside. */
function weigh(errors: Float64Array, weights: Float64Array): boolean {
  const sizes = errors.filter((error) => error === error).map(Math.abs);
  if (sizes.length < 100) return false;
  const reach = 4.685 * 1.4826 * Math.max(median(sizes), 0.02);
  for (let k = 0; k < errors.length; k++) {
    const off = errors[k] / reach;
    const rest = 1 - off * off;
    weights[k] = rest > 0 ? rest * rest : 0;
  }
  return true;
}

function solveStep({ count, slopes }: Samples, errors: Float64Array, weights: Float64Array): Float64Array | undefined {
  const normal = new Float64Array(64);
  const right = new Float64Array(8);
  for (let k = 0; k < count; k++) {
    const weight = weights[k];
    if (weight === 0) continue;
    for (let a = 0; a < 8; a++) {
      const slope = weight * slopes[8 * k + a];
      for (let b = a; b < 8; b++) normal[8 * a + b] += slope * slopes[8 * k + b];
      right[a] += slope * errors[k];
    }
  }
  for (let a = 0; a < 8; a++) {
    for (let b = 0; b < a; b++) normal[8 * a + b] = normal[8 * b + a];
    normal[9 * a] *= 1.0001;
  }
  return solve(normal, right, 8);
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
