import { COLOR_AMOUNT_BYTES, SIMILARITY_BYTES, SHAPE_BYTES } from '../dna/similarity.ts';
import type { Comparison } from '../memory/entry-list.ts';

/** Bytes before an embedding: its sums, and zeros up to a multiple of 16. */
export const SUMS_BYTES = 16;
export const ENTRY_BYTES = SUMS_BYTES + SIMILARITY_BYTES;

/** Shape and colour. */
export const shapeAndColor: Comparison = {
  entry: ENTRY_BYTES,
  entryOf,
  kernel: (kernels, ...args) => kernels.similarities(...args),
};

/** An embedding with the two sums that its scores are divided by. */
export function entryOf(embedding: Uint8Array): Uint8Array {
  const entry = new Uint8Array(ENTRY_BYTES);
  entry.set(embedding, SUMS_BYTES);
  const shape = new Int8Array(entry.buffer, SUMS_BYTES, SHAPE_BYTES);
  const amounts = entry.subarray(SUMS_BYTES + SHAPE_BYTES, SUMS_BYTES + SHAPE_BYTES + COLOR_AMOUNT_BYTES);
  setSums(entry, shape, amounts);
  return entry;
}

/** Sets the squared length of a vector and the sum of the amounts of colours. */
export function setSums(entry: Uint8Array, vector: Int8Array, amounts: Uint8Array): void {
  const sums = new Int32Array(entry.buffer, 0, 2);
  sums[0] = vector.reduce((sum, value) => sum + value * value, 0);
  sums[1] = amounts.reduce((sum, value) => sum + value, 0);
}
