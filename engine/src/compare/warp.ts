import { cornersOf, type Size } from '../geometry/frame.ts';
import { type Homography, project } from '../geometry/homography.ts';
import type { Workspace } from '../kernels/workspace.ts';
import { smallest } from '../pixels/neighbourhood.ts';
import type { Planes } from '../pixels/planes.ts';

/** Width of a picture's rim that is mixed with what lies beside it, in pixels. */
const RIM_PIXELS = 3;

/** A picture warped onto another one's pixels. */
export interface Warped extends Planes {
  /** 1 where it covers the pixel. */
  readonly inside: Uint8Array;
  /** 1 where it does and no rim is near; where rim lies on rim, it counts as well. */
  readonly compared: Float32Array;
  readonly covered: number;
}

/**
 * Lays the query onto the reference's grid; bilinear, so both should be about equally fine.
 * @param map  from pixels of the grid to pixels of the query's planes
 */
export function warpOnto(width: number, height: number, query: Planes, map: Homography, workspace: Workspace): Warped {
  const mark = workspace.mark();
  const pixels = query.width * query.height;
  const planes = workspace.take(12 * pixels);
  query.channels.forEach((values, c) => workspace.floats(planes + 4 * pixels * c, pixels).set(values));
  const numbers = workspace.put(new Uint8Array(Float64Array.from(map).buffer));
  const [out, insideBytes] = [workspace.take(12 * width * height), workspace.take(width * height)];
  const covered = workspace.kernels.warp(planes, query.width, query.height, numbers, width, height, out, insideBytes);
  const [luma, blue, red] = [0, 1, 2].map((c) =>
    workspace.floats(out + 4 * width * height * c, width * height).slice(),
  );
  const inside = workspace.bytes(insideBytes, width * height).slice();
  workspace.release(mark);
  const compared = new Float32Array(inside);
  const warped = { width, height, channels: [luma, blue, red] as const, inside, covered };
  if (covered === width * height && framedAlike(warped, query, map)) return { ...warped, compared };
  if (!framedAlike(warped, query, map)) clearFrame(compared, warped);
  return { ...warped, compared: smallest(compared, width, height, RIM_PIXELS) };
}

/** The same where the pixels with a label are not covered. */
export function without(warped: Warped, { labels }: { readonly labels: Uint8Array }): Warped {
  const inside = warped.inside.map((value, i) => (labels[i] ? 0 : value));
  const compared = warped.compared.map((value, i) => (labels[i] ? 0 : value));
  return { ...warped, inside, compared, covered: inside.reduce((sum, value) => sum + value, 0) };
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
