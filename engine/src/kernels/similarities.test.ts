import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { similarity } from '../../test/oracles/similarities.ts';
import { SIMILARITY_BYTES, SHAPE_BYTES } from '../dna/similarity.ts';
import { EVEN_AXES } from '../shape/shape-embedding.ts';
import { ENTRY_BYTES, entryOf } from '../shape/shape-comparison.ts';
import { Workspace } from './workspace.ts';

const entry = fc
  .uint8Array({ minLength: SIMILARITY_BYTES, maxLength: SIMILARITY_BYTES })
  .map((bytes) => entryOf(bytes.map((byte, i) => (i < SHAPE_BYTES && byte === 128 ? 129 : i === 0 ? 1 : byte))));
const weight = fc.constantFrom(0, 0.01, 0.3, 0.5, 0.99, 1);

function scores(query: Uint8Array, entries: readonly Uint8Array[], slots: readonly number[], weight: number): number[] {
  const workspace = new Workspace();
  const searched = workspace.put(query);
  const block = workspace.put(Uint8Array.from(entries.flatMap((each) => [...each])));
  const places = workspace.put(Uint32Array.from(slots));
  const out = workspace.take(8 * slots.length);
  workspace.kernels.similarities(block, places, slots.length, searched, weight, out);
  return [...new Float64Array(workspace.kernels.memory.buffer, out, slots.length)];
}

test('the kernel equals its twin, bit for bit, for any choice of entries', () => {
  const entries = fc.array(entry, { minLength: 5, maxLength: 5 });
  fc.assert(
    fc.property(entry, entries, fc.array(fc.nat(4), { minLength: 1 }), weight, (query, entries, slots, weight) => {
      const expected = slots.map((slot) => similarity(entries[slot], query, weight));
      assert.deepEqual(scores(query, entries, slots, weight), expected);
    }),
  );
});

test('the same embedding scores 0, and so does the mirrored one by its shape', () => {
  fc.assert(
    fc.property(entry, weight, (query, weight) => {
      assert.deepEqual(scores(query, [query], [0], weight), [0]);
      const odd = query.map((byte, i) => (i >= 16 + EVEN_AXES && i < 16 + SHAPE_BYTES ? -byte : byte));
      assert.deepEqual(scores(query, [odd], [0], weight), [0]);
    }),
  );
});

test('the largest differences of colour score 1/2, the opposite shape scores 1', () => {
  const of = (shape: number, color: number): Uint8Array => {
    const embedding = new Uint8Array(SIMILARITY_BYTES).fill(color, SHAPE_BYTES);
    return entryOf(embedding.fill(shape, 0, EVEN_AXES));
  };
  assert.deepEqual(scores(of(127, 0), [of(127, 255)], [0], 1), [0.5]);
  assert.deepEqual(scores(of(127, 0), [of(-127 & 255, 0)], [0], 0), [1]);
  assert.equal(ENTRY_BYTES % 16, 0);
});

test('the more colours differ, the more they score, and the less each further difference', () => {
  const of = (color: number): Uint8Array =>
    entryOf(new Uint8Array(SIMILARITY_BYTES).fill(1, 0, EVEN_AXES).fill(color, SHAPE_BYTES));
  const [near, far, farther] = scores(of(0), [of(10), of(20), of(30)], [0, 1, 2], 1);
  assert.ok(0 < near && near < far && far < farther, `${near}, ${far}, ${farther}`);
  assert.ok(farther - far < 0.9 * (far - near));
});
