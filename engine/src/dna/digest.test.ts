import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digest } from './digest.ts';

const block = Uint8Array.from({ length: 600 }, (_, i) => (i * i * 7) & 255);

test('the same bytes have the same digest, 64 bits as hex, wherever they lie', () => {
  const pool = Buffer.alloc(700);
  pool.set(block, 33);
  assert.match(digest(block), /^[0-9a-f]{16}$/);
  assert.equal(digest(pool.subarray(33, 633)), digest(block));
  assert.equal(digest(block.subarray(0, 7), new Uint8Array(0), block.subarray(7)), digest(block));
});

test('every flipped bit and every truncation has a digest of its own', () => {
  const flips = Array.from({ length: 8 * block.length }, (_, bit) => {
    return block.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
  });
  const cuts = Array.from({ length: block.length }, (_, length) => block.slice(0, length));
  const zeros = Array.from({ length: 100 }, (_, length) => new Uint8Array(700 + length));
  const all = [block, ...flips, ...cuts, ...zeros];
  assert.equal(new Set(all.map((bytes) => digest(bytes))).size, all.length);
  for (const half of [0, 8]) {
    const halves = new Set(all.map((bytes) => digest(bytes).slice(half, half + 8)));
    assert.ok(halves.size > all.length - 10, `${halves.size} of ${all.length} halves apart`);
  }
});

test('both halves depend on every byte: where one half collides by chance the other does not', () => {
  const blocks = Array.from({ length: 300_000 }, (_, i) => Uint8Array.of(i, i >> 8, i >> 16, 7, 9, 11));
  const digests = blocks.map((bytes) => digest(bytes));
  const firstHalves = new Set(digests.map((text) => text.slice(0, 8)));
  assert.ok(firstHalves.size < blocks.length, 'no two halves met: nothing was shown');
  assert.equal(new Set(digests).size, blocks.length);
});
