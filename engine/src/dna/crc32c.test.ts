import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { crc32c } from './crc32c.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('gives the check value of the catalogue, and those of RFC 3720 appendix B.4', () => {
  assert.equal(crc32c(bytes('123456789')), 0xe3069283);
  assert.equal(crc32c(new Uint8Array(32)), 0x8a9136aa);
  assert.equal(crc32c(new Uint8Array(32).fill(255)), 0x62a8ab43);
  assert.equal(crc32c(Uint8Array.from({ length: 32 }, (_, i) => i)), 0x46dd794e);
  assert.equal(crc32c(new Uint8Array(0)), 0);
});

test('agrees with the definition, bit by bit, and can be continued at any place', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(40), (data, cut) => {
      assert.equal(crc32c(data), bitwise(data));
      assert.equal(crc32c(data.subarray(cut), crc32c(data.subarray(0, cut))), crc32c(data));
    }),
  );
});

function bitwise(data: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  }
  return ~crc >>> 0;
}
