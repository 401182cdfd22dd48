import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { floatsOf } from '../../test/dirty-workspace.ts';
import * as plain from '../../test/oracles/terms.ts';
import { type Codebooks, type Word, unpack, words } from '../../test/oracles/words.ts';
import { wholes } from '../../test/wholes.ts';
import { vocabulary } from '../local/features/vocabulary.ts';

function terms(vectors: readonly Float32Array[], books: Codebooks, costs: plain.Costs, most: number) {
  const looked = vectors.map((vector) => words(vector, books, 3) as Required<Word>[]);
  const entries = new Uint8Array(16 * 3 * vectors.length);
  const view = new DataView(entries.buffer);
  looked.flat().forEach(({ word, far, signature }, i) => {
    view.setUint32(16 * i, word, true);
    view.setFloat32(16 * i + 4, far, true);
    view.setBigUint64(16 * i + 8, signature, true);
  });
  const pairs = (rows: readonly (readonly [number, number])[]): Uint8Array => {
    const bytes = new DataView(new ArrayBuffer(8 * rows.length));
    rows.forEach(([whole, weight], i) => {
      bytes.setUint32(8 * i, whole, true);
      bytes.setFloat32(8 * i + 4, weight, true);
    });
    return new Uint8Array(bytes.buffer);
  };
  const floats = floatsOf(most * vectors.length, (workspace, out) => {
    const from = workspace.put(Float32Array.from(vectors.flatMap((vector) => [...vector])));
    const at = [workspace.put(entries), workspace.put(books.medians)] as const;
    const bits = workspace.put(pairs(costs.bits.map(({ axis, weight }) => [axis, weight])));
    const nearness = workspace.put(pairs(costs.words.map(({ cost, weight }) => [cost, weight])));
    workspace.kernels.terms(from, vectors.length, ...at, bits, nearness, most, out);
  });
  const found = new Uint32Array(floats.buffer);
  return {
    found: vectors.map((_, i) => [...found.subarray(most * i, most * (i + 1))]),
    expected: vectors.map((vector, i) => plain.terms(vector, looked[i], books, costs, most)),
  };
}

const most = fc.constantFrom(1, 2, 5, 16, 64);

test('the likeliest terms equal those of the plain twin, equal costs in its order', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(3), most, (seed, count, most) => {
      const vectors = Array.from({ length: count }, (_, i) => wholes(seed + i, 64, 1));
      const books = {
        centroids: wholes(seed + 10, 2 * 32 * 256, 1),
        norms: wholes(seed + 11, 2 * 256, 4),
        medians: wholes(seed + 12, 2 * 256 * 32, 1),
      };
      const costs = {
        bits: Array.from({ length: 12 }, (_, i) => ({ axis: (5 * i + seed) % 64, weight: i % 5 })),
        words: [0, 3, 5].map((cost) => ({ cost, weight: 2 })),
      };
      const { found, expected } = terms(vectors, books, costs, most);
      assert.deepEqual(found, expected);
    }),
    { numRuns: 40 },
  );
});

test('with the trained codebooks too, bit for bit', () => {
  const books = vocabulary();
  const costs = {
    bits: Array.from({ length: 12 }, (_, i) => ({ axis: 9 + 4 * i, weight: 3000 + 17 * i })),
    words: [0, 14, 28].map((cost) => ({ cost, weight: 7200 })),
  };
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ minLength: 32, maxLength: 32 }), { maxLength: 2 }), most, (codes, most) => {
      const vectors = codes.map((code) => unpack(code, books.step));
      const { found, expected } = terms(vectors, books, costs, most);
      assert.deepEqual(found, expected);
    }),
    { numRuns: 40 },
  );
});
