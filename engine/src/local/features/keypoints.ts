import { joined } from '../../memory/joined.ts';
import type { Workspace } from '../../kernels/workspace.ts';
import type { Level } from './pyramid.ts';

/** Corners found at one level, in reading order; more than a picture of 800 pixels has. */
export const MAX_CORNERS = 30000;

/** Strong corners to choose from, for each one the core wants and for each one wanted in all; more would cost time and be weak. */
const CANDIDATES_PER_CORE_CORNER = 6;
const CANDIDATES_PER_CORNER = 3;

/** A point is x, y and response. */
const POINT_BYTES = 12;
const RESPONSE_OFFSET = 8;

/** Distance of a corner from the border of its level, in pixels. */
export const BORDER_MARGIN_PIXELS = 5;

/** Below this smaller eigenvalue a corner is noise, in squared grey levels per two pixels. */
const MIN_EIGENVALUE = 3;

/** A corner whose response is at least this share of that of the strongest is equal to them … */
const EQUAL_RESPONSE_SHARE = 0.8;
/** … a picture with so many equal corners, for each one the core wants, repeats itself … */
const REPETITION_FACTOR = 6;
/** … and this share of its features are the equal corners nearest to the middle of all of them. */
const CENTRAL_SHARE = 0.7;
/** The strongest corners are this share of what the core wants; a few may be stronger than what is repeated. */
const STRONGEST_SHARE = 0.125;

/** A level in which corners are looked for: planes of the workspace. */
export interface Detected extends Level {
  readonly smoothed: number;
  /** How much of a corner each pixel is. */
  readonly response: number;
}

export function detected(level: Level, workspace: Workspace): Detected {
  const { width, height } = level;
  const [smoothed, response] = [workspace.take(4 * width * height), workspace.take(4 * width * height)];
  const mark = workspace.mark();
  workspace.kernels.smooth(level.plane, width, height, smoothed, response);
  workspace.kernels.corners(smoothed, width, height, response, workspace.take(120 * (width + 8) + 12));
  workspace.release(mark);
  return { ...level, smoothed, response };
}

/** Corners of one level. */
export interface Corners {
  /** Number of corners. */
  readonly count: number;
  /** count × (x, y, response) in pixels of the level, in the workspace. */
  readonly points: number;
}

/**
 * The corners of a level: first those of the core, then more, each part best spread first, so that its beginning covers
 * the picture evenly. The core does not depend on how many more there are. A picture that repeats itself has too many equal
 * corners: a copy of it would keep other ones. So most are those around its middle.
 * @param core  how many corners the core wants
 * @param all   how many are wanted in all, at least those
 */
export function corners(
  { width, height, response }: Detected,
  core: number,
  all: number,
  workspace: Workspace,
): Corners {
  const { kernels } = workspace;
  const most = Math.max(CANDIDATES_PER_CORE_CORNER * core, CANDIDATES_PER_CORNER * all);
  const points = workspace.take(12 * most);
  const mark = workspace.mark();

  // all room first: memory that grows leaves older views behind
  const clearance = workspace.take(4 * most);
  const found = workspace.take(12 * MAX_CORNERS);
  const places = workspace.take(2 * MAX_CORNERS);
  const sorting = workspace.take(16 * MAX_CORNERS);
  const largest = (values: number, stride: number, n: number, wanted: number): Uint16Array =>
    workspace.halves(places, kernels.largest(values, stride, n, wanted, places, sorting)).slice();
  const total = kernels.peaks(response, width, height, BORDER_MARGIN_PIXELS, MIN_EIGENVALUE, found, MAX_CORNERS);
  const byResponse = (wanted: number): Uint16Array => largest(found + RESPONSE_OFFSET, POINT_BYTES, total, wanted);
  const everywhere = workspace.floats(found, 3 * total);
  const ranked = byResponse(most);
  const least = equalResponse(everywhere, ranked, core);
  const [repeated, strongest] =
    least === undefined ? [new Uint16Array(0), ranked] : apart(everywhere, byResponse(total), least, most);
  const count = strongest.length;
  copyPoints(everywhere, strongest, workspace.floats(points, 3 * count));

  kernels.clearance(points, count, clearance);
  const first = largest(clearance, 4, Math.min(count, CANDIDATES_PER_CORE_CORNER * core), core);
  const taken = new Uint8Array(count);
  for (const place of first) taken[place] = 1;
  const rest = largest(clearance, 4, count, all).filter((place) => taken[place] === 0);
  const order = joined([first, rest]).map((place) => strongest[place]);
  const chosen = mixed(repeated, order).subarray(0, all);
  copyPoints(everywhere, chosen, workspace.floats(points, 3 * chosen.length));

  workspace.release(mark);
  return { count: chosen.length, points };
}

/**
 * The response from which on corners are equal, of a picture that repeats itself.
 * @param ranked  corners, strongest first
 */
function equalResponse(points: Float32Array, ranked: Uint16Array, core: number): number | undefined {
  const many = REPETITION_FACTOR * core;
  const responseOf = (i: number): number => points[3 * i + 2];
  if (core === 0 || ranked.length < many) return undefined;
  const least = EQUAL_RESPONSE_SHARE * responseOf(ranked[Math.ceil(STRONGEST_SHARE * core)]);
  return responseOf(ranked[many - 1]) < least ? undefined : least;
}

/** The corners with at least a response, nearest to their middle first, and the strongest of the others. */
function apart(points: Float32Array, ranked: Uint16Array, least: number, most: number): [Uint16Array, Uint16Array] {
  const isEqual = (i: number): boolean => points[3 * i + 2] >= least;
  const equal = ranked.filter(isEqual);
  const [x, y] = [0, 1].map((k) => equal.reduce((sum, i) => sum + points[3 * i + k], 0) / equal.length);
  const aside = (i: number): number => {
    const [dx, dy] = [points[3 * i] - x, points[3 * i + 1] - y];
    return dx * dx + dy * dy;
  };
  const others = ranked.filter((i) => !isEqual(i)).subarray(0, most);
  return [equal.sort((a, b) => aside(a) - aside(b) || a - b), others];
}

/** Both lists in one, so many of the first that they are their share of any beginning. */
function mixed(repeated: Uint16Array, others: Uint16Array): Uint16Array {
  if (repeated.length === 0) return others;
  const all = new Uint16Array(repeated.length + others.length);
  for (let i = 0, j = 0; i + j < all.length;) {
    const next = j === others.length || (i < repeated.length && i < CENTRAL_SHARE * (i + j + 1));
    const place = i + j;
    all[place] = next ? repeated[i++] : others[j++];
  }
  return all;
}

/** Copies points of three floats in the given order. */
function copyPoints(from: Float32Array, order: ArrayLike<number>, to: Float32Array): void {
  for (let place = 0; place < order.length; place++) {
    for (let k = 0; k < 3; k++) to[3 * place + k] = from[3 * order[place] + k];
  }
}
