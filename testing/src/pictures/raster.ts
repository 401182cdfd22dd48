import type { Picture } from '@sosia/engine';
import sharp, { type Sharp } from 'sharp';

/** Pixels between two steps: three bytes a pixel, row-major. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly rgb: Buffer;
}

export async function rasterOf(image: Sharp): Promise<Raster> {
  const upright = image.autoOrient().flatten({ background: '#fff' }).toColourspace('srgb').removeAlpha();
  const { data, info } = await upright.raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: data };
}

export function sharpOf({ width, height, rgb }: Raster): Sharp {
  return sharp(rgb, { raw: { width, height, channels: 3 } });
}

/** The pixels as the engine takes them. */
export function pictureOf(raster: Omit<Picture, 'originalWidth' | 'originalHeight'>): Picture {
  return { ...raster, originalWidth: raster.width, originalHeight: raster.height };
}

/** The picture at another size; `fill`, so that the sides are exactly these. */
export function resized(picture: Raster, width: number, height: number): Promise<Raster> {
  const size = { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) };
  return rasterOf(sharpOf(picture).resize({ ...size, fit: 'fill' }));
}

/** Every channel of every pixel through one curve; results are rounded and cut to a byte. */
export function toned(picture: Raster, curve: (value: number) => number): Raster {
  const table = Uint8ClampedArray.from({ length: 256 }, (_, value) => curve(value));
  return { ...picture, rgb: picture.rgb.map((value) => table[value]!) as Buffer };
}

/** Every pixel as its luma (Rec. 601), still three bytes. */
export function greyed({ width, height, rgb }: Raster): Raster {
  const grey = Buffer.alloc(rgb.length);
  for (let at = 0; at < rgb.length; at += 3)
    grey.fill(Math.round(0.299 * rgb[at]! + 0.587 * rgb[at + 1]! + 0.114 * rgb[at + 2]!), at, at + 3);
  return { width, height, rgb: grey };
}
