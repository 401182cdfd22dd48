import { type Pixels, pictureNames, readPicture } from '@sosia/fixtures';
import type { Picture } from '../src/pixels/picture.ts';

/** The photographs of `fixtures/pictures`, read once. */
export const photographs: readonly Picture[] = pictureNames.map((name) => pictureOf(readPicture(name)));

/** Pixels as a decoder hands them over when it did not reduce them. */
export function pictureOf({ width, height, rgb }: Pixels): Picture {
  return { width, height, rgb, originalWidth: width, originalHeight: height };
}

/** A picture drawn pixel by pixel; values are rounded and cut to bytes. */
export function painted(width: number, height: number, colour: (x: number, y: number) => readonly number[]): Picture {
  const rgb = new Uint8ClampedArray(3 * width * height);
  for (let i = 0; i < width * height; i++) rgb.set(colour(i % width, Math.floor(i / width)), 3 * i);
  return pictureOf({ width, height, rgb: new Uint8Array(rgb.buffer) });
}

function pixel({ width, rgb }: Picture, x: number, y: number): readonly number[] {
  const at = 3 * (y * width + x);
  return [rgb[at], rgb[at + 1], rgb[at + 2]];
}

export function cropped(picture: Picture, left: number, top: number, width: number, height: number): Picture {
  return painted(width, height, (x, y) => pixel(picture, left + x, top + y));
}

/** Rotated clockwise by a right angle: what was left is on top. */
export function rotated(picture: Picture): Picture {
  return painted(picture.height, picture.width, (x, y) => pixel(picture, y, picture.height - 1 - x));
}

/** Left and right exchanged. */
export function mirrored(picture: Picture): Picture {
  return painted(picture.width, picture.height, (x, y) => pixel(picture, picture.width - 1 - x, y));
}

/** Half the size, each pixel the mean of four. */
export function halved(picture: Picture): Picture {
  return painted(picture.width >> 1, picture.height >> 1, (x, y) => {
    const four = [0, 1, 2, 3].map((k) => pixel(picture, 2 * x + (k & 1), 2 * y + (k >> 1)));
    return [0, 1, 2].map((channel) => four.reduce((sum, colour) => sum + colour[channel], 0) / 4);
  });
}

/** Twice the size, each pixel repeated. */
export function doubled(picture: Picture): Picture {
  return painted(2 * picture.width, 2 * picture.height, (x, y) => pixel(picture, x >> 1, y >> 1));
}

/** Taken while the camera moved along a line, so far in pixels. */
export function moved(picture: Picture, dx: number, dy: number): Picture {
  const steps = 4 * Math.ceil(Math.max(Math.abs(dx), Math.abs(dy)));
  const { width, height } = picture;
  const inside = (place: number, side: number): number => Math.min(side - 1, Math.max(0, Math.round(place)));
  return painted(width, height, (x, y) => {
    const sum = [0, 0, 0];
    for (let i = 0; i < steps; i++) {
      const share = (i + 0.5) / steps - 0.5;
      pixel(picture, inside(x + share * dx, width), inside(y + share * dy, height)).forEach((v, c) => (sum[c] += v));
    }
    return sum.map((v) => v / steps);
  });
}

/** Every channel times `contrast` plus `light`. */
export function toned(picture: Picture, contrast: number, light: number): Picture {
  return painted(picture.width, picture.height, (x, y) => pixel(picture, x, y).map((v) => contrast * v + light));
}

/** A picture pasted over another. */
export function pasted(ground: Picture, picture: Picture, left: number, top: number): Picture {
  return painted(ground.width, ground.height, (x, y) => {
    const inside = x >= left && y >= top && x < left + picture.width && y < top + picture.height;
    return inside ? pixel(picture, x - left, y - top) : pixel(ground, x, y);
  });
}

/** A seeded number in [0, 1) for each place. */
export function grain(x: number, y: number, seed: number): number {
  let hash = Math.imul(x + 1, 0x9e3779b1) ^ Math.imul(y + 1, 0x85ebca77) ^ Math.imul(seed + 1, 0xc2b2ae3d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) / 4294967296;
}

/** Blocks of random grey: a picture that is like no other, with corners everywhere. */
export function blocks(width: number, height: number, seed: number, side = 12): Picture {
  return painted(width, height, (x, y) => {
    const level = 255 * grain(Math.floor(x / side), Math.floor(y / side), seed);
    return [level, level, level];
  });
}
