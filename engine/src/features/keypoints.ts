import type { Workspace } from '../kernels/workspace.ts';
import type { Level } from './pyramid.ts';

/** Corners considered at one level, strongest first; more would cost time and be weak. */
const MOST = 2000;
const ROOM = 20000;

/** Distance of a corner from the border of its level, in pixels. */
const MARGIN = 5;

/** Below this smaller eigenvalue a corner is noise, in squared grey levels per two pixels. */
const FAINTEST = 3;

/** Corners of one level in the order in which they spread over the picture. */
export interface Corners {
  /** Number of corners. */
  readonly count: number;
  /** count × (x, y, response) in pixels of the level, in the workspace. */
  readonly points: number;
}

/**
 * The corners of a level, best spread first: any first part of the list covers the picture evenly.
 * @param plane  the level's plane, smoothed
 */
export function corners(level: Level, plane: number, workspace: Workspace): Corners {
  const { kernels } = workspace;
  const { width, height } = level;
  const points = workspace.take(12 * MOST);
  const mark = workspace.mark();

  const response = workspace.take(4 * width * height);
  const found = workspace.take(12 * ROOM);
  kernels.corners(plane, width, height, response, workspace.take(16 * width * height));
  const count = kernels.peaks(response, width, height, MARGIN, FAINTEST, found, ROOM);
  const all = workspace.floats(found, 3 * count);
  const strongest = byFalling(count, (i) => all[3 * i + 2]).slice(0, MOST);
  copyPoints(all, strongest, workspace.floats(points, 3 * MOST));

  const clearance = workspace.take(4 * strongest.length);
  kernels.clearance(points, strongest.length, clearance);
  const room = workspace.floats(clearance, strongest.length);
  const spread = byFalling(strongest.length, (i) => room[i]);
  copyPoints(workspace.floats(points, 3 * strongest.length).slice(), spread, workspace.floats(points, 3 * MOST));

  workspace.release(mark);
  return { count: strongest.length, points };
}

/** Numbers 0 … n - 1 by falling value, equal values by number. */
function byFalling(n: number, value: (i: number) => number): number[] {
  return Array.from({ length: n }, (_, i) => i).sort((a, b) => value(b) - value(a) || a - b);
}

function copyPoints(from: Float32Array, order: readonly number[], to: Float32Array): void {
  order.forEach((index, place) => to.set(from.subarray(3 * index, 3 * index + 3), 3 * place));
}
