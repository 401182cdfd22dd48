import type { Workspace } from '../../kernels/workspace.ts';
import type { Level } from './pyramid.ts';

/** Corners found at one level, in reading order; more than a picture of 800 pixels has. */
export const MAX_CORNERS = 30000;

/** Strong corners to choose from, for each one the core wants and for each one wanted in all; more would cost time and be weak. */
const CANDIDATES_PER_CORE_CORNER = 6;
const CANDIDATES_PER_CORNER = 3;

/** Exponent and three bits of the fraction of a float are its class; values of low classes need no sorting. */
const CLASS_SHIFT = 20;

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
 * @param plane  the level's plane, smoothed
 * @param core   how many corners the core wants
 * @param all    how many are wanted in all
 */
export function corners(level: Level, plane: number, core: number, all: number, workspace: Workspace): Corners {
  const { kernels } = workspace;
  const { width, height } = level;
  const most = Math.max(CANDIDATES_PER_CORE_CORNER * core, CANDIDATES_PER_CORNER * all);
  const points = workspace.take(12 * most);
  const mark = workspace.mark();

  // all room first: memory that grows leaves older views behind
  const clearance = workspace.take(4 * most);
  const response = workspace.take(4 * width * height);
  const found = workspace.take(12 * MAX_CORNERS);
  const scratch = workspace.take(84 * (width + 8) + 12);
  kernels.corners(plane, width, height, response, scratch);
  const total = kernels.peaks(response, width, height, BORDER_MARGIN_PIXELS, MIN_EIGENVALUE, found, MAX_CORNERS);
  const everywhere = workspace.floats(found, 3 * total);
  const responses = column(everywhere, 2);
  const ranked = falling(responses, most);
  const least = equalResponse(responses, ranked, core);
  const [repeated, strongest] =
    least === undefined ? [new Uint16Array(0), ranked] : apart(everywhere, falling(responses), least, most);
  const count = strongest.length;
  copyPoints(everywhere, strongest, workspace.floats(points, 3 * count));

  kernels.clearance(points, count, clearance);
  const clearances = workspace.floats(clearance, count);
  const first = falling(clearances.subarray(0, CANDIDATES_PER_CORE_CORNER * core), core);
  const taken = new Uint8Array(count);
  for (const place of first) taken[place] = 1;
  const rest = falling(clearances).filter((place) => taken[place] === 0);
  const order = [...first, ...rest].map((place) => strongest[place]);
  const chosen = mixed(repeated, order).slice(0, most);
  copyPoints(everywhere, chosen, workspace.floats(points, 3 * chosen.length));

  workspace.release(mark);
  return { count: chosen.length, points };
}

/** One of the three numbers of each point. */
function column(points: Float32Array, k: number): Float32Array {
  const values = new Float32Array(points.length / 3);
  for (let i = 0; i < values.length; i++) values[i] = points[3 * i + k];
  return values;
}

/**
 * The places of the `most` largest values, largest first, equal ones in order.
 * @param values  at most `MAX_CORNERS`, none negative
 */
function falling(values: Float32Array, most = values.length): Uint16Array {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length); // in the order of the values
  const least = most < values.length ? leastClass(bits, most) : 0;
  const keys = new Float64Array(values.length);
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    if (bits[i] >>> CLASS_SHIFT >= least) keys[count++] = bits[i] * MAX_CORNERS - i;
  }
  const sorted = keys.subarray(0, count).sort();
  const order = new Uint16Array(Math.min(most, count));
  for (let place = 0; place < order.length; place++) {
    const key = sorted[count - 1 - place];
    order[place] = Math.ceil(key / MAX_CORNERS) * MAX_CORNERS - key;
  }
  return order;
}

/** The highest class above which, it included, lie at least `most` of the floats. */
function leastClass(bits: Uint32Array, most: number): number {
  const counts = new Uint16Array(1 << (32 - CLASS_SHIFT));
  for (const each of bits) counts[each >>> CLASS_SHIFT]++;
  let least = counts.length - 1;
  for (let above = counts[least]; above < most && least > 0;) above += counts[--least];
  return least;
}

/**
 * The response from which on corners are equal, of a picture that repeats itself.
 * @param ranked  corners, strongest first
 */
function equalResponse(responses: Float32Array, ranked: Uint16Array, core: number): number | undefined {
  const many = REPETITION_FACTOR * core;
  if (core === 0 || ranked.length < many) return undefined;
  const least = EQUAL_RESPONSE_SHARE * responses[ranked[Math.ceil(STRONGEST_SHARE * core)]];
  return responses[ranked[many - 1]] < least ? undefined : least;
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
function mixed(repeated: Uint16Array, others: readonly number[]): readonly number[] {
  if (repeated.length === 0) return others;
  const all: number[] = [];
  for (let i = 0, j = 0; i < repeated.length || j < others.length;) {
    if (j === others.length || (i < repeated.length && i < CENTRAL_SHARE * (i + j + 1))) all.push(repeated[i++]);
    else all.push(others[j++]);
  }
  return all;
}

/** Copies points of three floats in the given order. */
function copyPoints(from: Float32Array, order: ArrayLike<number>, to: Float32Array): void {
  for (let place = 0; place < order.length; place++) {
    for (let k = 0; k < 3; k++) to[3 * place + k] = from[3 * order[place] + k];
  }
}
