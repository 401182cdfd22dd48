import { join } from 'node:path';
import sharp from 'sharp';
import { corporaFolder, corpusTable } from '@sosia/testing/pictures/corpus';
import { type Raster, rasterOf } from '@sosia/testing/pictures/raster';

/** Two pictures, and whether they differ according to the project they come from. */
export interface Pair {
  readonly a: string;
  readonly b: string;
  readonly kind: 'changed' | 'same' | 'imperceptible';
}

/** Labels that are wrong, with the right ones; docs/experiments/2026-11-21-fine-comparison.md gives the reasons. */
export const corrected: Readonly<Record<string, Pair['kind']>> = {
  'odiff/extreme-alpha-1.png': 'same',
  'odiff/donkey.webp': 'changed',
  'pixelmatch/5b.png': 'imperceptible',
};

/** The service compares pictures up to this long side. */
const SIDE = 2048;

export function labelledPairs(): Pair[] {
  return corpusTable('differences/pairs.json') as Pair[];
}

/** @param worse  both as JPEG 70, and the second 10 % smaller */
export function opened({ a, b }: Pair, worse: boolean): Promise<[Raster, Raster]> {
  return Promise.all([open(a, worse, 1), open(b, worse, 0.9)]);
}

async function open(name: string, worse: boolean, scale: number): Promise<Raster> {
  const flat = sharp(join(corporaFolder, 'differences', name)).flatten({ background: '#fff' });
  const { width, height } = await flat.metadata();
  const size = { width: Math.max(8, Math.round(width * scale)), height: Math.max(8, Math.round(height * scale)) };
  const file = worse ? flat.resize({ ...size, fit: 'fill' }).jpeg({ quality: 70 }) : flat.png();
  return rasterOf(sharp(await file.toBuffer()).resize(SIDE, SIDE, { fit: 'inside', withoutEnlargement: true }));
}
