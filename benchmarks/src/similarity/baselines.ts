import sharp from 'sharp';
import { rasterOf } from '@sosia/testing/pictures/raster';

/** A plain way to tell how like two pictures are, for comparison. */
export interface Baseline {
  readonly name: string;
  describe(path: string): Promise<Float32Array>;
  distance(a: Float32Array, b: Float32Array): number;
}

/** How many pixels fall in each of 8 x 8 x 8 cells of red, green and blue; the sum of the differences. */
const histogram: Baseline = {
  name: 'histogram of 8 x 8 x 8 colours',
  async describe(path) {
    const { rgb, width, height } = await rasterOf(sharp(path));
    const counts = new Float32Array(512);
    for (let i = 0; i < rgb.length; i += 3)
      counts[(rgb[i]! >> 5) * 64 + (rgb[i + 1]! >> 5) * 8 + (rgb[i + 2]! >> 5)]! += 1 / (width * height);
    return counts;
  },
  distance: (a, b) => a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0),
};

const SIDE = 9;

/** The means of 9 x 9 cells of the picture; the sum of the squared differences. */
const thumbnail: Baseline = {
  name: 'thumbnail of 9 x 9 pixels',
  async describe(path) {
    const { rgb, width, height } = await rasterOf(sharp(path));
    const sums = new Float32Array(3 * SIDE * SIDE);
    const counts = new Float32Array(SIDE * SIDE);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const cell = Math.floor((y * SIDE) / height) * SIDE + Math.floor((x * SIDE) / width);
        counts[cell]!++;
        for (let k = 0; k < 3; k++) sums[3 * cell + k]! += rgb[3 * (y * width + x) + k]!;
      }
    }
    return sums.map((sum, i) => sum / counts[Math.floor(i / 3)]!);
  },
  distance: (a, b) => a.reduce((sum, value, i) => sum + (value - b[i]!) * (value - b[i]!), 0),
};

export const baselines: readonly Baseline[] = [histogram, thumbnail];
