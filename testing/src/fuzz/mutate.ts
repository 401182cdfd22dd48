import { oneOf, type Random } from '../pictures/random.ts';

/** Values at which comparisons, signs and lengths change. */
const edges = [
  0, 1, 7, 8, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x1_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff,
];

export interface Limits {
  /** Most bytes of the result. */
  readonly longest: number;
  /** Pieces that mean something in the format. */
  readonly words?: readonly (string | Uint8Array)[];
}

/** An input with one to eight changes that know nothing of its form; mostly one or two. */
export function mutated(
  input: Uint8Array,
  random: Random,
  others: readonly Uint8Array[],
  { longest, words = [] }: Limits,
): Uint8Array {
  let bytes: Buffer = Buffer.from(input);
  let changes = 1;
  while (changes < 8 && random() < 0.5) changes++;
  for (; changes > 0; changes--) {
    bytes = changed(bytes, random, others, words);
    if (bytes.length > longest) bytes = bytes.subarray(0, longest);
  }
  return bytes;
}

function changed(
  bytes: Buffer,
  random: Random,
  others: readonly Uint8Array[],
  words: readonly (string | Uint8Array)[],
): Buffer {
  const at = place(bytes.length, random);
  const [first, last] = span(bytes.length, random);
  const insert = (piece: Uint8Array) => Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
  switch (below(random, words.length > 0 ? 11 : 9)) {
    case 0:
      if (at < bytes.length) bytes[at]! ^= 1 << below(random, 8);
      return bytes;
    case 1:
      if (at < bytes.length) bytes[at] = below(random, 256);
      return bytes;
    case 2:
      writeNumber(bytes, at, oneOf(random, edges), random);
      return bytes;
    case 3:
      addToNumber(bytes, at, below(random, 33) - 16, random);
      return bytes;
    case 4:
      return Buffer.concat([bytes.subarray(0, first), bytes.subarray(last)]);
    case 5:
      return insert(bytes.subarray(first, last));
    case 6:
      return insert(Uint8Array.from({ length: 1 + below(random, 8) }, () => below(random, 256)));
    case 7: {
      const other = oneOf(random, others);
      const [from, to] = span(other.length, random);
      return Buffer.concat([bytes.subarray(0, first), other.subarray(from, to), bytes.subarray(last)]);
    }
    case 8:
      bytes.copyWithin(at, first, last);
      return bytes;
    default: {
      const word = Buffer.from(oneOf(random, words) as string);
      if (random() < 0.5) return insert(word);
      word.copy(bytes, at);
      return bytes;
    }
  }
}

export function below(random: Random, n: number): number {
  return Math.floor(random() * n);
}

/** A place of a text of bytes, the end included; half the time among the first 64, where headers are. */
function place(length: number, random: Random): number {
  return below(random, (random() < 0.5 ? Math.min(64, length) : length) + 1);
}

function span(length: number, random: Random): [first: number, last: number] {
  const first = place(length, random);
  const most = random() < 0.8 ? 16 : length;
  return [first, Math.min(length, first + 1 + below(random, most))];
}

function writeNumber(bytes: Buffer, at: number, value: number, random: Random): void {
  const size = oneOf(random, [1, 2, 4]);
  if (at + size > bytes.length) return;
  const fitting = value % 256 ** size;
  if (random() < 0.5) bytes.writeUIntLE(fitting, at, size);
  else bytes.writeUIntBE(fitting, at, size);
}

function addToNumber(bytes: Buffer, at: number, step: number, random: Random): void {
  const size = oneOf(random, [1, 2, 4]);
  if (at + size > bytes.length) return;
  const little = random() < 0.5;
  const before = little ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size);
  const value = (before + step + 256 ** size) % 256 ** size;
  if (little) bytes.writeUIntLE(value, at, size);
  else bytes.writeUIntBE(value, at, size);
}
