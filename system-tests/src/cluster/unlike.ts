import { typeDefinitions } from '@sosia/engine';
import { decodePicture } from '@sosia/server/decode';
import type { Random } from '@sosia/testing/pictures/random';
import sharp from 'sharp';

/** Pixels of a side: some 200 features, fewer than a photograph has. */
const SIDE = 64;

/**
 * The reference DNA of a new picture of coloured noise. No two share more than real pictures do, so a search compares few of them. Pictures
 * with features of a few common ones would be compared by hundreds.
 */
export async function unlikeAllOthers(random: Random): Promise<Uint8Array> {
  const type = typeDefinitions['media-matching'];
  const png = await sharp(noise(random)).png().toBuffer();
  return type.describe(await decodePicture(png, type.workingSize, type.transparency), 'reference');
}

function noise(random: Random): Buffer {
  const seed = Math.floor(random() * 1e9);
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}">
    <filter id="noise" x="0" y="0" width="100%" height="100%">
      <feTurbulence baseFrequency="0.06" numOctaves="3" seed="${seed}"/>
      <feColorMatrix values="2 0 0 0 0  0 2 0 0 0  0 0 2 0 0  0 0 0 0 1"/>
    </filter>
    <rect width="${SIDE}" height="${SIDE}" filter="url(#noise)"/>
  </svg>`);
}
