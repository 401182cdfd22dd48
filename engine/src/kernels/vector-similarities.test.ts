import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { vectorAndColor } from '../shape/vector-comparison.ts';
import { EntryList } from '../memory/entry-list.ts';
import { vectorSimilarity } from '../../test/oracles/similarities.ts';

const COLOR_BYTES = 160;
/** A colour embedding and a vector as `openNetworkDna` gives them. */
const embedding = (length: number) =>
  fc
    .uint8Array({ minLength: COLOR_BYTES + length, maxLength: COLOR_BYTES + length })
    .map((bytes) => bytes.map((byte, i) => (i === COLOR_BYTES ? 127 : i > COLOR_BYTES && byte === 128 ? 129 : byte)));
const weight = fc.constantFrom(0, 0.01, 0.3, 0.5, 0.99, 1);

test('the list of vectors has the scores of the twin, bit for bit, for any length', () => {
  for (const length of [2, 16, 37, 384]) {
    const { entryOf } = vectorAndColor(length);
    const many = fc.array(embedding(length), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(embedding(length), many, fc.array(fc.nat(4)), weight, (query, entries, slots, weight) => {
        const list = new EntryList(vectorAndColor(length));
        entries.forEach((each, slot) => list.put(slot, each));
        const expected = slots.map((slot) => vectorSimilarity(entryOf(entries[slot]), entryOf(query), weight));
        assert.deepEqual([...list.scores(query, Uint32Array.from(slots), weight)], expected);
      }),
      { numRuns: 50 },
    );
  }
});

test('the same vector scores 0, an orthogonal one 1/2 and the opposite one 1', () => {
  const list = new EntryList(vectorAndColor(4096));
  const of = (...vector: number[]): Uint8Array => {
    const bytes = new Uint8Array(COLOR_BYTES + 4096);
    bytes.set(Uint8Array.from(vector, (value) => value & 255), COLOR_BYTES); // prettier-ignore
    return bytes;
  };
  [of(127, 5), of(-5, 127), of(-127, -5)].forEach((each, slot) => list.put(slot, each));
  assert.deepEqual([...list.scores(of(127, 5), Uint32Array.of(0, 1, 2), 0)], [0, 0.5, 1]);
  const full = new Uint8Array(COLOR_BYTES + 4096).fill(127, COLOR_BYTES);
  list.put(0, full);
  assert.deepEqual([...list.scores(full, Uint32Array.of(0), 0)], [0]);
});
