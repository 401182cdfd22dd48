import { inverse, type Homography } from '@sosia/engine/geometry/homography';
import type { Raster } from './raster.ts';

/**
 * Lays `picture` over a copy of `ground` under a homography of pixel coordinates (picture to ground, pixel centres at
 * one half). Bilinear; the picture should be about as large as it will show, because nothing is averaged. Its rim
 * fades over one pixel.
 */
export function warpOnto(ground: Raster, picture: Raster, homography: Homography): Raster {
  const rgb = Buffer.from(ground.rgb);
  const [a, b, c, d, e, f, g, h, i] = inverse(homography)!;
  for (let y = 0; y < ground.height; y++) {
    for (let x = 0; x < ground.width; x++) {
      const [px, py] = [x + 0.5, y + 0.5];
      const w = g! * px + h! * py + i!;
      const u = (a! * px + b! * py + c!) / w;
      const v = (d! * px + e! * py + f!) / w;
      const cover = Math.min(u, v, picture.width - u, picture.height - v, 1);
      if (cover > 0) blend(rgb, (y * ground.width + x) * 3, picture, u, v, cover);
    }
  }
  return { ...ground, rgb };
}

function blend(rgb: Buffer, at: number, picture: Raster, u: number, v: number, cover: number): void {
  const left = Math.floor(u - 0.5);
  const top = Math.floor(v - 0.5);
  const [fx, fy] = [u - 0.5 - left, v - 0.5 - top];
  const [x0, x1] = [Math.max(left, 0), Math.min(left + 1, picture.width - 1)];
  const [y0, y1] = [Math.max(top, 0), Math.min(top + 1, picture.height - 1)];
  for (let channel = 0; channel < 3; channel++) {
    const value = (x: number, y: number) => picture.rgb[(y * picture.width + x) * 3 + channel]!;
    const upper = value(x0, y0) * (1 - fx) + value(x1, y0) * fx;
    const lower = value(x0, y1) * (1 - fx) + value(x1, y1) * fx;
    const shown = upper * (1 - fy) + lower * fy;
    rgb[at + channel] = Math.round(rgb[at + channel]! * (1 - cover) + shown * cover);
  }
}
