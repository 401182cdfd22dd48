import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { corporaFolder } from '@sosia/testing/pictures/corpus';
import { type Raster, rasterOf } from '@sosia/testing/pictures/raster';

/** Two pictures of which somebody said whether they differ. */
export interface Pair {
  readonly a: string;
  readonly b: string;
  readonly kind: 'changed' | 'same' | 'imperceptible';
}

/** Labels that do not hold when one looks at the pictures, with what they should be; docs/measured.md tells why. */
export const disputed: Readonly<Record<string, Pair['kind']>> = {
  'odiff/extreme-alpha-1.png': 'same',
  'odiff/donkey.webp': 'changed',
  'pixelmatch/5b.png': 'imperceptible',
};

/** The service compares pictures up to this long side. */
const SIDE = 2048;

export function toldPairs(): Pair[] | null {
  try {
    return JSON.parse(readFileSync(join(corporaFolder, 'differences', 'pairs.json'), 'utf8')) as Pair[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The two as they are, or both through JPEG 70 with the second one 10 % smaller. */
export function opened({ a, b }: Pair, worse: boolean): Promise<[Raster, Raster]> {
  return Promise.all([open(a, worse, 1), open(b, worse, 0.9)]);
}

async function open(name: string, worse: boolean, scale: number): Promise<Raster> {
  const file = join(corporaFolder, 'differences', name);
  const flat = sharp(file).flatten({ background: '#fff' });
  if (!worse) return bounded(await flat.png().toBuffer());
  const { width, height } = await sharp(file).metadata();
  const size = { width: Math.max(8, Math.round(width * scale)), height: Math.max(8, Math.round(height * scale)) };
  return bounded(
    await flat
      .resize({ ...size, fit: 'fill' })
      .jpeg({ quality: 70 })
      .toBuffer(),
  );
}

function bounded(file: Buffer): Promise<Raster> {
  return rasterOf(sharp(file).resize(SIDE, SIDE, { fit: 'inside', withoutEnlargement: true }));
}
