import { basename } from 'node:path';
import sharp from 'sharp';
import type { Attack } from './attack.ts';
import type { Homography } from './homography.ts';
import { oneOf, randomFor } from './random.ts';
import { rasterOf, sharpOf } from './raster.ts';

/** A changed picture as a client would send it. */
export interface AttackedFile {
  readonly bytes: Buffer;
  /** Fractions of the original's width and height to fractions of the file's. */
  readonly truth: Homography;
}

/** The same for the same picture, attack, hosts and seed. A picture is never pasted into itself. */
export async function attackedFile(
  path: string,
  attack: Attack,
  hosts: readonly string[],
  seed: number,
): Promise<AttackedFile> {
  const random = randomFor(basename(path), attack.name, seed);
  const others = hosts.filter((host) => host !== path);
  const [original, host] = await Promise.all([rasterOf(sharp(path)), rasterOf(sharp(oneOf(random, others)))]);
  const { picture, truth } = await attack.apply(original, { random, host });
  return { bytes: await attack.encode(sharpOf(picture)).toBuffer(), truth };
}
