import { Workspace } from '../kernels/workspace.ts';
import type { Picture } from '../pixels/picture.ts';
import { resampleAt } from '../pixels/planes.ts';
import { type Lab, oklab } from './oklab.ts';

/** Side of the square every picture is stretched to before its embedding is computed. */
export const EMBEDDING_GRID_SIDE = 64;

/** Side of the grid of pixels whose colours are counted. */
const SAMPLES_PER_SIDE = 96;

/** Neighbours up to so many pixels away are averaged, where the sum of the differences of their channels is at most SIGMA_MAX_DIFFERENCE. */
const SIGMA_RADIUS_PIXELS = 2;
const SIGMA_MAX_DIFFERENCE = 72;

/** Longest side of the picture that colours are picked from: whatever the size, the same colours. */
const REDUCED_SIDE_PIXELS = 256;

/**
 * Red, green and blue of pixels spread evenly, each the mean of those around it that are nearly alike (the sigma filter of
 * J.-S. Lee, CVGIP 24, 1983): noise goes, and between red and white there is no pink.
 */
export function sampled(picture: Picture): Uint8Array {
  const { width, height, rgb } = reduced(picture);
  const pixels = new Uint8Array(3 * SAMPLES_PER_SIDE * SAMPLES_PER_SIDE);
  for (let i = 0; i < SAMPLES_PER_SIDE * SAMPLES_PER_SIDE; i++) {
    const x = Math.floor((((i % SAMPLES_PER_SIDE) + 0.5) * width) / SAMPLES_PER_SIDE);
    const y = Math.floor(((Math.floor(i / SAMPLES_PER_SIDE) + 0.5) * height) / SAMPLES_PER_SIDE);
    const at = 3 * (y * width + x);
    let [red, green, blue, count] = [0, 0, 0, 0];
    for (let v = Math.max(0, y - SIGMA_RADIUS_PIXELS); v <= Math.min(height - 1, y + SIGMA_RADIUS_PIXELS); v++) {
      for (let u = Math.max(0, x - SIGMA_RADIUS_PIXELS); u <= Math.min(width - 1, x + SIGMA_RADIUS_PIXELS); u++) {
        const near = 3 * (v * width + u);
        const [r, g, b] = [rgb[near], rgb[near + 1], rgb[near + 2]];
        if (Math.abs(r - rgb[at]) + Math.abs(g - rgb[at + 1]) + Math.abs(b - rgb[at + 2]) > SIGMA_MAX_DIFFERENCE)
          continue;
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

function reduced(picture: Picture): Pick<Picture, 'width' | 'height' | 'rgb'> {
  const scale = REDUCED_SIDE_PIXELS / Math.max(picture.width, picture.height);
  if (scale >= 1) return picture;
  const [width, height] = [picture.width, picture.height].map((side) => Math.max(1, Math.round(scale * side)));
  const planes = resampled(picture, width, height);
  return { width, height, rgb: Uint8Array.from({ length: 3 * width * height }, (_, i) => planes[i % 3][(i / 3) | 0]) };
}

/** The picture stretched to EMBEDDING_GRID_SIDE x EMBEDDING_GRID_SIDE, in OKLab. */
export function stretched(picture: Picture): Lab[] {
  const [red, green, blue] = resampled(picture, EMBEDDING_GRID_SIDE, EMBEDDING_GRID_SIDE);
  return Array.from(red, (value, i) => oklab(value, green[i], blue[i]));
}

let workspace: Workspace | undefined;

/** Red, green and blue at another size, rounded to bytes. */
function resampled({ width, height, rgb }: Picture, toWidth: number, toHeight: number): Uint8Array[] {
  workspace ??= new Workspace();
  const mark = workspace.mark();
  const from = workspace.take(4 * width * height);
  const to = workspace.take(4 * toWidth * toHeight);
  const size = { width: toWidth, height: toHeight };
  const planes = [0, 1, 2].map((channel) => {
    const plane = workspace!.floats(from, width * height);
    for (let i = 0; i < plane.length; i++) plane[i] = rgb[3 * i + channel];
    resampleAt(from, { width, height }, to, size, workspace!);
    return Uint8Array.from(workspace!.floats(to, toWidth * toHeight), Math.round);
  });
  workspace.release(mark);
  return planes;
}
