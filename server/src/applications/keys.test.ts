import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestOf, hintOf, newKey } from './keys.ts';

test('a key has 32 characters A-Z a-z 0-9, and every character is as likely as any other', () => {
  const keys = Array.from({ length: 4000 }, newKey);
  assert.equal(new Set(keys).size, keys.length);
  const seen = new Map<string, number>();
  for (const key of keys) {
    assert.match(key, /^[A-Za-z0-9]{32}$/);
    for (const letter of key) seen.set(letter, (seen.get(letter) ?? 0) + 1);
  }
  const expected = (keys.length * 32) / 62; // 2,064.5, standard deviation 45; bytes taken modulo 62 would give 2,500
  assert.equal(seen.size, 62);
  for (const [letter, count] of seen) assert.ok(Math.abs(count - expected) < 6.5 * 45, `${letter} came ${count} times`);
});

test('the digest is SHA-256 in lower-case hex', () => {
  assert.equal(digestOf('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  assert.equal(hintOf('abcdefgh'), 'abcd');
});
