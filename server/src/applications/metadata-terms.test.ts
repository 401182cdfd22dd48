import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Condition, Metadata } from '@sosia/contract';
import fc from 'fast-check';
import { ownKeywords, termOf, withTerms } from './metadata-terms.ts';

const storedKeywords = (image: { keywords: readonly string[]; details: { metadata?: Metadata } }) =>
  withTerms(image).keywords;

const meets = (metadata: Metadata, condition: Condition): boolean => {
  const terms = storedKeywords({ keywords: [], details: { metadata } });
  const term = termOf(condition);
  const order = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
  return typeof term === 'string'
    ? terms.includes(term)
    : terms.some((each) => order(each, term[0]) >= 0 && order(each, term[1]) < 0);
};

const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: -3, max: 3 }));
const short = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => Buffer.byteLength(text) <= 100);

test('conditions compare numbers with numbers and texts with texts', () => {
  const compare = {
    '=': (order: number) => order === 0,
    '<': (order: number) => order < 0,
    '<=': (order: number) => order <= 0,
    '>': (order: number) => order > 0,
    '>=': (order: number) => order >= 0,
  };
  const pairs = fc.oneof(fc.tuple(number, number), fc.tuple(short, short));
  fc.assert(
    fc.property(pairs, fc.constantFrom('=', '<', '<=', '>', '>='), ([a, b], comparison) => {
      const order =
        typeof a === 'number' ? a - (b as number) : Buffer.compare(Buffer.from(a), Buffer.from(b as string));
      const expected = compare[comparison as keyof typeof compare](order);
      assert.equal(meets({ of: a }, { path: 'of', comparison: comparison as '<', value: b }), expected);
    }),
    { numRuns: 2000 },
  );
});

test('a condition matches neither values of other types nor other paths', () => {
  const metadata = { year: 2020, of: { year: '2021', tags: ['a', 'b', null, true] }, years: 1 };
  const cases: readonly (readonly [Condition, boolean])[] = [
    [{ path: 'year', comparison: '=', value: 2020 }, true],
    [{ path: 'year', comparison: '=', value: '2020' }, false],
    [{ path: 'year', comparison: '<', value: 2 }, false],
    [{ path: 'of.year', comparison: '>=', value: '2021' }, true],
    [{ path: 'of.year', comparison: '>=', value: 0 }, false],
    [{ path: 'of.tags', comparison: '=', value: 'b' }, true],
    [{ path: 'of.tags', comparison: '=', value: null }, true],
    [{ path: 'of.tags', comparison: '=', value: true }, true],
    [{ path: 'of.tags', comparison: '=', value: 'true' }, false],
    [{ path: 'of', comparison: 'present', value: null }, true],
    [{ path: 'tags', comparison: 'present', value: null }, false],
    [{ path: 'yea', comparison: 'present', value: null }, false],
  ];
  for (const [condition, expected] of cases)
    assert.equal(meets(metadata, condition), expected, JSON.stringify(condition));
});

test('a text of over 100 bytes equals only the same text', () => {
  const text = 'é'.repeat(200);
  assert.ok(meets({ text }, { path: 'text', comparison: '=', value: text }));
  assert.ok(!meets({ text }, { path: 'text', comparison: '=', value: `${text.slice(0, -1)}e` }));
  assert.ok(
    Math.max(...storedKeywords({ keywords: [], details: { metadata: { text } } }).map((each) => each.length)) < 80,
  );
});

test('own keywords keep their order, and terms are derived again', () => {
  const stored = storedKeywords({ keywords: ['b', 'a'], details: { metadata: { c: 1 } } });
  assert.deepEqual(ownKeywords(stored), ['b', 'a']);
  assert.deepEqual(storedKeywords({ keywords: stored, details: { metadata: { c: 1 } } }), stored);
  assert.deepEqual(storedKeywords({ keywords: stored, details: {} }), ['b', 'a']);
});
