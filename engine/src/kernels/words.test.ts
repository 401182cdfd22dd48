import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { floatsOf } from '../../test/dirty-workspace.ts';
import * as plain from '../../test/oracles/words.ts';
import { wholes } from '../../test/wholes.ts';
import { vocabulary } from '../local/features/vocabulary.ts';

const codes = fc.uint8Array({ minLength: 32, maxLength: 32 });

function unpack(codes: readonly Uint8Array[], step: Float32Array): Float32Array[] {
  const floats = floatsOf(64 * codes.length, (workspace, out) => {
    const from = workspace.put(Uint8Array.from(codes.flatMap((code) => [...code])));
    workspace.kernels.unpack(from, codes.length, workspace.put(step), out);
  });
  return codes.map((_, i) => floats.slice(64 * i, 64 * i + 64));
}

function words(vectors: readonly Float32Array[], books: plain.Codebooks, most: number): plain.Word[][] {
  const { centroids, norms, medians } = books;
  const floats = floatsOf(4 * most * vectors.length, (workspace, out) => {
    const { kernels } = workspace;
    const from = workspace.put(Float32Array.from(vectors.flatMap((vector) => [...vector])));
    const at = [workspace.put(centroids), workspace.put(norms), workspace.put(medians)] as const;
    kernels.words(from, vectors.length, ...at, most, out);
  });
  const pairs = new BigUint64Array(floats.buffer);
  return vectors.map((_, i) => wordsIn(pairs, most, i));
}

function wordsIn(pairs: BigUint64Array, most: number, i: number): plain.Word[] {
  return Array.from({ length: most }, (_, k) => {
    const at = 2 * (most * i + k);
    const [word] = new Uint32Array(pairs.buffer, 8 * at);
    const [, far] = new Float32Array(pairs.buffer, 8 * at);
    return { word, far, signature: pairs[at + 1] };
  });
}

function wordsBothWays(
  vectors: readonly Float32Array[],
  books: plain.Codebooks,
  odd: readonly boolean[],
  most: number,
) {
  const mirror = (vector: Float32Array): Float32Array => vector.map((value, axis) => (odd[axis] ? -value : value));
  const mirrored = vectors.map(mirror);
  const n = vectors.length;
  const floats = floatsOf(8 * most * n, (workspace, out) => {
    const put = (rows: readonly Float32Array[]): number =>
      workspace.put(Float32Array.from(rows.flatMap((row) => [...row])));
    const [from, back] = [put(vectors), put(mirrored)];
    const at = [workspace.put(books.centroids), workspace.put(books.norms), workspace.put(books.medians)] as const;
    const parity = workspace.put(Uint8Array.from(odd, Number));
    workspace.kernels.wordsBothWays(from, back, n, ...at, parity, most, out, out + 16 * most * n);
  });
  const pairs = new BigUint64Array(floats.buffer);
  const found = Array.from({ length: 2 * n }, (_, i) => wordsIn(pairs, most, i));
  return { found, expected: [...vectors, ...mirrored].map((vector) => plain.words(vector, books, most)) };
}

test('levels unpack to the middles of their steps, low half first', () => {
  const [vector] = unpack([Uint8Array.of(0xf0, 0x87, ...new Array(30).fill(0x88))], new Float32Array(64).fill(2));
  assert.deepEqual([...vector.subarray(0, 6)], [-15, 15, -1, 1, 1, 1]);
});

test('unpacking equals its plain twin, bit for bit, mirrored steps as well', () => {
  const { step, mirroredStep } = vocabulary();
  fc.assert(
    fc.property(fc.array(codes, { maxLength: 4 }), (codes) => {
      for (const steps of [step, mirroredStep]) {
        assert.deepEqual(
          unpack(codes, steps),
          codes.map((code) => plain.unpack(code, steps)),
        );
      }
    }),
    { numRuns: 30 },
  );
});

test('the nearest word and the nearest four equal those of the plain twin, equal distances in order of number', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(4), fc.constantFrom(1, 4, 9), (seed, count, most) => {
      const vectors = Array.from({ length: count }, (_, i) => wholes(seed + i, 64, 1));
      const books = {
        centroids: wholes(seed + 10, 2 * 32 * 256, 1),
        norms: wholes(seed + 11, 2 * 256, 4),
        medians: wholes(seed + 12, 2 * 256 * 32, 1),
      };
      assert.deepEqual(
        words(vectors, books, most),
        vectors.map((vector) => plain.words(vector, books, most)),
      );
    }),
    { numRuns: 60 },
  );
});

test('both ways at once they are the words of the vectors and of their mirror images', () => {
  const odd = fc.array(fc.boolean(), { minLength: 64, maxLength: 64 });
  fc.assert(
    fc.property(fc.nat(), fc.nat(20), fc.constantFrom(1, 3), odd, (seed, count, most, odd) => {
      const vectors = Array.from({ length: count }, (_, i) => wholes(seed + i, 64, 1));
      const books = {
        centroids: wholes(seed + 10, 2 * 32 * 256, 1),
        norms: wholes(seed + 11, 2 * 256, 4),
        medians: wholes(seed + 12, 2 * 256 * 32, 1),
      };
      const { found, expected } = wordsBothWays(vectors, books, odd, most);
      assert.deepEqual(found, expected);
    }),
    { numRuns: 40 },
  );
});

test('with the trained codebooks too, bit for bit', () => {
  const books = vocabulary();
  fc.assert(
    fc.property(fc.array(codes, { maxLength: 3 }), fc.constantFrom(1, 4), (codes, most) => {
      const vectors = codes.map((code) => plain.unpack(code, books.step));
      assert.deepEqual(
        words(vectors, books, most),
        vectors.map((vector) => plain.words(vector, books, most)),
      );
    }),
  );
});
