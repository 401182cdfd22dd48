import assert from 'node:assert/strict';
import { Failure } from '@sosia/server';
import { FileBytes } from '@sosia/server/decode/formats/file-bytes';
import { formatOf } from '@sosia/server/decode/formats/formats';
import { checkCost, MOST_PIXELS } from '@sosia/server/decode/limits';
import sharp from 'sharp';
import { seeds as pictures } from '../../hostile/mutants.ts';
import { oneOf, type Random } from '../../pictures/random.ts';
import { below, mutated } from '../mutate.ts';
import type { Target } from '../target.ts';

const LONGEST = 20_000;
/** As decode.ts opens a file. */
const options = { failOn: 'error', limitInputPixels: MOST_PIXELS, limitInputChannels: 4, pages: 1 } as const;
const sizes = [0, 1, 8, 9, 16, 50, 64, 200, 0x3fff, 0x4000, 10_000, 50_000, 0xffff, 0x7fff_ffff, 0xffff_ffff];
/** A box of a HEIF file whose length follows in 64 bits and is 0. */
const endless = Buffer.from('00000001667265650000000000000000', 'hex');
const words = [
  endless,
  'IHDR',
  'iCCP',
  'IDAT',
  'IEND',
  'VP8 ',
  'VP8L',
  'VP8X',
  'ANMF',
  'meta',
  'iprp',
  'ipco',
  'ispe',
  'ftyp',
  'avif',
  'heic',
];

/**
 * The headers of picture files: each reader ends with a cost or a `Failure`, and what libvips then finds in the file is
 * no larger than the header said.
 */
export const headers: Target = {
  name: 'headers',
  covers: /server\/dist\/decode\/(formats\/\w+|limits)\.js$/,
  limit: 1000,

  async open() {
    sharp.cache(false);
    sharp.concurrency(1);
    const files = (await pictures()).map((file) => file.subarray(0, LONGEST));
    return { seeds: [...files, ...files.flatMap(odd)], mutate, run };
  },
};

/** Variants that a reader has to expect and that changes by chance seldom make. */
function odd(file: Buffer): Buffer[] {
  if (file.toString('latin1', 0, 3) === 'GIF') {
    const screen = Buffer.from(file);
    screen.writeUInt16LE(50, 6); // less than the frame, which enlarges it
    return [screen];
  }
  if (file.toString('latin1', 4, 8) !== 'ftyp') return [];
  const first = file.readUInt32BE(0);
  return [Buffer.concat([file.subarray(0, first), endless, file.subarray(first)])];
}

async function run(input: Uint8Array): Promise<string> {
  try {
    const file = new FileBytes(Uint8Array.from(input));
    const format = formatOf(file);
    const cost = format.cost(file);
    assert.ok(Number.isFinite(cost.memory) && cost.memory >= 0, `memory of ${cost.memory} bytes`);
    checkCost(format.name, cost);
    if (format.name === 'HEIC') return 'HEIC accepted'; // its pixels come from WebAssembly, which is slow to fuzz
    const source = format.source?.(file) ?? file.bytes;
    if ('rgba' in source) {
      assert.deepEqual([source.width, source.height], [cost.width, cost.height]);
      assert.equal(source.rgba.length, 4 * cost.width * cost.height);
      return `${format.name} decoded`;
    }
    const found = await sharp(source, options)
      .metadata()
      .catch(() => undefined);
    if (!found) return `${format.name} refused by libvips`;
    const [largest, least] = [Math.max(found.width, found.height), Math.min(found.width, found.height)];
    assert.ok(
      largest <= Math.max(cost.width, cost.height) && least <= Math.min(cost.width, cost.height),
      `a ${format.name} of ${cost.width}x${cost.height} by its header, ${found.width}x${found.height} for libvips`,
    );
    return `${format.name} ${found.isProgressive ? 'progressive' : ''} ${found.depth} ${found.channels}`;
  } catch (cause) {
    if (!(cause instanceof Failure)) throw cause;
    return `${cause.error} ${cause.message.replace(/\d+/g, '#').slice(0, 60)}`;
  }
}

function mutate(input: Uint8Array, random: Random, others: readonly Uint8Array[]): Uint8Array {
  if (random() < 0.5) return mutated(input, random, others, { longest: LONGEST, words });
  // one number alone, for most files do not bear more: sizes of all kinds, at first those of the header
  const file = Buffer.from(input);
  const [at, size] = [
    below(random, random() < 0.7 ? Math.min(40, file.length) : file.length),
    oneOf(random, [1, 2, 3, 4]),
  ];
  if (at + size > file.length) return file;
  const value = oneOf(random, sizes) % 256 ** size;
  if (random() < 0.5) file.writeUIntBE(value, at, size);
  else file.writeUIntLE(value, at, size);
  return file;
}
