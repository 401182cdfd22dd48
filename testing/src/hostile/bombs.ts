import sharp from 'sharp';
import { blackPng, chunk, deflatedZeros } from './png.ts';

/** What keeps a bomb from doing harm: the check of the header, the limit of memory, or the limit of time. `several` is for those that more than one guard would stop. */
export type Guard = 'header' | 'memory' | 'time' | 'several';

/** A small file that costs much, made so that one guard is needed against it. */
export interface Bomb {
  readonly name: string;
  readonly guard: Guard;
  readonly make: () => Buffer | Promise<Buffer>;
}

const flat = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#246' } });

/** Made on the spot: together they have 10 MB, and each is the same bytes every time. */
export const bombs: readonly Bomb[] = [
  { name: 'PNG, 256 million pixels of one bit', guard: 'header', make: () => png(16_000, 16_000, 1, 0) },
  { name: 'PNG, 56 million pixels', guard: 'header', make: () => png(8000, 7000, 8, 2) },
  { name: 'PNG, 60,000 pixels wide', guard: 'header', make: () => png(60_000, 800, 8, 3) },
  { name: 'PNG, 36 million pixels of 16 bits', guard: 'header', make: () => png(6000, 6000, 16, 2) },
  { name: 'PNG, 36 million pixels of 16 bits, interlaced', guard: 'header', make: () => png(6000, 6000, 16, 6, true) },
  { name: 'JPEG, 225 million pixels', guard: 'header', make: () => greyJpeg(15_000, 15_000) },
  { name: 'JPEG, 65,000 pixels wide', guard: 'header', make: () => greyJpeg(65_000, 1600) },
  { name: 'JPEG, 144 million pixels in two scans', guard: 'header', make: () => jpegOfScans(12_000, 12_000, 1) },
  { name: 'GIF of 36 million pixels', guard: 'header', make: () => gifOnScreen(6000, 6000) },
  { name: 'BMP of runs, 100 million pixels', guard: 'header', make: () => bmpOfRuns(10_000, 10_000) },
  { name: 'TIFF, 196 million pixels of one bit', guard: 'header', make: () => tiff(14_000, 14_000, 1, 1) },
  { name: 'TIFF, 36 million pixels of 16 bits', guard: 'header', make: () => tiff(6000, 6000, 16, 3) },
  { name: 'AVIF, 20 million pixels', guard: 'header', make: () => flat(4500, 4500).avif({ effort: 0 }).toBuffer() },
  { name: 'WebP, 36 million pixels, lossless', guard: 'header', make: () => lossless(6000, 6000) },

  ...[
    [16_000, 1990],
    [14_000, 2280],
    [12_000, 2660],
    [10_000, 3190],
    [8000, 3900],
  ].map(([width, height]) => ({
    name: `PNG, ${width} x ${height} of 16 bits with transparency, interlaced`,
    guard: 'memory' as const,
    make: () => png(width!, height!, 16, 6, true),
  })),

  { name: 'BMP of runs, 49 million pixels', guard: 'time', make: () => bmpOfRuns(7000, 7000) },
  ...[800, 819, 1000, 2000].map((scans, i) => ({
    name: `JPEG, ${scans} scans`,
    guard: 'time' as const,
    make: () => jpegOfScans(7000, 7000 - 100 * i, scans),
  })),

  { name: 'PNG, texts of 200 MB', guard: 'several', make: () => swollen('zTXt', 'Comment\0\0') },
  { name: 'PNG, international texts of 200 MB', guard: 'several', make: () => swollen('iTXt', 'Comment\0\x01\0\0\0') },
  { name: 'PNG, a profile of 200 MB', guard: 'several', make: () => swollen('iCCP', 'profile\0\0') },
  { name: 'GIF, 100,000 frames', guard: 'several', make: () => gifOnScreen(5000, 5000, 100_000) },
];

function png(width: number, height: number, depth: number, colour: number, interlaced = false): Buffer {
  return blackPng({ width, height, depth, colour, interlaced }, colour === 3 ? [chunk('PLTE', Buffer.alloc(3))] : []);
}

function swollen(type: string, start: string): Buffer {
  const text = chunk(type, Buffer.concat([Buffer.from(start, 'latin1'), deflatedZeros(200_000_000)]));
  return blackPng({ width: 64, height: 64, depth: 8, colour: 2 }, [text]);
}

