import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { Failure, type ErrorName } from '../../errors.ts';
import { checkCost } from '../limits.ts';
import { FileBytes } from './file-bytes.ts';
import { formatOf } from './formats.ts';

const canvas = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background: '#456' } });

test('the size is read from the header, whatever the format', async () => {
  const files: Record<string, Buffer> = {
    JPEG: await canvas(301, 203).jpeg().toBuffer(),
    PNG: await canvas(301, 203).png().toBuffer(),
    GIF: await canvas(301, 203).gif().toBuffer(),
    TIFF: await canvas(301, 203).tiff({ compression: 'lzw' }).toBuffer(),
    AVIF: await canvas(301, 203).avif().toBuffer(),
  };
  for (const [name, bytes] of Object.entries(files)) {
    const { format, cost } = read(bytes);
    assert.deepEqual([format, cost.width, cost.height], [name, 301, 203]);
  }
});

test('the size of all three kinds of WebP is read', async () => {
  const lossy = await canvas(301, 203).webp().toBuffer();
  const lossless = await canvas(301, 203).webp({ lossless: true }).toBuffer();
  const extended = await canvas(301, 203).webp().withMetadata({ orientation: 3 }).toBuffer();
  assert.deepEqual(
    [lossy, lossless, extended].map((file) => file.toString('latin1', 12, 16)),
    ['VP8 ', 'VP8L', 'VP8X'],
  );
  for (const file of [lossy, lossless, extended]) assert.deepEqual(sizeOf(file), [301, 203]);
});

test('a progressive JPEG costs its coefficients, two bytes a sample', async () => {
  const baseline = read(await canvas(320, 200).jpeg().toBuffer()).cost;
  const progressive = read(await canvas(320, 200).jpeg({ progressive: true }).toBuffer()).cost;
  const full = read(await canvas(320, 200).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer()).cost;
  assert.equal(baseline.memory, 320 * 200 * 3);
  assert.equal(progressive.memory, 320 * 200 * 1.5 * 2);
  assert.equal(full.memory, 320 * 200 * 3 * 2);
});

test('a small file that declares a large picture is refused by its header', async () => {
  const liars: Record<string, Buffer> = {
    'JPEG of 65,500 x 65,500': jpegDeclaring(65_500, 65_500),
    'JPEG of 9,000 x 9,000': jpegDeclaring(9000, 9000),
    'PNG of 2^31 - 1': pngDeclaring(2 ** 31 - 1, 2 ** 31 - 1, 8),
    'PNG of 30,000 x 1,000': pngDeclaring(30_000, 1000, 8),
    'PNG of 7,000 x 7,000, 16 bits': pngDeclaring(7000, 7000, 16),
    'GIF of 65,535 x 65,535': gifDeclaring(65_535, 65_535, 1, 1),
    'GIF whose frame enlarges its screen': gifDeclaring(10, 10, 60_000, 60_000),
    'WebP of 16,384 x 8': webpDeclaring(16_384, 8),
    'WebP of 8 x 16,384': webpDeclaring(8, 16_384),
    'BMP of 2^31 - 1': bmpDeclaring(2 ** 31 - 1, 2 ** 31 - 1),
    'BMP of 20,000 x 20,000 from the top': bmpDeclaring(20_000, -20_000),
    'TIFF of 2^32 - 1': tiffDeclaring([256, 2 ** 32 - 1], [257, 2 ** 32 - 1]),
    'TIFF of one huge tile': tiffDeclaring([256, 100], [257, 100], [322, 16_000], [323, 16_000]),
    'AVIF of 2,001 x 2,001': heifDeclaring('avif', 2001, 2001),
    'HEIC of 4,000 x 4,000': heifDeclaring('heic', 4000, 4000),
  };
  for (const [name, bytes] of Object.entries(liars)) {
    assert.ok(bytes.length < 1000, name);
    assert.equal(refusalOf(bytes), 'PICTURE_TOO_LARGE', name);
  }
});

