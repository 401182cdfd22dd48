import { AMOUNTS, LAYOUT } from '../dna/similarity.ts';
import type { Comparison } from '../memory/entry-list.ts';
import { setSums, SUMS } from './shape-comparison.ts';

const VECTOR = SUMS + AMOUNTS + LAYOUT;

/** The vector of a network, and colour. @param length  of the vector */
export function vectorAndColor(length: number): Comparison {
  const entry = (VECTOR + length + 15) & ~15;
  return {
    entry,
    entryOf(embedding) {
      const bytes = new Uint8Array(entry);
      bytes.set(embedding, SUMS);
      setSums(bytes, new Int8Array(bytes.buffer, VECTOR, length), bytes.subarray(SUMS, SUMS + AMOUNTS));
      return bytes;
    },
    kernel: (kernels, block, slots, n, query, weight, out) =>
      kernels.vectorSimilarities(block, slots, n, entry, query, weight, out),
  };
}
