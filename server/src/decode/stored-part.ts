import type { Picture, StoredPart } from '@sosia/engine';
import sharp, { type Region, type Sharp } from 'sharp';
import { FileBytes } from './formats/file-bytes.ts';
import { formatOf } from './formats/formats.ts';
import { jpeg, lumaSteps } from './formats/jpeg.ts';

/** Pixels of the part at most; some thousand blocks of JPEG. */
const PART = { width: 512, height: 384 };

/**
 * A part of a picture as it is stored: not reduced, not turned. Decoding ends below it, so it is from the upper half.
 * @param bytes    of a picture that was decoded before
 * @param decoded  the result; the part is taken from it where it is neither reduced nor turned
 * @returns undefined where libvips does not decode the format itself
 */
export async function storedPartOf(bytes: Uint8Array, decoded: Picture): Promise<StoredPart | undefined> {
  const file = new FileBytes(bytes);
  const format = formatOf(file);
  if (format.source || format.byLibheif) return undefined;
  const picture = sharp(bytes, { pages: 1, sequentialRead: true });
  const { width, height, orientation = 1 } = await picture.metadata();
  const size = { width: Math.min(PART.width, width), height: Math.min(PART.height, height) };
  const top = Math.min(inBlocks(height / 8), inBlocks(height - size.height));
  const place = { left: inBlocks((width - size.width) / 2), top, ...size };
  const asStored = orientation === 1 && decoded.width === width && decoded.height === height;
  const rgb = asStored ? cut(decoded, place) : await decodedPart(picture, place);
  const steps = format === jpeg ? lumaSteps(file) : null;
  return { ...size, rgb, whole: { width, height }, steps };
}

function cut({ width, rgb }: Picture, { left, top, ...size }: Region): Uint8Array {
  const part = new Uint8Array(3 * size.width * size.height);
  for (let y = 0; y < size.height; y++) {
    const from = 3 * ((top + y) * width + left);
    part.set(rgb.subarray(from, from + 3 * size.width), 3 * size.width * y);
  }
  return part;
}

function decodedPart(picture: Sharp, place: Region): Promise<Uint8Array> {
  return picture
    .extract(place)
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer();
}

function inBlocks(pixels: number): number {
  return 8 * Math.floor(pixels / 8);
}
