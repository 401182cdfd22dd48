import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bestQuery,
  changedQuery,
  copiesQuery,
  COPY_SCORE,
  dnaQuery,
  filtersOf,
  ORDER_BY_CHANGE,
  recordsQuery,
  shortlistQuery,
  termText,
  wholeQuery,
  withVotes,
} from './search-query.ts';

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
  assert.equal(COPY_SCORE, 2 ** 24);
  assert.ok(COPY_SCORE > Math.floor((65_536 * 2 ** 14) / 128) && Math.fround(COPY_SCORE) === COPY_SCORE);
});

const none = { keywords: [], ids: null };
const plain = { track_total_hits: false, _source: false, stored_fields: '_none_' };
const byScore = { min_score: 1, sort: [{ _score: 'desc' }, { id: 'asc' }] };
const rest = (query: object): object => {
  const { query: _, ...others } = query as { query: object };
  return others;
};

test('a term has five letters of six bits, the highest first', () => {
  const letters = { 0: 'AAAAA', 1: 'AAAAB', 63: 'AAAA_', 64: 'AAABA', [2 ** 24]: 'BAAAA', [2 ** 29]: 'gAAAA' };
  for (const [term, text] of Object.entries(letters)) assert.equal(termText(Number(term)), text);
  assert.equal(termText(2 ** 30 - 1), '_____');
});

test('searches by terms read no stored field, pictures of any score above 0, in a page', () => {
  const terms = { digest: 'd', variants: [Uint32Array.of(1)] };
  assert.deepEqual(rest(bestQuery(terms, none, 5)), { ...plain, size: 5, ...byScore });
  assert.deepEqual(rest(shortlistQuery(terms, none, { start: 3, count: 5 })), {
    ...plain,
    from: 3,
    size: 5,
    ...byScore,
  });
  const { script } = (shortlistQuery(terms, none, { start: 0, count: 1 }) as { query: { script_score: { script: object } } }).query.script_score; // prettier-ignore
  assert.deepEqual(script, { source: "Math.floor(65536 * _score / doc['norm'].value)" });
  const votes = { docvalue_fields: ['norm'], script_fields: { beginning: { script: "doc['beginning'].value" } } };
  assert.deepEqual(withVotes({ size: 1 }), { size: 1, ...votes });
});

test('copies, all others and records are read by their ids, changes by their numbers', () => {
  const restriction = { keywords: ['red'], ids: ['a'], ranges: [['k1', 'k2']] as const };
  const filter = [
    { term: { keywords: 'red' } },
    { range: { keywords: { gte: 'k1', lt: 'k2' } } },
    { terms: { id: ['a'] } },
  ];
  assert.deepEqual(filtersOf(restriction), filter);
  assert.deepEqual(filtersOf(none), []);
  const byId = { sort: [{ id: 'asc' }] };
  const copies = { query: { bool: { filter: [{ term: { digest: 'd' } }, ...filter] } } };
  assert.deepEqual(copiesQuery('d', restriction, 5), {
    ...plain,
    size: 5,
    ...byId,
    search_after: undefined,
    ...copies,
  });
  assert.deepEqual(copiesQuery('d', restriction, 5, ''), { ...plain, size: 5, ...byId, search_after: [''], ...copies });
  const bool = { filter: [{ exists: { field: 'id' } }, ...filter], must_not: [{ term: { digest: 'd' } }] };
  assert.deepEqual(wholeQuery('d', restriction, 5), { ...plain, size: 5, ...byId, query: { bool } });
  const fields = Object.fromEntries(['beginning', 'rest'].map((name) => [name, { script: `doc['${name}'].value` }]));
  assert.deepEqual(recordsQuery(['a', 'b']), {
    ...{ ...plain, size: 2, docvalue_fields: ['id', 'digest'], script_fields: fields },
    query: { bool: { filter: [{ terms: { id: ['a', 'b'] } }] } },
  });
  const numbered = { size: 5, track_total_hits: false, seq_no_primary_term: true, sort: [{ _seq_no: 'asc' }] };
  assert.deepEqual(changedQuery(3, 9, 5), {
    ...{ ...numbered, _source: ['id'] },
    query: { bool: { filter: [{ exists: { field: 'id' } }, { range: { _seq_no: { gt: 3, lte: 9 } } }] } },
  });
  assert.deepEqual(dnaQuery(3, 5), {
    ...{ ...numbered, _source: ['id', 'keywords'], stored_fields: ['dna'] },
    query: { range: { _seq_no: { gt: 3 } } },
  });
  assert.deepEqual(ORDER_BY_CHANGE, [{ changed: 'desc' }, { id: 'asc' }]);
});

interface Both {
  readonly query: { readonly bool: { readonly should: readonly object[] } };
}

interface Query {
  readonly track_total_hits: boolean;
  readonly query: { readonly script_score: { readonly query: { readonly bool: object } } };
}
