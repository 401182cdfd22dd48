import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { randomFor, shuffled } from './random.ts';

export const corporaFolder = fileURLToPath(new URL('../../../../shared/corpora/', import.meta.url));

/** Photographs to measure on: some are stored, the others must not be found. Names in order, full paths. */
export interface Corpus {
  readonly references: readonly string[];
  readonly negatives: readonly string[];
}

/** The pictures of one folder of the corpora in the order of their names; null when the folder is absent. */
export function corpusPictures(folder: string): string[] | null {
  try {
    const names = readdirSync(join(corporaFolder, folder), { recursive: true, encoding: 'utf8' });
    const pictures = names.filter((name) => /\.(jpe?g|png|webp)$/i.test(name)).sort();
    return pictures.map((name) => join(corporaFolder, folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** A JSON file of the corpora. */
export function corpusTable(name: string): unknown {
  return JSON.parse(readFileSync(join(corporaFolder, name), 'utf8'));
}

/** Splits a folder by chance, the same way for the same seed: so many references, and 100 negatives from the rest. */
export function photographs(references: number, seed: number, folder = 'photos'): Corpus | null {
  const pictures = corpusPictures(folder);
  if (!pictures) return null;
  const order = shuffled(randomFor('split', seed), pictures);
  const negatives = order.slice(-100).sort();
  return { references: order.slice(0, Math.min(references, order.length - 100)).sort(), negatives };
}
