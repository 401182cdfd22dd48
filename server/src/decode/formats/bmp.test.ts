import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Failure } from '../../errors.ts';
import { bmp } from './bmp.ts';
import { FileBytes } from './file-bytes.ts';
import type { Pixels } from './format.ts';

const WIDTH = 9; // so that the rows of every depth need padding
const HEIGHT = 8;
const palette = Array.from({ length: 256 }, (_, i) => [i, 255 - i, (i * 7) & 255]);

for (const bits of [1, 2, 4, 8]) {
  for (const fromTop of [false, true]) {
    test(`${bits} bits a pixel, rows from the ${fromTop ? 'top' : 'bottom'}, are indices into the palette`, () => {
      const index = (x: number, y: number) => (x * 5 + y * 3) % 2 ** bits;
      const rows = rowsOf(bits, index);
      const file = bitmap({ bits, rows, fromTop, colours: palette.slice(0, 2 ** bits) });
      assert.deepEqual(
        pixelsOf(file),
        expected((x, y) => palette[index(x, y)]!),
      );
    });
  }
}

test('24 bits are blue, green, red', () => {
  const colour = (x: number, y: number) => [x * 20, y * 30, x + y];
  const rows = rowsOf(24, (x, y) => rgbValue(colour(x, y)));
  assert.deepEqual(pixelsOf(bitmap({ bits: 24, rows })), expected(colour));
});

test('32 bits without masks are opaque, whatever the fourth byte holds', () => {
  const colour = (x: number, y: number) => [x * 20, y * 30, x + y];
  const rows = rowsOf(32, (x, y) => 0x55_00_00_00 + rgbValue(colour(x, y)));
  assert.deepEqual(pixelsOf(bitmap({ bits: 32, rows })), expected(colour));
});

test('16 bits are five a channel, and the largest value is 255', () => {
  const rows = rowsOf(16, (x, y) => (x << 10) | (31 << 5) | y);
  const wide = (v: number) => Math.round((v * 255) / 31);
  assert.deepEqual(
    pixelsOf(bitmap({ bits: 16, rows })),
    expected((x, y) => [wide(x), 255, wide(y)]),
  );
});

test('bit fields say where the channels are', () => {
  const rows = rowsOf(16, (x, y) => (x << 11) | (63 << 5) | y);
  const masks = [0xf800, 0x07e0, 0x001f];
  const wide = (v: number) => Math.round((v * 255) / 31);
  assert.deepEqual(
    pixelsOf(bitmap({ bits: 16, rows, compression: 3, masks })),
    expected((x, y) => [wide(x), 255, wide(y)]),
  );
});

test('an alpha mask counts, unless nothing is opaque at all', () => {
  const masks = [0xff, 0xff00, 0xff0000, 0xff000000];
  const file = (alpha: (x: number) => number) =>
    pixelsOf(bitmap({ bits: 32, rows: rowsOf(32, (x) => alpha(x) * 2 ** 24 + 0x030201), compression: 6, masks }));
  assert.deepEqual(
    file((x) => x),
    expected((x) => [1, 2, 3, x]),
  );
  assert.deepEqual(
    file(() => 0),
    expected(() => [1, 2, 3, 255]),
  );
});

test('OS/2 bitmaps have a short header and three bytes a colour', () => {
  const rows = rowsOf(8, (x, y) => 16 * y + x);
  const header = Buffer.alloc(12);
  header.writeUInt32LE(12, 0);
  [WIDTH, HEIGHT, 1, 8].forEach((value, i) => header.writeUInt16LE(value, 4 + 2 * i));
  const colours = Buffer.from(palette.flatMap(([r, g, b]) => [b!, g!, r!]));
  assert.deepEqual(
    pixelsOf(withFileHeader(Buffer.concat([header, colours]), Buffer.from(rows.toReversed().flat()))),
    expected((x, y) => palette[16 * y + x]!),
  );
});

test('runs of 8 bits: repeated, literal, skipped, cut at the end of the row', () => {
  // one row of 9 five times, nine literals, a step over a row and 2 pixels, then a run that is too long, then the end
  const rows = [
    [9, 5, 0, 0],
    [0, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0],
    [0, 2, 2, 1, 200, 7, 0, 1],
  ];
  const rgba = pixelsOf(bitmap({ bits: 8, rows, compression: 1, colours: palette, asIs: true }));
  const row = (fromBottom: number) =>
    Array.from({ length: WIDTH }, (_, x) =>
      Array.from(rgba.subarray(((HEIGHT - 1 - fromBottom) * WIDTH + x) * 4).subarray(0, 4)),
    );
  assert.deepEqual(row(0), Array(9).fill([...palette[5]!, 255]));
  assert.deepEqual(
    row(1),
    Array.from({ length: 9 }, (_, i) => [...palette[i + 1]!, 255]),
  );
  assert.deepEqual(row(2), Array(9).fill([0, 0, 0, 0]));
  assert.deepEqual(row(3), [...Array(2).fill([0, 0, 0, 0]), ...Array(7).fill([...palette[7]!, 255])]);
  assert.deepEqual(row(4), Array(9).fill([0, 0, 0, 0]));
});

