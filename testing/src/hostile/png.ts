import { deflateSync } from 'node:zlib';

interface Header {
  readonly width: number;
  readonly height: number;
  /** Bits a sample. */
  readonly depth: number;
  /** 0 grey, 2 RGB, 3 palette, 6 RGBA. */
  readonly colour: number;
  readonly interlaced?: boolean;
}

const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 6: 4 };

/** A black PNG of any size (W3C, third edition); `more` are chunks that come before the pixels. */
export function blackPng(header: Header, more: readonly Buffer[] = []): Buffer {
  const { width, height, depth, colour, interlaced = false } = header;
  const start = Buffer.alloc(13);
  start.writeUInt32BE(width, 0);
  start.writeUInt32BE(height, 4);
  start.set([depth, colour, 0, 0, interlaced ? 1 : 0], 8);
  const passes = interlaced ? adam7 : [[0, 0, 1, 1]];
  const bytes = passes.reduce((sum, [x, y, across, down]) => {
    const [columns, rows] = [Math.ceil((width - x!) / across!), Math.ceil((height - y!) / down!)];
    return columns > 0 ? sum + rows * (1 + Math.ceil((columns * depth * channels[colour]!) / 8)) : sum;
  }, 0);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', start),
    ...more,
    chunk('IDAT', deflatedZeros(bytes)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** First column and row of each pass, and its steps. */
const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
];

export function chunk(type: string, data: Uint8Array): Buffer {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}

const MOST_AT_ONCE = 400_000_000;

export function deflatedZeros(bytes: number): Buffer {
  if (bytes > MOST_AT_ONCE) throw new RangeError(`expected at most ${MOST_AT_ONCE} bytes, got ${bytes}`);
  return deflateSync(Buffer.alloc(bytes), { level: 6 });
}

/** ISO 3309, as PNG has it; Node's own is not in all versions. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1;
  }
  return ~crc >>> 0;
}