test('the largest pictures allowed are allowed', () => {
  for (const file of [
    jpegDeclaring(10_000, 5000),
    jpegDeclaring(16_383, 8),
    pngDeclaring(8000, 6250, 8),
    tiffDeclaring([256, 8000], [257, 6250]),
    heifDeclaring('avif', 2000, 2000),
    heifDeclaring('heic', 4032, 3024),
  ]) {
    assert.equal(refusalOf(file), undefined);
  }
});

test('the type judges how small a picture may be; a side of no pixel is damage', () => {
  assert.equal(refusalOf(pngDeclaring(1, 1, 8)), undefined);
  assert.equal(refusalOf(pngDeclaring(0, 8, 8)), 'DAMAGED_PICTURE');
  assert.equal(refusalOf(gifDeclaring(0, 0, 0, 0)), 'DAMAGED_PICTURE');
});

test('unsupported variants are distinguished from damage', () => {
  assert.equal(refusalOf(jpegDeclaring(100, 100, 0xc3)), 'UNSUPPORTED_FORMAT'); // lossless
  assert.equal(refusalOf(jpegDeclaring(100, 100, 0xc0, 12)), 'UNSUPPORTED_FORMAT');
  assert.equal(refusalOf(tiffDeclaring([256, 100], [257, 100], [259, 6])), 'UNSUPPORTED_FORMAT'); // old JPEG
  assert.equal(refusalOf(tiffDeclaring([256, 100], [257, 100], [258, 64])), 'UNSUPPORTED_FORMAT');
  assert.equal(refusalOf(tiffDeclaring([256, 100], [257, 100], [277, 5])), 'UNSUPPORTED_FORMAT');
});

test('a HEIF box that is shorter than its own header is damage, not a loop without end', () => {
  const file = heifDeclaring('avif', 100, 100);
  const box = file.indexOf('meta') - 4;
  file.writeUInt32BE(1, box); // the length follows in 64 bits
  file.write('free', box + 4);
  file.writeBigUInt64BE(0n, box + 8);
  assert.equal(refusalOf(file), 'DAMAGED_PICTURE');
});

test('texts and swollen profiles of a PNG never reach libvips, sound profiles do', async () => {
  const plain = await canvas(16, 16).png().toBuffer();
  const swollen = deflateSync(Buffer.alloc(5_000_000));
  const bombs = [
    chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), swollen])),
    chunk('iTXt', Buffer.concat([Buffer.from('Comment\0\x01\0\0\0'), swollen])),
    chunk('iCCP', Buffer.concat([Buffer.from('profile\0\0'), swollen])),
  ];
  const bomb = Buffer.concat([plain.subarray(0, 33), ...bombs, plain.subarray(33, -12), ...bombs, plain.subarray(-12)]);
  const handedOn = Buffer.from(sourceOf(bomb) as Uint8Array).toString('latin1');
  assert.doesNotMatch(handedOn, /zTXt|iTXt|iCCP/);
  assert.match(handedOn, /IDAT[^]*IEND/);

  const profiled = await canvas(16, 16).withIccProfile('p3').png().toBuffer();
  assert.match(Buffer.from(sourceOf(profiled) as Uint8Array).toString('latin1'), /iCCP/);
});

