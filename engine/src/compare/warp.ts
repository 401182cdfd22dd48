import type { Workspace } from '../kernels/workspace.ts';
import type { Homography } from '../verify/homography.ts';
import type { Planes } from './planes.ts';

/** A picture laid onto another one's pixels. */
export interface Laid extends Planes {
  /** 1 where it covers the pixel. */
  readonly inside: Uint8Array;
  readonly covered: number;
}

/**
 * Lays the query onto the reference's grid; bilinear, so both should be about equally fine.
 * @param map  from pixels of the grid to pixels of the query's planes
 */
export function laidOnto(width: number, height: number, query: Planes, map: Homography, workspace: Workspace): Laid {
  const mark = workspace.mark();
  const pixels = query.width * query.height;
  const planes = workspace.take(12 * pixels);
  query.channels.forEach((values, c) => workspace.floats(planes + 4 * pixels * c, pixels).set(values));
  const numbers = workspace.put(new Uint8Array(Float64Array.from(map).buffer));
  const [out, inside] = [workspace.take(12 * width * height), workspace.take(width * height)];
  const covered = workspace.kernels.lay(planes, query.width, query.height, numbers, width, height, out, inside);
  const [luma, blue, red] = [0, 1, 2].map((c) =>
    workspace.floats(out + 4 * width * height * c, width * height).slice(),
  );
  const reached = workspace.bytes(inside, width * height).slice();
  workspace.release(mark);
  return { width, height, channels: [luma, blue, red], inside: reached, covered };
}
