import type { Raster } from '@sosia/testing/pictures/raster';

/** The share of the pixels in each of 8 x 8 x 8 cells of red, green and blue: a baseline. */
export function colourHistogram({ width, height, rgb }: Raster): Float32Array {
  const shares = new Float32Array(512);
  for (let at = 0; at < rgb.length; at += 3)
    shares[(rgb[at]! >> 5) * 64 + (rgb[at + 1]! >> 5) * 8 + (rgb[at + 2]! >> 5)]! += 1;
  return shares.map((count) => count / (width * height));
}
