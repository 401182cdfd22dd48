import type { Workspace } from '../../kernels/workspace.ts';
import type { Level } from './pyramid.ts';

/** Corners found at one level, in reading order; more than a picture of 800 pixels has. */
export const MAX_CORNERS = 30000;

/** Strong corners to choose from, for each one the core wants and for each one wanted in all; more would cost time and be weak. */
const CANDIDATES_PER_CORE_CORNER = 6;
const CANDIDATES_PER_CORNER = 3;

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
  const ranked = falling(column(everywhere, 2));
  const repeated = repeatedCorners(everywhere, ranked, core);
  const besides = new Set(repeated);
  const others = besides.size > 0 ? ranked.filter((i) => !besides.has(i)) : ranked;
  const strongest = others.subarray(0, most);
  const count = strongest.length;
  copyPoints(everywhere, strongest, workspace.floats(points, 3 * count));

  kernels.clearance(points, count, clearance);
  const clearances = workspace.floats(clearance, count);
  const first = falling(clearances.subarray(0, CANDIDATES_PER_CORE_CORNER * core)).subarray(0, core);
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

/** Numbers by falling value, equal ones in order. @param values  at most `MAX_CORNERS`, none negative */
function falling(values: Float32Array): Uint16Array {
  const count = values.length;
  const bits = new Uint32Array(values.buffer, values.byteOffset, count); // in the order of the values
  const keys = new Float64Array(count);
  for (let i = 0; i < count; i++) keys[i] = bits[i] * MAX_CORNERS - i;
  keys.sort();
  const order = new Uint16Array(count);
  for (let k = 0; k < count; k++) order[count - 1 - k] = Math.ceil(keys[k] / MAX_CORNERS) * MAX_CORNERS - keys[k];
  return order;
}

/**
 * The equal corners of a picture that repeats itself, nearest to their middle first; none of another picture.
 * @param ranked  numbers of all corners, strongest first
 */
function repeatedCorners(points: Float32Array, ranked: Uint16Array, core: number): Uint16Array {
  const response = (rank: number): number => points[3 * ranked[rank] + 2];
  const many = REPETITION_FACTOR * core;
  if (core === 0 || ranked.length < many) return new Uint16Array(0);
  const least = EQUAL_RESPONSE_SHARE * response(Math.ceil(STRONGEST_SHARE * core));
  if (response(many - 1) < least) return new Uint16Array(0);
  const equal = ranked.filter((i) => points[3 * i + 2] >= least);
  const [x, y] = [0, 1].map((k) => equal.reduce((sum, i) => sum + points[3 * i + k], 0) / equal.length);
  const aside = (i: number): number => {
    const [dx, dy] = [points[3 * i] - x, points[3 * i + 1] - y];
    return dx * dx + dy * dy;
  };
  return equal.sort((a, b) => aside(a) - aside(b) || a - b);
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