/** The headers of a small grey JPEG, with its size changed, and as many blocks without detail as that size needs. */
async function greyJpeg(width: number, height: number): Promise<Buffer> {
  const small = await flat(8, 8).greyscale().jpeg({ optimiseCoding: false }).toBuffer();
  const frame = small.indexOf(Buffer.from([0xff, 0xc0]));
  small.writeUInt16BE(height, frame + 5);
  small.writeUInt16BE(width, frame + 7);
  const scan = small.indexOf(Buffer.from([0xff, 0xda]));
  const data = scan + 2 + small.readUInt16BE(scan + 2);
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  // no change of brightness (00), end of block (1010), in the tables of annex K: four blocks in three bytes
  const content = Buffer.alloc(Math.ceil(blocks / 4) * 3, Buffer.from([0x28, 0xa2, 0x8a]));
  return Buffer.concat([small.subarray(0, data), content, Buffer.from([0xff, 0xd9])]);
}

/**
 * A grey progressive JPEG (ITU-T T.81, annex G) of empty scans, each of one coefficient and one bit of it: some 70 bytes
 * that send a decoder through all blocks.
 */
function jpegOfScans(width: number, height: number, scans: number): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const frame = [8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0];
  const parts = [Buffer.from([0xff, 0xd8]), segment(0xdb, [0, ...Array<number>(64).fill(1)]), segment(0xc2, frame)];
  parts.push(huffmanTable(0x00, 0), huffmanTable(0x10, LONG_RUN));
  parts.push(segment(0xda, [1, 1, 0, 0, 0, 0]), Buffer.alloc(Math.ceil(blocks / 8)));
  const runs = Math.ceil(blocks / 2 ** 14);
  const empty = Buffer.alloc(Math.ceil((runs * 15) / 8)); // the code 0, then 14 bits of how many more blocks
  for (let scan = 0; scan < scans; scan++) {
    const coefficient = 1 + (scan % 63);
    const bit = FIRST_BIT - Math.floor(scan / 63);
    const before = bit === FIRST_BIT ? 0 : bit + 1;
    parts.push(segment(0xda, [1, 1, 0, coefficient, coefficient, (before << 4) | bit]), empty);
  }
  return Buffer.concat([...parts, Buffer.from([0xff, 0xd9])]);
}

/** The end of 2^14 blocks or more. */
const LONG_RUN = 0xe0;
const FIRST_BIT = 13;

function segment(marker: number, content: readonly number[]): Buffer {
  return Buffer.from([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255, ...content]);
}

/** One code, a single 0, for one symbol. */
function huffmanTable(place: number, symbol: number): Buffer {
  return segment(0xc4, [place, 1, ...Array<number>(15).fill(0), symbol]);
}

function lossless(width: number, height: number): Promise<Buffer> {
  return flat(width, height).webp({ lossless: true, effort: 0 }).toBuffer();
}

/** One frame of 8 x 8 pixels. */
const FRAME = Buffer.from([0x2c, 0, 0, 0, 0, 8, 0, 8, 0, 0, 2, 3, 0x84, 0x8f, 0x05, 0]);

function gifOnScreen(width: number, height: number, frames = 1): Buffer {
  const start = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  start.writeUInt16LE(width, 6);
  start.writeUInt16LE(height, 8);
  return Buffer.concat([start, ...Array<Buffer>(frames).fill(FRAME), Buffer.from([0x3b])]);
}

/** No pixel at all: the end comes at once. */
function bmpOfRuns(width: number, height: number): Buffer {
  const file = Buffer.alloc(54 + 1024 + 2);
  file.write('BM', 'latin1');
  file.writeUInt32LE(54 + 1024, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(8, 28);
  file.writeUInt32LE(1, 30);
  file.set([0, 1], 54 + 1024);
  return file;
}

/** One strip, compressed by Deflate. */
function tiff(width: number, height: number, bits: number, samples: number): Buffer {
  const data = deflatedZeros(Math.ceil((width * bits * samples) / 8) * height);
  const tags = [
    [256, width],
    [257, height],
    [258, bits],
    [259, 8],
    [262, samples === 1 ? 1 : 2],
    [273, 0],
    [277, samples],
    [278, height],
    [279, data.length],
  ] as const;
  const header = Buffer.alloc(8 + 2 + 12 * tags.length + 4);
  header.write('II*\0\x08\0\0\0', 'latin1');
  header.writeUInt16LE(tags.length, 8);
  tags.forEach(([tag, value], i) => {
    header.writeUInt16LE(tag, 10 + 12 * i);
    header.writeUInt16LE(4, 12 + 12 * i);
    header.writeUInt32LE(1, 14 + 12 * i);
    header.writeUInt32LE(tag === 273 ? header.length : value, 18 + 12 * i);
  });
  return Buffer.concat([header, data]);
}
