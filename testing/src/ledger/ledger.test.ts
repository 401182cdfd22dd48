import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteLine } from './announced.ts';
import { Ledger } from './ledger.ts';

const kinds = (ledger: Ledger, found: Record<string, string>) =>
  ledger.compare(new Map(Object.entries(found))).map(({ kind, text }) => `${kind} ${text.split(' ')[0]}`);

test('an acknowledged write must be there, a refused one must not, one without an answer may be either', async () => {
  const ledger = new Ledger();
  await ledger.write('a', 'first', async () => true);
  await ledger.write('b', 'first', async () => false);
  await assert.rejects(ledger.write('c', 'first', () => Promise.reject(new Error('no answer'))));
  assert.deepEqual(kinds(ledger, { a: 'first' }), []);
  assert.deepEqual(kinds(ledger, { a: 'first', c: 'first' }), []);
  assert.deepEqual(kinds(ledger, { c: 'first' }), ['lost a']);
  assert.deepEqual(kinds(ledger, { a: 'first', b: 'first' }), ['ghost b']);
  assert.deepEqual(kinds(ledger, { a: 'second', d: 'first' }), ['altered a', 'ghost d']);
  assert.deepEqual([ledger.tried, ledger.acknowledged, ledger.refused, ledger.unanswered], [3, 1, 1, 1]);
  assert.deepEqual([ledger.contentOf('a'), ledger.contentOf('b'), ledger.contentOf('c')], ['first', null, undefined]);
});

test('a deletion without an answer may have happened, an acknowledged one has', () => {
  const ledger = new Ledger();
  for (const line of ['["try","a","x"]', '["ack","a"]', '["try","a",null]']) noteLine(ledger, line);
  assert.deepEqual([kinds(ledger, { a: 'x' }), kinds(ledger, {})], [[], []]);
  assert.deepEqual(ledger.present(), []);
  noteLine(ledger, '["ack","a"]');
  assert.deepEqual([kinds(ledger, { a: 'x' }), kinds(ledger, {})], [['ghost a'], []]);
});

test('after settling, what was found is certain, and nothing else', () => {
  const ledger = new Ledger();
  ledger.try('a', 'x');
  ledger.settle(new Map([['a', 'x']]));
  assert.deepEqual(ledger.present(), [['a', 'x']]);
  assert.deepEqual(kinds(ledger, {}), ['lost a']);
});

test('an excused id may be missing but not altered, and a copy has its own excuses', () => {
  const ledger = new Ledger();
  ledger.try('a', 'x');
  ledger.acknowledge('a');
  const copy = ledger.copy();
  copy.excuse(['a']);
  assert.deepEqual([kinds(copy, {}), kinds(copy, { a: 'y' })], [[], ['altered a']]);
  assert.deepEqual(kinds(ledger, {}), ['lost a']);
});
