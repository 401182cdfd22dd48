import { cornersOf, type Size } from '../geometry/frame.ts';
import { type Homography, project } from '../geometry/homography.ts';
import type { Workspace } from '../kernels/workspace.ts';
import { smallest } from '../pixels/neighbourhood.ts';
import type { PlanesAt } from '../pixels/planes.ts';

/** Width of a picture's rim that is mixed with what lies beside it, in pixels. */
const RIM_PIXELS = 3;

/** A picture warped onto another one's pixels. */
export interface Warped extends PlanesAt {
  /** 1 where it covers the pixel. */
  readonly inside: Uint8Array;
  /** 1 where it does and no rim is near; where rim lies on rim, it counts as well. */
  readonly compared: Float32Array;
  readonly covered: number;
}

/**
 * Lays the query onto the reference's grid; bilinear, so both should be about equally fine. Takes the planes from the workspace.
 * @param map  from pixels of the grid to pixels of the query's planes
 */
export function warpOnto({ width, height }: Size, query: PlanesAt, map: Homography, workspace: Workspace): Warped {
  const pixels = width * height;
  const at = workspace.take(12 * pixels);
  const mark = workspace.mark();
  const [numbers, bytes] = [workspace.put(Float64Array.from(map)), workspace.take(pixels)];
  const covered = workspace.kernels.warp(query.at, query.width, query.height, numbers, width, height, at, bytes);
  const inside = workspace.bytes(bytes, pixels).slice();
  workspace.release(mark);
  const compared = new Float32Array(inside);
  const warped = { width, height, at, inside, covered };
  if (covered === pixels && framedAlike(warped, query, map)) return { ...warped, compared };
  if (!framedAlike(warped, query, map)) clearFrame(compared, warped);
  return { ...warped, compared: smallest(compared, width, height, RIM_PIXELS) };
}

/** The same where the pixels with a label are not covered. */
export function without(warped: Warped, { labels }: { readonly labels: Uint8Array }): Warped {
  const [inside, compared] = [warped.inside.slice(), warped.compared.slice()];
  let covered = 0;
  for (let i = 0; i < labels.length; i++) {
    if (labels[i]) inside[i] = compared[i] = 0;
    covered += inside[i];
  }
  return { ...warped, inside, compared, covered };
}

function framedAlike(grid: Size, query: Size, map: Homography): boolean {
  const there = cornersOf(query);
  return cornersOf(grid).every(([x, y], i) => {
    const [u, v] = project(map, x, y);
    return Math.max(Math.abs(u - there[i][0]), Math.abs(v - there[i][1])) < 1;
  });
}

function clearFrame(plane: Float32Array, { width, height }: Size): void {
  plane.fill(0, 0, width).fill(0, width * (height - 1));
  for (let y = 1; y < height; y++) plane.fill(0, y * width - 1, y * width + 1);
}
