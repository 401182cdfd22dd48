import { frameSize } from '../../geometry/frame.ts';
import type { Picture } from '../../pixels/picture.ts';
import { leastFrame } from '../../dna/local.ts';
import { levelScale } from './pyramid.ts';

/** Least share of transparent pixels in a drawing. */
const MIN_TRANSPARENT_SHARE = 0.02;
/** Longest side of the finest level of a drawing, in pixels: a logo is seldom larger in its scene. */
const MAX_FINEST_SIDE_PIXELS = 330;

/**
 * A drawing without a background, on white or black, whichever differs more from the drawing.
 * @returns undefined for a picture with hardly any transparent pixel
 */
export function onGround(picture: Picture): Picture | undefined {
  const { alpha, rgb } = picture;
  if (!alpha) return undefined;
  const dark = rgb.map((value, i) => Math.max(0, value + alpha[Math.floor(i / 3)] - 255)); // on black
  const opaque = sumOf(alpha);
  if (opaque === 0 || opaque > (1 - MIN_TRANSPARENT_SHARE) * 255 * alpha.length) return undefined;
  const brightness = sumOf(dark) / (3 * opaque);
  return brightness < 0.5 ? picture : { ...picture, rgb: dark };
}

/** The level at which the features of a drawing begin. */
export function firstLevel({ originalWidth, originalHeight }: Picture): number {
  const { width, height } = frameSize(originalWidth, originalHeight, leastFrame('brand-drawing-reference'));
  let level = 0;
  while (Math.max(width, height) > MAX_FINEST_SIDE_PIXELS * levelScale(level)) level++;
  return level;
}

function sumOf(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum + byte, 0);
}
