import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as plain from '../../test/oracles/near-hashes.ts';
import { HashIndex } from './hash-index.ts';

const bytesOf = (hex: string): Uint8Array => Uint8Array.from({ length: hex.length / 2 }, (_, i) => byteAt(hex, i));
const byteAt = (hex: string, i: number): number => parseInt(hex.slice(2 * i, 2 * i + 2), 16);
const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (each) => each.toString(16).padStart(2, '0')).join('');

/** A hash near the one, or anywhere. */
function changed(hash: Uint8Array, bits: readonly number[]): Uint8Array {
  const copy = hash.slice();
  for (const bit of bits) copy[bit >> 3]! ^= 1 << (bit & 7);
  return copy;
}

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });
const bits = fc.array(fc.nat(255), { maxLength: 60 });

test('the hashes within any distance are those of the plain twin, in its order', () => {
  fc.assert(
    fc.property(
      hash,
      fc.array(fc.oneof(bits, hash), { maxLength: 40 }),
      fc.nat(256),
      fc.integer({ min: 1, max: 50 }),
      (query, others, most, count) => {
        const hashes = others.map((each) => (each instanceof Uint8Array ? each : changed(query, each)));
        const memory = Uint8Array.from([7, ...hashes.flatMap((each) => [...each])]);
        const index = new HashIndex(Buffer.from(memory.buffer, 1)); // not at the beginning of its memory
        const expected = plain.nearHashes(hashes.map(hexOf), hexOf(query), most);
        assert.deepEqual(index.search(query, most, count), { found: expected.length, near: expected.slice(0, count) });
        hashes.forEach((each, i) => assert.deepEqual(index.hash(i), each));
      },
    ),
  );
});

test('every bit counts once, and more hashes than one call of the kernel compares are all compared', () => {
  const query = bytesOf('0f'.repeat(32));
  const count = 17_000;
  const hashes = new Uint8Array(32 * count);
  for (let i = 0; i < count; i++)
    hashes.set(changed(query, i < 256 ? [i] : [i % 256, (7 * i + 1) % 256, (i >> 8) % 256]), 32 * i);
  const index = new HashIndex(hashes);
  const texts = Array.from({ length: count }, (_, i) => hexOf(hashes.subarray(32 * i, 32 * i + 32)));
  for (const most of [0, 1, 2, 31]) {
    const expected = plain.nearHashes(texts, hexOf(query), most);
    assert.deepEqual(index.search(query, most, 1000), { found: expected.length, near: expected.slice(0, 1000) });
  }
  assert.equal(index.search(query, 1, 1).found > 255, true);
});

test('an empty list has nothing near', () => {
  assert.deepEqual(new HashIndex(new Uint8Array()).search(new Uint8Array(32), 256, 10), { found: 0, near: [] });
});
