import { fail } from '../../errors.ts';
import type { Cost } from '../limits.ts';
import type { FileBytes } from './file-bytes.ts';
import type { PictureFormat } from './format.ts';

/** ITU-T T.81, annex B. */
export const jpeg: PictureFormat = {
  name: 'JPEG',
  matches: (file) => file.has('\xff\xd8\xff'),
  cost(file) {
    const { start, marker } = findSegment(file, 2, isFrame);
    const precision = file.u8(start + 2);
    if (!(marker in processes) || precision !== 8) {
      const variant = processes[marker] ?? 'lossless or hierarchical';
      throw fail(
        'UNSUPPORTED_FORMAT',
        `expected an 8-bit baseline or progressive JPEG, got ${precision}-bit ${variant}`,
      );
    }
    const height = file.u16(start + 3);
    const width = file.u16(start + 5);
    const components = file.u8(start + 7);

    const scan = findSegment(file, start + file.u16(start), (found) => found === START_OF_SCAN);
    const inOneScan = processes[marker] === 'sequential' && file.u8(scan.start + 2) === components;
    // a picture in several scans is kept as coefficients of two bytes until the last scan
    const memory = inOneScan ? width * height * 3 : 2 * samples(file, start, width, height, components);
    return { width, height, memory } satisfies Cost;
  },
};

/** The 64 steps of the luma's quantisation in the order of the file; null where the file has none before its frame. */
export function lumaSteps(file: FileBytes): number[] | null {
  const { start: frame } = findSegment(file, 2, isFrame);
  let steps: number[] | null = null;
  for (let at = 2; ;) {
    const { start } = findSegment(file, at, (marker) => marker === QUANTISATION || isFrame(marker));
    if (start >= frame) return steps;
    const end = start + file.u16(start);
    for (let table = start + 2; table < end;) {
      const [bytes, number] = [file.u8(table) >> 4 ? 2 : 1, file.u8(table) & 15];
      const read = (i: number): number => (bytes === 2 ? file.u16(table + 1 + 2 * i) : file.u8(table + 1 + i));
      if (number === 0) steps = Array.from({ length: 64 }, (_, i) => Math.max(1, read(i)));
      table += 1 + 64 * bytes;
    }
    at = end;
  }
}

const processes: Readonly<Record<number, string>> = {
  0xc0: 'sequential',
  0xc1: 'sequential',
  0xc2: 'progressive',
  0xc9: 'sequential',
  0xca: 'progressive',
};

const QUANTISATION = 0xdb;
const START_OF_SCAN = 0xda;
const END = 0xd9;
const notFrames = [0xc4, 0xc8, 0xcc]; // tables of codes, reserved, arithmetic conditioning

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && !notFrames.includes(marker);
}

/** Where the next segment of a kind starts, at its length field. Bytes between segments are passed over, as libjpeg does. */
function findSegment(file: FileBytes, from: number, wanted: (marker: number) => boolean) {
  let at = from;
  for (;;) {
    while (file.u8(at) !== 0xff) at++;
    while (file.u8(at) === 0xff) at++;
    const marker = file.u8(at++);
    if (wanted(marker)) return { start: at, marker };
    if (marker === END || marker === START_OF_SCAN) throw fail('DAMAGED_PICTURE', 'a JPEG without a frame header');
    const standsAlone = marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    if (!standsAlone) at += Math.max(2, file.u16(at));
  }
}

/** Samples of all components, subsampling taken into account. */
function samples(file: FileBytes, start: number, width: number, height: number, components: number): number {
  const factors = Array.from({ length: components }, (_, i) => file.u8(start + 9 + 3 * i));
  const across = Math.max(1, ...factors.map((f) => f >> 4));
  const down = Math.max(1, ...factors.map((f) => f & 15));
  return factors.reduce((sum, f) => sum + (width * (f >> 4) * height * (f & 15)) / (across * down), 0);
}
