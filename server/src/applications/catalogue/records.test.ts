import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { Records } from './records.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes of all arrays in use. A collection frees arrays in the background, so it is repeated until nothing changes. */
async function bytesInUse(): Promise<number> {
  for (let before = Infinity; ;) {
    collectGarbage();
    await setTimeout(20);
    const { arrayBuffers } = process.memoryUsage();
    if (arrayBuffers === before) return arrayBuffers;
    before = arrayBuffers;
  }
}

const character = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 1 }),
  fc.constantFrom('\u{ffff}', '\u{e000}', '\u{d7ff}', '\u{10000}', '😀', 'a', 'b'),
);
const text = fc.array(character, { maxLength: 12 }).map((parts) => parts.join(''));

test('texts are compared by their UTF-8 bytes', () => {
  fc.assert(
    fc.property(text, text, text, (prefix, one, other) => {
      const [a, b] = [prefix + one, prefix + other];
      const records = new Records();
      // in memory that another record has left, and behind numbers
      records.remove(records.add('\u{ffff}'.repeat(4), []));
      const [first, second] = [records.add(a, [1, 2]), records.add(b, [])];
      const expected = Buffer.compare(Buffer.from(a), Buffer.from(b));
      assert.equal(Math.sign(records.compare(first, second)), expected);
      assert.equal(Math.sign(records.compareWith(first, Buffer.from(b))), expected);
    }),
    { numRuns: 1000 },
  );
});

test('a record is found by its text until it is removed', () => {
  const numbers = fc.array(fc.nat(2 ** 32 - 1), { maxLength: 5 });
  fc.assert(
    fc.property(fc.array(fc.tuple(text, numbers), { maxLength: 60 }), (steps) => {
      const records = new Records();
      const model = new Map<string, { handle: number; numbers: number[] }>();
      for (const [text, numbers] of steps) {
        const known = model.get(text);
        assert.equal(records.find(text), known?.handle ?? -1);
        if (known) {
          records.remove(known.handle);
          model.delete(text);
        } else model.set(text, { handle: records.add(text, numbers), numbers });
      }
      assert.equal(records.count, model.size);
      assert.ok(records.end <= steps.length);
      for (const [text, { handle, numbers }] of model) {
        assert.deepEqual([records.text(handle), [...records.numbers(handle)]], [text, numbers]);
        for (const number of [...numbers, 7]) assert.equal(records.has(handle, number), numbers.includes(number));
      }
    }),
  );
});

test('texts of up to 60,000 bytes are kept; a longer one is refused', () => {
  const records = new Records();
  const long = 'é'.repeat(30_000);
  assert.equal(records.text(records.add(long, [1])), long);
  assert.throws(() => records.add('a'.repeat(70_000), []), RangeError);
});

test('the memory of removed records is used again', async () => {
  const records = new Records();
  const before = await bytesInUse();
  let handles: number[] = [];
  for (let round = 0; round < 40; round++) {
    for (const handle of handles) records.remove(handle);
    handles = Array.from({ length: 5000 }, (_, i) => records.add(`round ${round} picture ${i}`, [i]));
  }
  assert.ok((await bytesInUse()) - before < 2 ** 20);
  assert.ok(records.end <= 5000);
});
