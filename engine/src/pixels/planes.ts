import type { Size } from '../geometry/frame.ts';
import type { Workspace } from '../kernels/workspace.ts';
import type { Picture } from './picture.ts';

/** A picture taken apart: luma and the two colour differences of Rec. 601, each a plane of floats, row-major. */
export interface Planes extends Size {
  /** [luma 0 to 255, blue difference, red difference, both about -128 to 128] */
  readonly channels: readonly [Float32Array, Float32Array, Float32Array];
}

/** The planes of a picture at another size. */
export function planesOf(picture: Picture, width: number, height: number, workspace: Workspace): Planes {
  const size = { width, height };
  const pixels = picture.width * picture.height;
  const mark = workspace.mark();
  const out = workspace.take(12 * pixels);
  const rgb = workspace.put(picture.rgb);
  workspace.kernels.channels(rgb, pixels, out);
  workspace.release(rgb);
  const [luma, blue, red] = [0, 1, 2].map((c) => resizedAt(out + 4 * pixels * c, picture, size, workspace));
  workspace.release(mark);
  return { ...size, channels: [luma, blue, red] };
}

export function lumaOf(picture: Picture, size: Size, workspace: Workspace): Float32Array {
  const pixels = picture.width * picture.height;
  const mark = workspace.mark();
  const out = workspace.take(4 * pixels);
  workspace.kernels.luma(workspace.put(picture.rgb), pixels, out);
  const luma = resizedAt(out, picture, size, workspace);
  workspace.release(mark);
  return luma;
}

/** A plane at another size, anti-aliased. */
export function resized(values: Float32Array, from: Size, to: Size, workspace: Workspace): Float32Array {
  const mark = workspace.mark();
  const result = resizedAt(workspace.put(values), from, to, workspace);
  workspace.release(mark);
  return result;
}

/**
 * A plane of the workspace at another size, anti-aliased.
 * @param source  where the plane lies in the workspace
 */
export function resizedAt(source: number, from: Size, to: Size, workspace: Workspace): Float32Array {
  if (from.width === to.width && from.height === to.height) {
    return workspace.floats(source, from.width * from.height).slice();
  }
  const mark = workspace.mark();
  const out = workspace.take(4 * to.width * to.height);
  resampleAt(source, from, out, to, workspace);
  const result = workspace.floats(out, to.width * to.height).slice();
  workspace.release(mark);
  return result;
}

/** Writes a plane of the workspace at another size, anti-aliased, to another place of it. */
export function resampleAt(source: number, from: Size, out: number, to: Size, workspace: Workspace): void {
  const mark = workspace.mark();
  const taps = 2 * Math.ceil(Math.max(from.width / to.width, from.height / to.height, 1)) + 1;
  const lines = to.width * from.height + 4 * (from.width + taps);
  const scratch = workspace.take(4 * (lines + Math.max(to.width, to.height) * (2 + taps)));
  workspace.kernels.resample(source, from.width, from.height, out, to.width, to.height, scratch);
  workspace.release(mark);
}
