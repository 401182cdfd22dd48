import { Workspace } from '../kernels/workspace.ts';
import type { Picture } from '../pixels/picture.ts';
import { type Lab, oklab } from './oklab.ts';

/** Side of the square every picture is stretched to before its look is told. */
export const SIDE = 64;

/** Side of the grid of pixels whose colours are counted. */
const SAMPLES = 96;

/** Neighbours up to so many pixels away are averaged, where the sum of the differences of their channels is at most LIKE. */
const AROUND = 2;
const LIKE = 72;

/**
 * Red, green and blue of pixels spread evenly, each the mean of those around it that are nearly alike (the sigma filter of
 * J.-S. Lee, CVGIP 24, 1983): noise goes, and between red and white there is no pink.
 */
export function sampled({ width, height, rgb }: Picture): Uint8Array {
  const pixels = new Uint8Array(3 * SAMPLES * SAMPLES);
  for (let i = 0; i < SAMPLES * SAMPLES; i++) {
    const x = Math.floor((((i % SAMPLES) + 0.5) * width) / SAMPLES);
    const y = Math.floor(((Math.floor(i / SAMPLES) + 0.5) * height) / SAMPLES);
    const at = 3 * (y * width + x);
    let [red, green, blue, count] = [0, 0, 0, 0];
    for (let v = Math.max(0, y - AROUND); v <= Math.min(height - 1, y + AROUND); v++) {
      for (let u = Math.max(0, x - AROUND); u <= Math.min(width - 1, x + AROUND); u++) {
        const near = 3 * (v * width + u);
        const [r, g, b] = [rgb[near], rgb[near + 1], rgb[near + 2]];
        if (Math.abs(r - rgb[at]) + Math.abs(g - rgb[at + 1]) + Math.abs(b - rgb[at + 2]) > LIKE) continue;
        red += r;
        green += g;
        blue += b;
        count++;
      }
    }
    pixels[3 * i] = Math.round(red / count);
    pixels[3 * i + 1] = Math.round(green / count);
    pixels[3 * i + 2] = Math.round(blue / count);
  }
  return pixels;
}

let workspace: Workspace | undefined;

/** The picture stretched to SIDE x SIDE, in OKLab. */
export function stretched({ width, height, rgb }: Picture): Lab[] {
  workspace ??= new Workspace();
  const mark = workspace.mark();
  const taps = 2 * Math.ceil(Math.max(width / SIDE, height / SIDE, 1)) + 1;
  const planes = [0, 1, 2].map((channel) => {
    const plane = new Float32Array(width * height);
    for (let i = 0; i < plane.length; i++) plane[i] = rgb[3 * i + channel];
    return plane;
  });
  const from = workspace.take(4 * width * height);
  const to = workspace.take(4 * SIDE * SIDE);
  const scratch = workspace.take(4 * SIDE * height + 4 * SIDE * (2 + taps));
  const [red, green, blue] = planes.map((plane) => {
    workspace!.floats(from, plane.length).set(plane);
    workspace!.kernels.resample(from, width, height, to, SIDE, SIDE, scratch);
    return workspace!.floats(to, SIDE * SIDE).map(Math.round);
  });
  workspace.release(mark);
  return Array.from(red, (value, i) => oklab(value, green[i], blue[i]));
}
