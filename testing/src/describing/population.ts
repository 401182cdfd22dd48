import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ApplicationType } from '@sosia/engine';
import { describeAll, type DescribeJob } from './describing.ts';
import { corpusPictures, photographs } from '../pictures/corpus.ts';

const FOLDERS = ['covers', 'photos_small', 'cats_dogs', 'logos', 'styles', 'clothing'];

/**
 * Reference DNAs of this many pictures, the 300 photographs of the quality benchmark first; null when the corpora are
 * absent. Describing takes minutes, so they are kept in the system's folder for temporary files until the engine changes.
 */
export async function population(type: ApplicationType, size: number, seed: number): Promise<Uint8Array[] | null> {
  const corpus = photographs(300, seed);
  if (!corpus) return null;
  const file = join(tmpdir(), `sosia-benchmark-${type}-${size}-${seed}-${engineDigest()}.dna`);
  if (existsSync(file)) return unpacked(readFileSync(file));

  console.error(`describing ${size} pictures, once ...`);
  const sources = [...corpus.references, ...FOLDERS.flatMap((folder) => corpusPictures(folder) ?? [])];
  const dnas: Uint8Array[] = [];
  for (let next = 0; dnas.length < size;) {
    const jobs = Array.from({ length: size - dnas.length }, (): DescribeJob => {
      const variation = Math.floor(next / sources.length);
      return { path: sources[next++ % sources.length]!, type, side: 'reference', variation };
    });
    for (const { dna } of await describeAll(jobs)) if (dna) dnas.push(dna);
  }
  writeFileSync(`${file}.new`, packed(dnas));
  renameSync(`${file}.new`, file);
  return dnas;
}

function packed(dnas: readonly Uint8Array[]): Buffer {
  const chunks = dnas.flatMap((dna) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(dna.length);
    return [length, dna];
  });
  return Buffer.concat(chunks);
}

function unpacked(bytes: Buffer): Uint8Array[] {
  const dnas: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 4 + bytes.readUInt32LE(at);
    dnas.push(new Uint8Array(bytes.subarray(at + 4, end)));
    at = end;
  }
  return dnas;
}

function engineDigest(): string {
  const folder = fileURLToPath(new URL('.', import.meta.resolve('@sosia/engine')));
  const hash = createHash('sha256');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort())
    if (/\.(js|wasm|bin)$/.test(name) && !name.endsWith('.test.js')) hash.update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 16);
}
