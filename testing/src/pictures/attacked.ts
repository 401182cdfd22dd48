import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Homography } from '@sosia/engine/geometry/homography';
import sharp from 'sharp';
import type { Attack } from './attack.ts';
import { attacks } from './attacks.ts';
import type { Corpus } from './corpus.ts';
import { oneOf, randomFor } from './random.ts';
import { rasterOf, sharpOf } from './raster.ts';

/** A changed picture as a client would send it. */
export interface AttackedFile {
  readonly path: string;
  /** Fractions of the original's width and height to fractions of the file's. */
  readonly truth: Homography;
  readonly width: number;
  readonly height: number;
}

/**
 * The same for the same picture, attack, hosts and seed. A picture is never pasted into itself. Kept in the system's
 * folder for temporary files, so that a second run need not make it again.
 */
export async function attackedFile(
  path: string,
  attack: Attack,
  hosts: readonly string[],
  seed: number,
): Promise<AttackedFile> {
  const purpose = [basename(path), attack.name, seed] as const;
  const file = join(
    cacheFolder,
    createHash('sha256')
      .update(JSON.stringify([purpose, hosts]))
      .digest('hex'),
  );
  const kept = await readFile(`${file}.json`, 'utf8').catch(() => null);
  if (kept) return JSON.parse(kept) as AttackedFile;

  const random = randomFor(...purpose);
  const host = oneOf(
    random,
    hosts.filter((other) => other !== path),
  );
  const { picture, truth } = await attack.apply(await rasterOf(sharp(path)), {
    random,
    host: await rasterOf(sharp(host)),
  });
  const made = { path: `${file}.picture`, truth, width: picture.width, height: picture.height };
  await mkdir(cacheFolder, { recursive: true });
  await attack.encode(sharpOf(picture)).toFile(made.path);
  await writeFile(`${file}.new`, JSON.stringify(made));
  await rename(`${file}.new`, `${file}.json`);
  return made;
}

/** References by chance, each under an attack by chance. */
export async function attackedReferences(
  { references, negatives }: Corpus,
  count: number,
  seed: number,
): Promise<{ image: number; path: string }[]> {
  const random = randomFor('attacked references', seed);
  const files = [];
  for (let i = 0; i < count; i++) {
    const image = Math.floor(random() * references.length);
    const { path } = await attackedFile(references[image]!, oneOf(random, attacks), negatives, seed);
    files.push({ image, path });
  }
  return files;
}

/** Other code makes other pictures: the name of the folder holds a digest of this one. */
const cacheFolder = join(tmpdir(), `sosia-benchmark-attacks-${digestOf(import.meta.dirname)}`);

function digestOf(folder: string): string {
  const hash = createHash('sha256').update(JSON.stringify(sharp.versions));
  for (const name of readdirSync(folder).sort())
    if (/^((?:\w+-)?attack\w*|homography|lettering|random|raster|scenes|warp)\.js$/.test(name))
      hash.update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 16);
}
