import type { Size } from '../geometry/frame.ts';
import type { Workspace } from '../kernels/workspace.ts';
import type { Picture } from './picture.ts';

/** A picture taken apart: luma and the two colour differences of Rec. 601, each a plane of floats, row-major. */
export interface Planes extends Size {
  /** [luma 0 to 255, blue difference, red difference, both about -128 to 128] */
  readonly channels: readonly [Float32Array, Float32Array, Float32Array];
}

/** The same in a workspace: three planes of floats one after another. */
export interface PlanesAt extends Size {
  readonly at: number;
}

/** The planes of a picture at another size. */
export function planesOf(picture: Picture, width: number, height: number, workspace: Workspace): Planes {
  const mark = workspace.mark();
  const planes = channelsOf(planesAt(picture, { width, height }, workspace), workspace);
  const [luma, blue, red] = planes.map((values) => values.slice());
  workspace.release(mark);
  return { width, height, channels: [luma, blue, red] };
}

/** Takes the planes of a picture at another size from the workspace. */
export function planesAt(picture: Picture, size: Size, workspace: Workspace): PlanesAt {
  const pixels = picture.width * picture.height;
  const bytes = 4 * size.width * size.height;
  const at = workspace.take(3 * bytes);
  const mark = workspace.mark();
  const whole = workspace.take(12 * pixels);
  workspace.kernels.channels(workspace.put(picture.rgb), pixels, whole);
  for (const c of [0, 1, 2]) resampleAt(whole + 4 * pixels * c, picture, at + bytes * c, size, workspace);
  workspace.release(mark);
  return { width: size.width, height: size.height, at };
}

/** Views of planes, until the memory of their workspace grows. */
export function channelsOf({ width, height, at }: PlanesAt, workspace: Workspace): Planes['channels'] {
  const view = (c: number): Float32Array => workspace.floats(at + 4 * width * height * c, width * height);
  return [view(0), view(1), view(2)];
}

export function lumaOf(picture: Picture, size: Size, workspace: Workspace): Float32Array {
  const mark = workspace.mark();
  const luma = workspace.floats(lumaAt(picture, size, workspace), size.width * size.height).slice();
  workspace.release(mark);
  return luma;
}

/** Takes the luma of a picture at another size from the workspace. */
export function lumaAt(picture: Picture, size: Size, workspace: Workspace): number {
  const pixels = picture.width * picture.height;
  const at = workspace.take(4 * size.width * size.height);
  const mark = workspace.mark();
  const whole = workspace.take(4 * pixels);
  workspace.kernels.luma(workspace.put(picture.rgb), pixels, whole);
  resampleAt(whole, picture, at, size, workspace);
  workspace.release(mark);
  return at;
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
  const mark = workspace.mark();
  const out = workspace.take(4 * to.width * to.height);
  resampleAt(source, from, out, to, workspace);
  const result = workspace.floats(out, to.width * to.height).slice();
  workspace.release(mark);
  return result;
}

/** Writes a plane of the workspace at another size, anti-aliased, to another place of it. */
export function resampleAt(source: number, from: Size, out: number, to: Size, workspace: Workspace): void {
  const { width, height } = from;
  if (width === to.width && height === to.height) {
    workspace.floats(out, width * height).set(workspace.floats(source, width * height));
    return;
  }
  const mark = workspace.mark();
  const taps = 2 * Math.ceil(Math.max(width / to.width, height / to.height, 1)) + 1;
  const lines = to.width * height + 4 * (width + taps);
  const scratch = workspace.take(4 * (lines + Math.max(to.width, to.height) * (2 + taps)));
  workspace.kernels.resample(source, width, height, out, to.width, to.height, scratch);
  workspace.release(mark);
}
