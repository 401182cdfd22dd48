import { fail } from '../../errors.ts';
import type { FileBytes } from './file-bytes.ts';
import type { PictureFormat, Pixels } from './format.ts';

/**
 * Windows and OS/2 bitmaps, read here because libvips has no reader for them: 1, 2, 4, 8, 16, 24 and 32 bits a pixel,
 * run lengths of 4 and 8 bits, bit fields, rows from the bottom or from the top.
 */
export const bmp: PictureFormat = {
  name: 'BMP',
  matches: (file) => file.has('BM'),
  cost(file) {
    const { width, height } = readHeader(file);
    return { width, height, memory: width * height * 4 };
  },
  source(file) {
    const header = readHeader(file);
    if (header.bits > 8) return directColours(file, header);
    const indices = header.runs ? unpackRuns(file, header) : unpackBits(file, header);
    return paletteColours(file, header, indices);
  },
};

interface Header {
  readonly width: number;
  readonly height: number;
  readonly fromTop: boolean;
  readonly bits: number;
  readonly runs: boolean;
  /** Which bits of a pixel hold red, green, blue and alpha; 0 for none. Empty below 16 bits a pixel. */
  readonly masks: readonly number[];
  /** Where the palette starts, its entries and their size in bytes. */
  readonly palette: { start: number; entries: number; size: 3 | 4 };
  /** Where the pixels start. */
  readonly pixels: number;
}

const FILE_HEADER = 14;
const CORE_HEADER = 12;
const FIRST_WITH_MASKS = 52;
const FIRST_WITH_ALPHA = 56;
const BIT_FIELDS = 3;
const BIT_FIELDS_WITH_ALPHA = 6;

function readHeader(file: FileBytes): Header {
  const size = file.u32(FILE_HEADER, true);
  if (size !== CORE_HEADER && (size < 16 || size > 124)) {
    throw fail('DAMAGED_PICTURE', `expected a BMP header of 12 to 124 bytes, got ${size}`);
  }
  const core = size === CORE_HEADER;
  // OS/2 may leave out what follows the depth
  const field = (at: number) => (at + 4 <= FILE_HEADER + size ? file.u32(at, true) : 0);

  const width = core ? file.u16(18, true) : file.i32(18, true);
  const signedHeight = core ? file.u16(20, true) : file.i32(22, true);
  const bits = file.u16(core ? 24 : 28, true);
  const compression = field(30);
  if (width < 0) throw fail('DAMAGED_PICTURE', `expected a BMP of a positive width, got ${width}`);

  const fields = compression === BIT_FIELDS || compression === BIT_FIELDS_WITH_ALPHA;
  const runs = (compression === 1 && bits === 8) || (compression === 2 && bits === 4);
  const plain = compression === 0 && [1, 2, 4, 8, 16, 24, 32].includes(bits);
  if (!runs && !plain && !(fields && (bits === 16 || bits === 32))) {
    throw fail('UNSUPPORTED_FORMAT', `a BMP of ${bits} bits a pixel with compression ${compression}`);
  }

  const masksBehind = fields && size < FIRST_WITH_MASKS ? (compression === BIT_FIELDS ? 3 : 4) * 4 : 0;
  const start = FILE_HEADER + size + masksBehind;
  const pixels = file.u32(10, true);
  const entrySize = core ? 3 : 4;
  const room = Math.max(0, Math.floor((pixels - start) / entrySize));
  const entries = bits > 8 ? 0 : Math.min(field(46) || 2 ** bits, 2 ** bits, room);
  return {
    width,
    height: Math.abs(signedHeight),
    fromTop: signedHeight < 0,
    bits,
    runs,
    pixels,
    masks: fields ? readMasks(file, size, compression) : usualMasks(bits),
    palette: { start, entries, size: entrySize },
  };
}

function readMasks(file: FileBytes, size: number, compression: number): number[] {
  const hasAlpha = size >= FIRST_WITH_ALPHA || compression === BIT_FIELDS_WITH_ALPHA;
  const [red, green, blue] = [54, 58, 62].map((at) => file.u32(at, true));
  return [red!, green!, blue!, hasAlpha ? file.u32(66, true) : 0];
}

function usualMasks(bits: number): number[] {
  if (bits === 16) return [0x7c00, 0x03e0, 0x001f, 0];
  return [0xff0000, 0x00ff00, 0x0000ff, 0];
}

/** The file's row that is row `y` of the picture. */
function storedRow({ fromTop, height }: Header, y: number): number {
  return fromTop ? y : height - 1 - y;
}