test('runs of 4 bits alternate between two colours', () => {
  const rows = [
    [9, 0x12, 0, 0],
    [0, 5, 0x34, 0x56, 0x70, 0, 4, 0x89, 0, 1],
  ];
  const rgba = pixelsOf(bitmap({ bits: 4, rows, compression: 2, colours: palette.slice(0, 16), asIs: true }));
  const reds = (fromBottom: number) =>
    Array.from({ length: WIDTH }, (_, x) => rgba[((HEIGHT - 1 - fromBottom) * WIDTH + x) * 4]!);
  assert.deepEqual(reds(0), [1, 2, 1, 2, 1, 2, 1, 2, 1]);
  assert.deepEqual(reds(1), [3, 4, 5, 6, 7, 8, 9, 8, 9]);
});

test('an index past the palette is black', () => {
  const file = bitmap({ bits: 8, rows: rowsOf(8, () => 7), colours: palette.slice(0, 4) });
  assert.deepEqual(
    pixelsOf(file),
    expected(() => [0, 0, 0]),
  );
});

test('any bytes behind any header are pixels or a clean failure', () => {
  const header = fc.record({
    bits: fc.constantFrom(1, 2, 4, 8, 16, 24, 32),
    compression: fc.constantFrom(0, 1, 2, 3, 6),
    masks: fc.array(fc.nat({ max: 2 ** 32 - 1 }), { minLength: 3, maxLength: 4 }),
    content: fc.uint8Array({ maxLength: 400, size: 'max' }),
  });
  let read = 0;
  fc.assert(
    fc.property(header, ({ content, ...rest }) => {
      try {
        const rgba = pixelsOf(bitmap({ ...rest, rows: [Array.from(content)], colours: palette, asIs: true }));
        assert.equal(rgba.length, WIDTH * HEIGHT * 4);
        read++;
      } catch (cause) {
        assert.ok(cause instanceof Failure, String(cause));
      }
    }),
    { numRuns: 2000 },
  );
  assert.ok(read > 100, `only ${read} of 2,000 could be read`);
});

interface Bitmap {
  readonly bits: number;
  /** The bytes of each row, from the top. */
  readonly rows: readonly (readonly number[])[];
  readonly fromTop?: boolean;
  readonly compression?: number;
  readonly masks?: readonly number[];
  readonly colours?: readonly (readonly number[])[];
  /** The rows are the file's own, in its order. */
  readonly asIs?: boolean;
}

function bitmap({
  bits,
  rows,
  fromTop = false,
  compression = 0,
  masks = [],
  colours = [],
  asIs = false,
}: Bitmap): Buffer {
  const header = Buffer.alloc(40 + 4 * masks.length + 4 * colours.length);
  header.writeUInt32LE(40, 0);
  header.writeInt32LE(WIDTH, 4);
  header.writeInt32LE(fromTop ? -HEIGHT : HEIGHT, 8);
  header.writeUInt16LE(bits, 14);
  header.writeUInt32LE(compression, 16);
  header.writeUInt32LE(colours.length, 32);
  masks.forEach((mask, i) => header.writeUInt32LE(mask, 40 + 4 * i));
  colours.forEach(([r, g, b], i) => header.set([b!, g!, r!], 40 + 4 * masks.length + 4 * i));
  const stored = fromTop || asIs ? rows : rows.toReversed();
  return withFileHeader(header, Buffer.from(stored.flat()));
}

function withFileHeader(header: Buffer, pixels: Buffer): Buffer {
  const start = Buffer.alloc(14);
  start.write('BM', 'latin1');
  start.writeUInt32LE(14 + header.length, 10);
  return Buffer.concat([start, header, pixels]);
}

/** Rows of `bits` a pixel, the first pixel in the highest bits of a byte, or in the lowest byte; padded to four bytes. */
function rowsOf(bits: number, value: (x: number, y: number) => number): number[][] {
  return Array.from({ length: HEIGHT }, (_, y) => {
    const row = new Array<number>(Math.ceil((WIDTH * bits) / 32) * 4).fill(0);
    for (let x = 0; x < WIDTH; x++) {
      const v = value(x, y);
      if (bits < 8) row[Math.floor((x * bits) / 8)]! |= v << (8 - bits - ((x * bits) % 8));
      else for (let i = 0; i < bits / 8; i++) row[(x * bits) / 8 + i] = Math.floor(v / 256 ** i) % 256;
    }
    return row;
  });
}

function rgbValue([red, green, blue]: readonly number[]): number {
  return red! * 65_536 + green! * 256 + blue!;
}

function expected(colour: (x: number, y: number) => readonly number[]): Uint8Array {
  const pixels = Array.from({ length: WIDTH * HEIGHT }, (_, i) => {
    const [r, g, b, a = 255] = colour(i % WIDTH, Math.floor(i / WIDTH));
    return [r!, g!, b!, a];
  });
  return Uint8Array.from(pixels.flat());
}

function pixelsOf(bytes: Uint8Array): Uint8Array {
  const { width, height, rgba } = bmp.source!(new FileBytes(bytes)) as Pixels;
  assert.deepEqual([width, height], [WIDTH, HEIGHT]);
  return rgba;
}
