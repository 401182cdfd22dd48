import { COLOR_AMOUNT_BYTES, COLOR_LAYOUT_BYTES } from '../dna/similarity.ts';
import type { Comparison } from '../memory/entry-list.ts';
import { setSums, SUMS_BYTES } from './shape-comparison.ts';

const VECTOR_OFFSET = SUMS_BYTES + COLOR_AMOUNT_BYTES + COLOR_LAYOUT_BYTES;

/** The vector of a network, and colour. @param length  of the vector */
export function vectorAndColor(length: number): Comparison {
  const entry = (VECTOR_OFFSET + length + 15) & ~15;
  return {
    entry,
    entryOf(embedding) {
      const bytes = new Uint8Array(entry);
      bytes.set(embedding, SUMS_BYTES);
      setSums(
        bytes,
        new Int8Array(bytes.buffer, VECTOR_OFFSET, length),
        bytes.subarray(SUMS_BYTES, SUMS_BYTES + COLOR_AMOUNT_BYTES),
      );
      return bytes;
    },
    kernel: (kernels, block, slots, n, query, weight, out) =>
      kernels.vectorSimilarities(block, slots, n, entry, query, weight, out),
  };
}
