import { fail } from '../../errors.ts';
import type { FileBytes } from './file-bytes.ts';
import type { PictureFormat } from './format.ts';

/** GIF89a. Of an animation the first frame is read, on the logical screen; the rest of the file is not looked at. */
export const gif: PictureFormat = {
  name: 'GIF',
  matches: (file) => file.has('GIF87a') || file.has('GIF89a'),
  cost(file) {
    const frame = firstFrame(file);
    // a first frame that is larger than the screen enlarges it
    const width = Math.max(file.u16(6, true), file.u16(frame + 1, true) + file.u16(frame + 5, true));
    const height = Math.max(file.u16(8, true), file.u16(frame + 3, true) + file.u16(frame + 7, true));
    return { width, height, memory: width * height * 4 * 2 };
  },
  source(file) {
    const frame = firstFrame(file);
    const end = afterSubBlocks(file, frame + 10 + colourTable(file.u8(frame + 9)) + 1);
    return Buffer.concat([file.bytes.subarray(0, end), Uint8Array.of(TRAILER)]);
  },
};

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;

/** The place of the first image descriptor. */
function firstFrame(file: FileBytes): number {
  let at = 13 + colourTable(file.u8(10));
  while (file.u8(at) !== IMAGE) {
    if (file.u8(at) !== EXTENSION) {
      throw fail('DAMAGED_PICTURE', `expected a frame of the GIF at byte ${at}, got block ${file.u8(at)}`);
    }
    at = afterSubBlocks(file, at + 2);
  }
  return at;
}

function afterSubBlocks(file: FileBytes, from: number): number {
  let at = from;
  while (file.u8(at) !== 0) at += 1 + file.u8(at);
  return at + 1;
}

/** Bytes of the colour table that a flags byte announces. */
function colourTable(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}
