import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareBytes } from './byte-order.ts';

test('texts are ordered as their UTF-8 bytes are', () => {
  const character = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\u{ffff}', '\u{e000}', '\u{d7ff}', '\u{10000}', '😀'),
  );
  const text = fc.array(character, { maxLength: 4 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, (a, b) => {
      assert.equal(Math.sign(compareBytes(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
    { numRuns: 2000 },
  );
});