test('of a GIF with many frames only the first is handed on', async () => {
  const frames = await Promise.all(
    ['#111', '#888', '#fff'].map((background) =>
      sharp({ create: { width: 16, height: 16, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const file = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  assert.equal((await sharp(file).metadata()).pages, 3);
  assert.equal((await sharp(sourceOf(file) as Uint8Array).metadata()).pages ?? 1, 1);
});

test('of a TIFF with many pages, or with a ring of them, only the first is handed on', () => {
  const file = tiffDeclaring([256, 100], [257, 100]);
  const next = file.length - 4;
  file.writeUInt32LE(8, next); // the page after the first is the first
  assert.equal(Buffer.from(sourceOf(file) as Uint8Array).readUInt32LE(next), 0);
  assert.equal(file.readUInt32LE(next), 8, 'the file itself stays as it is');
});

function read(bytes: Uint8Array) {
  const file = new FileBytes(bytes);
  const format = formatOf(file);
  return { format: format.name, cost: format.cost(file) };
}

function sizeOf(bytes: Uint8Array): number[] {
  const { width, height } = read(bytes).cost;
  return [width, height];
}

function sourceOf(bytes: Uint8Array) {
  const file = new FileBytes(bytes);
  return formatOf(file).source!(file);
}

/** The name of the failure that the header alone leads to. */
function refusalOf(bytes: Uint8Array): ErrorName | undefined {
  try {
    const { format, cost } = read(bytes);
    checkCost(format, cost);
  } catch (cause) {
    if (cause instanceof Failure) return cause.error;
    throw cause;
  }
  return undefined;
}

function jpegDeclaring(width: number, height: number, marker = 0xc0, precision = 8): Buffer {
  const frame = [
    0,
    17,
    precision,
    height >> 8,
    height & 255,
    width >> 8,
    width & 255,
    3,
    1,
    0x22,
    0,
    2,
    0x11,
    1,
    3,
    0x11,
    1,
  ];
  const scan = [0, 12, 3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0];
  return Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, 4, 0, 0, 0xff, marker, ...frame, 0xff, 0xda, ...scan]);
}

function chunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + data.length); // the checksum is left at 0: no reader checks it here
  bytes.writeUInt32BE(data.length);
  bytes.write(type, 4, 'latin1');
  data.copy(bytes, 8);
  return bytes;
}

function pngDeclaring(width: number, height: number, depth: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, 2], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', Buffer.alloc(8)),
  ]);
}

function gifDeclaring(width: number, height: number, frameWidth: number, frameHeight: number): Buffer {
  const file = Buffer.alloc(26);
  file.write('GIF89a', 'latin1');
  file.writeUInt16LE(width, 6);
  file.writeUInt16LE(height, 8);
  file[13] = 0x2c;
  file.writeUInt16LE(frameWidth, 18);
  file.writeUInt16LE(frameHeight, 20);
  return file;
}

function webpDeclaring(width: number, height: number): Buffer {
  const file = Buffer.alloc(50);
  file.write('RIFF\x2a\0\0\0WEBPVP8X\x0a\0\0\0', 'latin1');
  file.writeUIntLE(width - 1, 24, 3);
  file.writeUIntLE(height - 1, 27, 3);
  file.write('VP8 \x0a\0\0\0\0\0\0\x9d\x01\x2a\x08\0\x08\0', 30, 'latin1');
  return file;
}

function bmpDeclaring(width: number, height: number): Buffer {
  const file = Buffer.alloc(64);
  file.write('BM', 'latin1');
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(24, 28);
  return file;
}

function tiffDeclaring(...tags: [tag: number, value: number][]): Buffer {
  const file = Buffer.alloc(8 + 2 + 12 * tags.length + 4);
  file.write('II*\0\x08\0\0\0', 'latin1');
  file.writeUInt16LE(tags.length, 8);
  tags.forEach(([tag, value], i) => {
    const at = 10 + 12 * i;
    file.writeUInt16LE(tag, at);
    file.writeUInt16LE(4, at + 2);
    file.writeUInt32LE(1, at + 4);
    file.writeUInt32LE(value, at + 8);
  });
  return file;
}

function heifDeclaring(brand: string, width: number, height: number): Buffer {
  const box = (type: string, ...content: Buffer[]): Buffer => {
    const start = Buffer.alloc(8);
    start.writeUInt32BE(8 + Buffer.concat(content).length);
    start.write(type, 4, 'latin1');
    return Buffer.concat([start, ...content]);
  };
  const size = Buffer.alloc(12);
  size.writeUInt32BE(width, 4);
  size.writeUInt32BE(height, 8);
  const properties = box('iprp', box('ipco', box('ispe', size)));
  return Buffer.concat([
    box('ftyp', Buffer.from(`${brand}\0\0\0\0mif1`, 'latin1')),
    box('meta', Buffer.alloc(4), properties),
  ]);
}
