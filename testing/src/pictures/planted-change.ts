import sharp, { type Matrix3x3 } from 'sharp';
import { drawing, lettersIn, line } from './lettering.ts';
import { between, oneOf, type Random } from './random.ts';
import { type Raster, rasterOf, sharpOf } from './raster.ts';

export interface Patch {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Two pictures that are the same but for one patch. */
export interface Planted {
  readonly reference: Raster;
  readonly query: Raster;
  readonly patch: Patch;
}

/** A patch that changes by less than this many grey levels on the average is no change anybody sees; another is drawn. */
const SEEN = 12;

export const changes = ['replaced', 'removed', 'recoloured', 'text'] as const;
export type Change = (typeof changes)[number];

/** Changes a patch of 0.5 % to 3 % of the area. @param other  where what replaces it comes from */
export async function planted(picture: Raster, change: Change, other: Raster, random: Random): Promise<Planted> {
  for (;;) {
    const patch = patchOf(picture, random);
    const pair = await plantings[change](picture, patch, other, random);
    if (meanChange(pair, patch) >= SEEN) return { ...pair, patch };
  }
}

type Pair = Pick<Planted, 'reference' | 'query'>;
type Planting = (picture: Raster, patch: Patch, other: Raster, random: Random) => Promise<Pair>;

const plantings: Readonly<Record<Change, Planting>> = {
  async replaced(reference, patch, other) {
    const piece = await sharpOf(other).resize(patch.width, patch.height, { fit: 'cover' }).png().toBuffer();
    return { reference, query: await over(reference, piece, patch) };
  },
  async removed(reference, patch) {
    const around = sharpOf(reference).extract(patch).resize(2, 2, { fit: 'fill' });
    const fill = await sharp(await around.png().toBuffer())
      .resize(patch.width, patch.height, { fit: 'fill', kernel: 'linear' })
      .png()
      .toBuffer();
    return { reference, query: await over(reference, fill, patch) };
  },
  async recoloured(reference, patch, _, random) {
    const matrix = oneOf(random, [
      [
        [0, 0, 1],
        [1, 0, 0],
        [0, 1, 0],
      ],
      [
        [0, 1, 0],
        [0, 0, 1],
        [1, 0, 0],
      ],
    ] as const) as unknown as Matrix3x3;
    const piece = await sharpOf(reference).extract(patch).recomb(matrix).linear(1, 25).png().toBuffer();
    return { reference, query: await over(reference, piece, patch) };
  },
  async text(picture, patch, _, random) {
    const write = async (): Promise<Raster> => {
      const size = patch.height * 0.7;
      const words = line(random, lettersIn(patch.width, size), 0, patch.height * 0.15, size, '#111');
      const ground = `<rect width="100%" height="100%" fill="#eee"/>`;
      return over(picture, drawing(patch.width, patch.height, ground + words), patch);
    };
    return { reference: await write(), query: await write() };
  },
};

function over(picture: Raster, input: Buffer, { left, top }: Patch): Promise<Raster> {
  return sharpOf(picture)
    .composite([{ input, left, top }])
    .png()
    .toBuffer()
    .then((png) => rasterOf(sharp(png)));
}

/** Inside the part that every edit leaves. */
function patchOf({ width, height }: Raster, random: Random): Patch {
  const area = between(random, 0.005, 0.03) * width * height;
  const shape = between(random, 0.6, 1.7);
  const side = Math.round(Math.sqrt(area * shape));
  const patch = { width: side, height: Math.ceil(area / side) };
  const margin = Math.ceil(0.08 * Math.max(width, height));
  return {
    ...patch,
    left: Math.floor(between(random, margin, width - margin - patch.width)),
    top: Math.floor(between(random, margin, height - margin - patch.height)),
  };
}

function meanChange({ reference, query }: Pair, { left, top, width, height }: Patch): number {
  let sum = 0;
  for (let y = top; y < top + height; y++) {
    for (let at = 3 * (y * reference.width + left); at < 3 * (y * reference.width + left + width); at++) {
      sum += Math.abs(reference.rgb[at]! - query.rgb[at]!);
    }
  }
  return sum / (3 * width * height);
}
