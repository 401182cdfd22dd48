import { fail } from '../../errors.ts';
import type { Cost } from '../limits.ts';
import type { FileBytes } from './file-bytes.ts';
import type { PictureFormat } from './format.ts';

/** TIFF 6.0 and BigTIFF. The first page is read. */
export const tiff: PictureFormat = {
  name: 'TIFF',
  matches: (file) => ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'].some((magic) => file.has(magic)),
  cost(file) {
    const { value } = firstPage(file);
    const width = value(WIDTH, 0);
    const height = value(HEIGHT, 0);
    const bits = value(BITS, 1);
    const compression = value(COMPRESSION, 1);
    if (!compressions.includes(compression)) {
      throw fail('UNSUPPORTED_FORMAT', `expected a TIFF of a usual compression, got compression ${compression}`);
    }
    if (bits > 16) throw fail('UNSUPPORTED_FORMAT', `expected a TIFF of at most 16 bits a sample, got ${bits}`);

    const samples = value(SAMPLES, 1);
    if (samples > 4) throw fail('UNSUPPORTED_FORMAT', `expected a TIFF of at most 4 samples a pixel, got ${samples}`);
    checkVariant(value, bits, samples);

    const pixel = 4 * Math.ceil(bits / 8);
    const tile = value(TILE_WIDTH, 0) * value(TILE_HEIGHT, 0);
    return { width, height, memory: (width * height + tile) * pixel } satisfies Cost;
  },
  source(file) {
    const { nextPage, bytes } = firstPage(file);
    // libtiff walks through all pages to count them: one is enough
    const single = Uint8Array.from(file.bytes);
    return single.fill(0, nextPage, nextPage + bytes);
  },
};

/**
 * Refuses what libtiff can read but libvips cannot, and would call damaged.
 * @throws Failure UNSUPPORTED_FORMAT
 */
function checkVariant(value: (tag: number, otherwise: number) => number, bits: number, samples: number): void {
  const colours = value(COLOURS, 1);
  const name = colourSpaces[colours];
  if (!name) throw fail('UNSUPPORTED_FORMAT', `expected a TIFF of a usual colour space, got photometric ${colours}`);
  if (colours === CMYK && samples !== 4)
    throw fail('UNSUPPORTED_FORMAT', `expected a TIFF with four inks, got ${samples}`);
  const depths = colours === LAB ? [16] : samples === 1 && colours !== CMYK ? [1, 2, 4, 8, 16] : [8, 16];
  if (!depths.includes(bits))
    throw fail('UNSUPPORTED_FORMAT', `expected a ${name} TIFF of ${depths.join(', ')} bits a sample, got ${bits}`);
  if (value(PLANES, 1) === SEPARATE_PLANES && value(TILE_WIDTH, 0) > 0 && samples > 1)
    throw fail(
      'UNSUPPORTED_FORMAT',
      'expected a TIFF in strips or with interleaved samples, got tiles of separate planes',
    );
}

const WIDTH = 256;
const HEIGHT = 257;
const BITS = 258;
const COMPRESSION = 259;
const COLOURS = 262;
const SAMPLES = 277;
const PLANES = 284;
const TILE_WIDTH = 322;
const TILE_HEIGHT = 323;
const SEPARATE_PLANES = 2;
const CMYK = 5;
const LAB = 8;
const colourSpaces: Readonly<Record<number, string>> = {
  0: 'grey',
  1: 'grey',
  2: 'RGB',
  3: 'palette',
  [CMYK]: 'CMYK',
  6: 'YCbCr',
  [LAB]: 'Lab',
};
const compressions = [1, 2, 3, 4, 5, 7, 8, 32_773, 32_946]; // none, fax × 3, LZW, JPEG, Deflate, PackBits, old Deflate

/** The tags of the first page, and the place of the offset of the next page (`bytes` long). */
function firstPage(file: FileBytes) {
  const little = file.has('II');
  const big = file.u16(2, little) === 43;
  const offset = (at: number) => (big ? file.u64(at, little) : file.u32(at, little));

  const page = offset(big ? 8 : 4);
  const count = big ? file.u64(page, little) : file.u16(page, little);
  const first = page + (big ? 8 : 2);
  const entry = big ? 20 : 12;
  const nextPage = first + count * entry;
  const bytes = big ? 8 : 4;
  offset(nextPage); // so that all the entries lie inside the file

  /** The first number of a tag. Values that do not fit into the entry stand elsewhere. */
  const value = (tag: number, otherwise: number): number => {
    for (let at = first; at < nextPage; at += entry) {
      if (file.u16(at, little) !== tag) continue;
      const type = file.u16(at + 2, little);
      const size = sizes[type];
      if (!size) throw fail('DAMAGED_PICTURE', `expected a whole number for TIFF tag ${tag}, got type ${type}`);
      const inside = size * offset(at + 4) <= bytes;
      return read(file, inside ? at + 4 + bytes : offset(at + 4 + bytes), size, little);
    }
    return otherwise;
  };
  return { value, nextPage, bytes };
}

const sizes: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 16: 8 };

function read(file: FileBytes, at: number, size: number, little: boolean): number {
  if (size === 1) return file.u8(at);
  if (size === 2) return file.u16(at, little);
  return size === 4 ? file.u32(at, little) : file.u64(at, little);
}
