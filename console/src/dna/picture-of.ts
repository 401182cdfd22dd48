import type { Picture } from '@sosia/engine';

/**
 * A picture file to pixels, as the service does it: upright, sRGB, transparency laid on white, reduced to `longestSide`.
 * Browsers decode and reduce in ways of their own, so that the pixels may differ a little from the service's.
 */
export async function pictureOf(file: Blob, longestSide: number): Promise<Picture> {
  const whole = await createImageBitmap(file);
  const { width: originalWidth, height: originalHeight } = whole;
  const scale = Math.min(1, longestSide / Math.max(originalWidth, originalHeight));
  const [width, height] = [originalWidth, originalHeight].map((side) => Math.max(1, Math.round(side * scale))) as [
    number,
    number,
  ];
  const bitmap =
    scale === 1
      ? whole
      : await createImageBitmap(whole, { resizeWidth: width, resizeHeight: height, resizeQuality: 'high' });

  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true, colorSpace: 'srgb' })!;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  return { width, height, originalWidth, originalHeight, rgb: opaque(data) };
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
