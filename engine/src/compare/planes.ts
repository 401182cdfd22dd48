import type { Workspace } from '../kernels/workspace.ts';
import type { Picture } from '../pixels/picture.ts';

/** A picture taken apart: luma and the two colour differences of Rec. 601, each a plane of floats, row-major. */
export interface Planes {
  readonly width: number;
  readonly height: number;
  /** [luma 0 to 255, blue difference, red difference, both about -128 to 128] */
  readonly channels: readonly [Float32Array, Float32Array, Float32Array];
}

/** The planes of a picture at another size. */
export function planesOf(picture: Picture, width: number, height: number, workspace: Workspace): Planes {
  const size = { width, height };
  const plane = (r: number, g: number, b: number): Float32Array =>
    resized(weighed(picture, r, g, b), picture, size, workspace);
  return {
    ...size,
    channels: [lumaOf(picture, size, workspace), plane(-0.169, -0.331, 0.5), plane(0.5, -0.419, -0.081)],
  };
}

export function lumaOf(picture: Picture, size: { width: number; height: number }, workspace: Workspace): Float32Array {
  return resized(weighed(picture, 0.299, 0.587, 0.114), picture, size, workspace);
}

/** A plane at another size, anti-aliased. */
export function resized(
  values: Float32Array,
  from: { width: number; height: number },
  to: { width: number; height: number },
  workspace: Workspace,
): Float32Array {
  if (from.width === to.width && from.height === to.height) return values;
  const mark = workspace.mark();
  const coarser = Math.max(from.width / to.width, from.height / to.height, 1);
  const taps = Math.max(to.width, to.height) * (8 + 4 * (2 * Math.ceil(coarser) + 1));
  const source = workspace.put(values);
  const out = workspace.take(4 * to.width * to.height);
  const scratch = workspace.take(4 * to.width * from.height + taps);
  workspace.kernels.resample(source, from.width, from.height, out, to.width, to.height, scratch);
  const result = workspace.floats(out, to.width * to.height).slice();
  workspace.release(mark);
  return result;
}

function weighed({ rgb }: Picture, r: number, g: number, b: number): Float32Array {
  const values = new Float32Array(rgb.length / 3);
  for (let i = 0, at = 0; i < values.length; i++, at += 3) {
    values[i] = r * rgb[at] + g * rgb[at + 1] + b * rgb[at + 2];
  }
  return values;
}
