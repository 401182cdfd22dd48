import type { Workspace } from '../../kernels/workspace.ts';
import type { Level } from './pyramid.ts';

/** Corners found at one level, in reading order; more than a picture of 800 pixels has. */
const ROOM = 30000;

/** Strong corners to choose from, for each one the core wants and for each one wanted in all; more would cost time and be weak. */
const CORE_CHOICE = 6;
const CHOICE = 3;

/** Distance of a corner from the border of its level, in pixels. */
const MARGIN = 5;

/** Below this smaller eigenvalue a corner is noise, in squared grey levels per two pixels. */
const FAINTEST = 3;

/** Corners of one level. */
export interface Corners {
  /** Number of corners. */
  readonly count: number;
  /** count × (x, y, response) in pixels of the level, in the workspace. */
  readonly points: number;
}

/**
 * The corners of a level: first those of the core, then more, each part best spread first, so that its beginning covers
 * the picture evenly. The core does not depend on how many more there are.
 * @param plane  the level's plane, smoothed
 * @param core   how many corners the core wants
 * @param all    how many are wanted in all
 */
export function corners(level: Level, plane: number, core: number, all: number, workspace: Workspace): Corners {
  const { kernels } = workspace;
  const { width, height } = level;
  const most = Math.max(CORE_CHOICE * core, CHOICE * all);
  const points = workspace.take(12 * most);
  const mark = workspace.mark();

  const response = workspace.take(4 * width * height);
  const found = workspace.take(12 * ROOM);
  kernels.corners(plane, width, height, response, workspace.take(84 * (width + 8) + 12));
  const total = kernels.peaks(response, width, height, MARGIN, FAINTEST, found, ROOM);
  const everywhere = workspace.floats(found, 3 * total);
  const strongest = strongestOf(everywhere, most);
  const count = strongest.length;
  copyPoints(everywhere, strongest, workspace.floats(points, 3 * count));

  const clearance = workspace.take(4 * count);
  kernels.clearance(points, count, clearance);
  const clearances = workspace.floats(clearance, count);
  const spread = (places: number[]): number[] => places.sort((a, b) => clearances[b] - clearances[a] || a - b);
  const places = Array.from(strongest.keys());
  const first = spread(places.slice(0, CORE_CHOICE * core)).slice(0, core);
  const taken = new Set(first);
  const order = [...first, ...spread(places.filter((place) => !taken.has(place)))];
  copyPoints(workspace.floats(points, 3 * count).slice(), order, workspace.floats(points, 3 * count));

  workspace.release(mark);
  return { count, points };
}

/** Numbers of the strongest points, strongest first, equal ones in reading order. */
function strongestOf(points: Float32Array, most: number): number[] {
  const responses = new Float32Array(points.length / 3);
  for (let i = 0; i < responses.length; i++) responses[i] = points[3 * i + 2];
  const least = responses.length > most ? responses.slice().sort()[responses.length - most] : 0;
  const chosen: number[] = [];
  for (let i = 0; i < responses.length; i++) if (responses[i] >= least) chosen.push(i);
  return chosen.sort((a, b) => responses[b] - responses[a] || a - b).slice(0, most);
}

/** Copies points of three floats in the given order. */
function copyPoints(from: Float32Array, order: readonly number[], to: Float32Array): void {
  for (let place = 0; place < order.length; place++) {
    for (let k = 0; k < 3; k++) to[3 * place + k] = from[3 * order[place] + k];
  }
}
