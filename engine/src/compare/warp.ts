import type { Homography } from '../verify/homography.ts';
import type { Planes } from './planes.ts';

/** A picture laid onto another one's pixels. */
export interface Laid extends Planes {
  /** 1 where it covers the pixel. */
  readonly inside: Uint8Array;
  readonly covered: number;
}

/**
 * Lays the query onto the reference's grid; bilinear, so both should be about equally fine.
 * @param map  from pixels of the grid to pixels of the query's planes
 */
export function laidOnto(width: number, height: number, query: Planes, map: Homography): Laid {
  const inside = new Uint8Array(width * height);
  const channels = [0, 1, 2].map(() => new Float32Array(width * height));
  const [luma, blue, red] = query.channels;
  let covered = 0;
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const [px, py] = [column + 0.5, row + 0.5];
      const w = map[6] * px + map[7] * py + map[8];
      const u = (map[0] * px + map[1] * py + map[2]) / w;
      const v = (map[3] * px + map[4] * py + map[5]) / w;
      if (!(w > 0 && u >= 0 && v >= 0 && u <= query.width && v <= query.height)) continue;
      const x = Math.min(Math.max(u - 0.5, 0), query.width - 1);
      const y = Math.min(Math.max(v - 0.5, 0), query.height - 1);
      const [x0, y0] = [Math.floor(x), Math.floor(y)];
      const at = y0 * query.width + x0;
      const right = x0 < query.width - 1 ? 1 : 0;
      const down = y0 < query.height - 1 ? query.width : 0;
      const [fx, fy] = [x - x0, y - y0];
      const upperLeft = (1 - fx) * (1 - fy);
      const upperRight = fx * (1 - fy);
      const lowerLeft = (1 - fx) * fy;
      const lowerRight = fx * fy;
      const i = row * width + column;
      inside[i] = 1;
      covered++;
      const mixed = (plane: Float32Array): number =>
        upperLeft * plane[at] +
        upperRight * plane[at + right] +
        lowerLeft * plane[at + down] +
        lowerRight * plane[at + right + down];
      channels[0][i] = mixed(luma);
      channels[1][i] = mixed(blue);
      channels[2][i] = mixed(red);
    }
  }
  return { width, height, channels: [channels[0], channels[1], channels[2]], inside, covered };
}
