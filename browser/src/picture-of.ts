import type { Picture } from '@sosia/engine';
import { reduce } from './reduce.ts';

/**
 * Decodes a picture file to pixels, as the service does: upright, sRGB, transparency composed on white, reduced to
 * `longestSide`. Browsers have their own decoders, so the pixels may differ slightly from the service's.
 */
export async function pictureOf(file: Blob, longestSide: number): Promise<Picture> {
  const bitmap = await createImageBitmap(file);
  const { width: originalWidth, height: originalHeight } = bitmap;
  const original = { originalWidth, originalHeight };
  const rows = (first: number, count: number): Uint8ClampedArray => {
    const canvas = new OffscreenCanvas(originalWidth, count);
    const context = canvas.getContext('2d', { willReadFrequently: true, colorSpace: 'srgb' })!;
    context.fillStyle = '#fff';
    context.fillRect(0, 0, originalWidth, count);
    context.drawImage(bitmap, 0, -first);
    return context.getImageData(0, 0, originalWidth, count).data;
  };
  if (Math.max(originalWidth, originalHeight) > longestSide) {
    return { ...reduce(originalWidth, originalHeight, rows, longestSide), ...original };
  }
  return { width: originalWidth, height: originalHeight, rgb: opaque(rows(0, originalHeight)), ...original };
}

/** Drops the fourth byte of each pixel. */
export function opaque(rgba: Uint8ClampedArray): Uint8Array {
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let from = 0, to = 0; from < rgba.length; from += 4) {
    rgb[to++] = rgba[from]!;
    rgb[to++] = rgba[from + 1]!;
    rgb[to++] = rgba[from + 2]!;
  }
  return rgb;
}
