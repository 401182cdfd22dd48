import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestQuery, COPY_SCORE, shortlistQuery, termText } from './search-query.ts';

test('terms are texts of one length, all different', () => {
  const numbers = [0, 1, 63, 64, 4095, 4096, 2 ** 28 - 1];
  const texts = numbers.map(termText);
  assert.ok(texts.every((text) => /^[\w-]{5}$/.test(text)));
  assert.equal(new Set(texts).size, numbers.length);
});

test('a query has the terms of each variant that has some, the restriction, and no copies', () => {
  const variants = [Uint32Array.of(1, 2), Uint32Array.of(), Uint32Array.of(3)];
  const restriction = { keywords: ['red'], ids: ['a'] };
  const shortlist = shortlistQuery({ digest: 'd', variants }, restriction, { start: 0, count: 5 }) as Query;
  const { query, track_total_hits } = shortlist;
  assert.equal(track_total_hits, false); // a total would take a look at every picture
  const match = (...terms: number[]): object => ({ match: { terms: terms.map(termText).join(' ') } });
  assert.deepEqual(query.script_score.query.bool, {
    must: [{ dis_max: { queries: [match(1, 2), match(3)] } }],
    filter: [{ term: { keywords: 'red' } }, { terms: { id: ['a'] } }],
    must_not: [{ term: { digest: 'd' } }],
  });
});

test('with exact copies, the restriction holds for them, and their score is above all others', () => {
  const query = { digest: 'd', variants: [Uint32Array.of(1)] };
  const restriction = { keywords: ['red'], ids: null };
  const [others, copies] = (bestQuery(query, restriction, 5) as Both).query.bool.should;
  assert.deepEqual(others, (shortlistQuery(query, restriction, { start: 0, count: 5 }) as Query).query);
  const filter = { bool: { filter: [{ term: { digest: 'd' } }, { term: { keywords: 'red' } }] } };
  assert.deepEqual(copies, { constant_score: { filter, boost: COPY_SCORE } });
  assert.ok(COPY_SCORE > Math.floor((65_536 * 2 ** 14) / 128) && Math.fround(COPY_SCORE) === COPY_SCORE);
});

interface Both {
  readonly query: { readonly bool: { readonly should: readonly object[] } };
}

interface Query {
  readonly track_total_hits: boolean;
  readonly query: { readonly script_score: { readonly query: { readonly bool: object } } };
}
