import { fail } from '../../errors.ts';
import type { Cost } from '../limits.ts';
import type { FileBytes } from './file-bytes.ts';
import type { PictureFormat } from './format.ts';

/** RFC 9649. Of an animation the first frame is read, on the canvas of the animation. */
export const webp: PictureFormat = {
  name: 'WebP',
  matches: (file) => file.has('RIFF') && file.has('WEBP', 8),
  cost(file) {
    const { canvas, picture } = findSizes(file);
    const width = Math.max(canvas?.width ?? 0, picture.width);
    const height = Math.max(canvas?.height ?? 0, picture.height);
    // lossless pictures, and frames on a canvas, are held twice
    const copies = picture.lossless || canvas?.animated ? 2 : 1;
    return { width, height, memory: width * height * 4 * copies } satisfies Cost;
  },
};

const FIRST_CHUNK_OFFSET = 12;

function findSizes(file: FileBytes) {
  let canvas: { width: number; height: number; animated: boolean } | undefined;
  let at = FIRST_CHUNK_OFFSET;
  for (;;) {
    const type = file.text(at, 4);
    const data = at + 8;
    if (type === 'VP8 ') return { canvas, picture: { ...lossySize(file, data), lossless: false } };
    if (type === 'VP8L') return { canvas, picture: { ...losslessSize(file, data), lossless: true } };
    if (type === 'VP8X') {
      const animated = (file.u8(data) & 2) !== 0;
      canvas = { width: 1 + u24(file, data + 4), height: 1 + u24(file, data + 7), animated };
    }
    // the first frame's own chunks stand inside its chunk, after 16 bytes about it
    at = type === 'ANMF' ? data + 16 : data + even(file.u32(at + 4, true));
  }
}

function lossySize(file: FileBytes, data: number) {
  if (!file.has('\x9d\x01\x2a', data + 3)) throw fail('DAMAGED_PICTURE', 'a WebP whose VP8 frame has no start code');
  return { width: file.u16(data + 6, true) & 0x3fff, height: file.u16(data + 8, true) & 0x3fff };
}

function losslessSize(file: FileBytes, data: number) {
  if (file.u8(data) !== 0x2f) throw fail('DAMAGED_PICTURE', 'a WebP whose VP8L data has no signature');
  const bits = file.u32(data + 1, true);
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >> 14) & 0x3fff) };
}

function u24(file: FileBytes, at: number): number {
  return file.u16(at, true) + 65_536 * file.u8(at + 2);
}

function even(length: number): number {
  return length + (length % 2);
}
