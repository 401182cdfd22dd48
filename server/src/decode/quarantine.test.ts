import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Quarantine } from './quarantine.ts';

const file = (n: number) => Buffer.from(`file ${n}`);

test('a file is refused after its second strike, and only that file', () => {
  const quarantine = new Quarantine();
  assert.equal(quarantine.refuses(file(1)), false);
  quarantine.strike(file(1));
  assert.equal(quarantine.refuses(file(1)), false);
  quarantine.strike(file(2));
  quarantine.strike(file(1));
  assert.equal(quarantine.refuses(file(1)), true);
  assert.equal(quarantine.refuses(Buffer.from(file(1))), true, 'the bytes count, not the buffer');
  assert.equal(quarantine.refuses(file(2)), false);
});

test('after an hour a file is taken again', (context) => {
  let now = 0;
  context.mock.method(performance, 'now', () => now);
  const quarantine = new Quarantine();
  quarantine.strike(file(1));
  quarantine.strike(file(1));
  now = 3_599_999;
  assert.equal(quarantine.refuses(file(1)), true);
  now = 3_600_000;
  assert.equal(quarantine.refuses(file(1)), false);
  quarantine.strike(file(1));
  assert.equal(quarantine.refuses(file(1)), false, 'old strikes do not count');
});

test('a thousand files are remembered, those that struck last', () => {
  const quarantine = new Quarantine();
  for (let n = 0; n <= 1000; n++) quarantine.strike(file(n));
  for (const n of [0, 1, 1000]) quarantine.strike(file(n));
  assert.deepEqual(
    [0, 1, 1000].map((n) => quarantine.refuses(file(n))),
    [false, false, true],
  );
});
