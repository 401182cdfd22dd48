import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortlistQuery, termText } from './search-query.ts';

test('terms are texts of one length, all different', () => {
  const numbers = [0, 1, 63, 64, 4095, 4096, 2 ** 28 - 1];
  const texts = numbers.map(termText);
  assert.ok(texts.every((text) => /^[\w-]{5}$/.test(text)));
  assert.equal(new Set(texts).size, numbers.length);
});

test('the terms of a feature are grouped by their gains', () => {
  const variant = { features: 2, each: 2, terms: Uint32Array.of(1, 2, 3, 4), gains: Uint8Array.of(7, 7, 7, 9) };
  const none = { ...variant, features: 0 };
  const restriction = { keywords: ['red'], ids: null };
  const query = JSON.stringify(shortlistQuery({ digest: 'd', variants: [variant, none] }, restriction, 5));
  const group = (texts: string[], boost: number) => ({
    constant_score: { filter: { terms: { terms: texts } }, boost },
  });
  const [a, b, c, d] = [1, 2, 3, 4].map(termText) as [string, string, string, string];
  const should = [group([a, b], 7), { dis_max: { queries: [group([c], 7), group([d], 9)] } }];
  assert.ok(query.includes(JSON.stringify({ must: [{ dis_max: { queries: [{ bool: { should } }] } }] }).slice(1, -1)));
  assert.ok(query.includes(JSON.stringify({ filter: [{ term: { keywords: 'red' } }] }).slice(1, -1)));
  assert.ok(query.includes(JSON.stringify({ must_not: [{ term: { digest: 'd' } }] }).slice(1, -1)));
});
