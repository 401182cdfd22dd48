import type { StoredPart } from '@sosia/engine';
import sharp from 'sharp';
import { FileBytes } from './formats/file-bytes.ts';
import { formatOf } from './formats/formats.ts';
import { jpeg, lumaSteps } from './formats/jpeg.ts';

/** Pixels of the part at most; some thousand blocks of JPEG. */
const PART = { width: 512, height: 384 };

/**
 * A part of a picture as it is stored: not reduced, not turned. Decoding ends below it, so it is from the upper half.
 * @param bytes  of a picture that was decoded before
 * @returns undefined where libvips does not decode the format itself
 */
export async function storedPartOf(bytes: Uint8Array): Promise<StoredPart | undefined> {
  const file = new FileBytes(bytes);
  const format = formatOf(file);
  if (format.source || format.byLibheif) return undefined;
  const picture = sharp(bytes, { pages: 1, sequentialRead: true });
  const { width, height } = await picture.metadata();
  const size = { width: Math.min(PART.width, width), height: Math.min(PART.height, height) };
  const top = Math.min(inBlocks(height / 8), inBlocks(height - size.height));
  const { data } = await picture
    .extract({ left: inBlocks((width - size.width) / 2), top, ...size })
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const steps = format === jpeg ? lumaSteps(file) : null;
  return { ...size, rgb: data, whole: { width, height }, steps };
}

function inBlocks(pixels: number): number {
  return 8 * Math.floor(pixels / 8);
}