/** Where a row starts in the file; rows are padded to four bytes. The whole row is there. */
function rowStart(file: FileBytes, header: Header, y: number): number {
  const stride = Math.ceil((header.width * header.bits) / 32) * 4;
  const start = header.pixels + storedRow(header, y) * stride;
  const used = Math.ceil((header.width * header.bits) / 8);
  if (start + used > file.length) {
    throw fail('DAMAGED_PICTURE', `the BMP ends at byte ${file.length}, expected pixels up to ${start + used}`);
  }
  return start;
}

function directColours(file: FileBytes, header: Header): Pixels {
  const { width, height, bits, masks } = header;
  rowStart(file, header, 0); // the first or the last row of the file, before anything is allocated
  rowStart(file, header, height - 1);

  const bytes = bits / 8;
  const channels = masks.map((mask) => {
    const shift = 31 - Math.clz32(mask & -mask);
    return { mask, shift, scale: mask === 0 ? 0 : 255 / (mask >>> shift) };
  });
  const rgba = new Uint8Array(width * height * 4);
  let to = 0;
  let blank = true;
  for (let y = 0; y < height; y++) {
    let from = rowStart(file, header, y);
    for (let x = 0; x < width; x++, from += bytes) {
      let pixel = 0;
      for (let i = bytes - 1; i >= 0; i--) pixel = (pixel << 8) | file.bytes[from + i]!;
      for (const { mask, shift, scale } of channels) rgba[to++] = ((pixel & mask) >>> shift) * scale + 0.5;
      if (rgba[to - 1] !== 0) blank = false;
    }
  }
  // without an alpha mask, or with nothing in it, the fourth channel means nothing
  if (blank) for (let i = 3; i < rgba.length; i += 4) rgba[i] = 255;
  return { width, height, rgba };
}

/** What `unpackRuns` leaves where a run skips pixels: transparent. */
const NO_PIXEL = 256;

function unpackBits(file: FileBytes, header: Header): Uint16Array {
  const { width, height, bits } = header;
  rowStart(file, header, 0);
  rowStart(file, header, height - 1);
  const indices = new Uint16Array(width * height);
  const perByte = 8 / bits;
  const mask = 2 ** bits - 1;
  for (let y = 0; y < height; y++) {
    const start = rowStart(file, header, y);
    for (let x = 0; x < width; x++) {
      const byte = file.bytes[start + Math.floor(x / perByte)]!;
      indices[y * width + x] = (byte >> (8 - bits * ((x % perByte) + 1))) & mask;
    }
  }
  return indices;
}

/** Runs of 8 bits (one index a run) and of 4 bits (two that alternate). What lies outside the picture is dropped. */
function unpackRuns(file: FileBytes, header: Header): Uint16Array {
  const { width, height, bits } = header;
  const indices = new Uint16Array(width * height).fill(NO_PIXEL);
  let [x, row, at] = [0, 0, header.pixels];
  const put = (index: number) => {
    if (x < width && row < height) indices[storedRow(header, row) * width + x] = index;
    x++;
  };
  const half = (byte: number, i: number) => (bits === 8 ? byte : i % 2 === 0 ? byte >> 4 : byte & 15);

  while (row < height) {
    const count = file.u8(at);
    const value = file.u8(at + 1);
    at += 2;
    if (count > 0) {
      for (let i = 0; i < count; i++) put(half(value, i));
    } else if (value === 0) {
      [x, row] = [0, row + 1];
    } else if (value === 1) {
      break;
    } else if (value === 2) {
      x += file.u8(at);
      row += file.u8(at + 1);
      at += 2;
    } else {
      for (let i = 0; i < value; i++) put(half(file.u8(at + Math.floor((i * bits) / 8)), i));
      at += 2 * Math.ceil((value * bits) / 16);
    }
  }
  return indices;
}

function paletteColours(file: FileBytes, { width, height, palette }: Header, indices: Uint16Array): Pixels {
  const colours = new Uint8Array(4 * (NO_PIXEL + 1)); // an index past the palette is black
  for (let i = 0; i < NO_PIXEL; i++) {
    const at = palette.start + i * palette.size;
    if (i < palette.entries) colours.set([file.u8(at + 2), file.u8(at + 1), file.u8(at)], 4 * i);
    colours[4 * i + 3] = 255;
  }
  const rgba = new Uint8Array(width * height * 4);
  for (let i = 0; i < indices.length; i++) {
    const colour = 4 * indices[i]!;
    rgba.set(colours.subarray(colour, colour + 4), 4 * i);
  }
  return { width, height, rgba };
}
