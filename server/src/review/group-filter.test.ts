import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReviewGroup } from '@sosia/contract';
import { passes } from './group-filter.ts';
import { Links } from './links.ts';

const group = (...matches: (readonly [decision: string, similarity: number])[]): ReviewGroup => {
  const image = { keywords: [], score: 0, width: null, height: null, bytes: null, grade: null, added: null };
  const others = matches.map(([decision, similarity], i) => ({ ...image, id: `copy ${i}`, decision, similarity }));
  const images = [{ ...image, id: 'kept', decision: 'Match', similarity: 0 }, ...others];
  return { id: 'g', kind: 'duplicates', state: 'open', images, keep: 'kept', reason: '' };
};
const links = new Links();
links.set(
  'kept',
  ['copy 0', 'copy 1'].map((to) => ({ to, score: 0, decision: 'Clone' })),
);
const bulksOf = (each: ReviewGroup, found = links) =>
  (['clones', 'matches'] as const).filter((bulk) => passes(each, { bulk, minSimilarity: 0 }, found));

test('only groups of pictures that themselves match the kept one are judged together', () => {
  assert.deepEqual(bulksOf(group(['Clone', 60], ['Clone', 99])), ['clones', 'matches']);
  assert.deepEqual(bulksOf(group(['Clone', 99], ['Match', 80])), ['matches']);
  assert.deepEqual(bulksOf(group(['Clone', 99], ['Match', 79.9])), []);
  assert.deepEqual(bulksOf(group(['Clone', 99]), new Links()), []);
  assert.deepEqual(bulksOf(group(['Clone', 99], ['Clone', 99], ['Clone', 99])), [], 'a copy of a copy');
  assert.deepEqual(bulksOf({ ...group(['Similar', 99]), kind: 'similar' }), []);
});

test('types without decisions are judged together by similarity', () => {
  assert.deepEqual([bulksOf(group(['', 95])), bulksOf(group(['', 94]))], [['clones', 'matches'], ['matches']]);
  assert.deepEqual(bulksOf(group(['', 79])), []);
});
