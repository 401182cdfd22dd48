import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupsOf } from './groups.ts';
import type { Known, Pair } from './groups.ts';

const pair = (a: string, b: string, score = 0.1): Pair => ({ a, b, score, decision: 'Clone' });
const known = new Map<string, Known>();
const idsOf = (pairs: readonly Pair[]): string[] =>
  groupsOf('duplicates', pairs, known).map(({ images }) => images.map(({ id }) => id).join(' '));

test('pairs that share a picture are one group, whatever their order', () => {
  const pairs = [pair('a', 'b'), pair('x', 'y'), pair('c', 'b'), pair('d', 'c')];
  assert.deepEqual(idsOf(pairs), ['a b c d', 'x y']);
  assert.deepEqual(idsOf([...pairs].reverse()), ['a b c d', 'x y']);
  assert.deepEqual(idsOf([]), []);
});

test('the picture with the most pixels is proposed, of several the one with the shortest id', () => {
  const sizes = new Map<string, Known>([
    ['boat', { keywords: [], frame: [300, 200] }],
    ['boat large', { keywords: ['sea'], frame: [512, 341] }],
    ['boat large (1)', { keywords: [], frame: [512, 341] }],
  ]);
  const [group] = groupsOf('duplicates', [pair('boat', 'boat large'), pair('boat', 'boat large (1)', 0.2)], sizes);
  assert.equal(group!.keep, 'boat large');
  assert.match(group!.reason, /most pixels/);
  const facts = Object.fromEntries(
    group!.images.map(({ id, width, similarity, keywords }) => [id, [width, similarity, keywords]]),
  );
  assert.deepEqual(facts['boat'], [300, 90, []]);
  assert.deepEqual(facts['boat large'], [null, null, ['sea']], 'the size of a reduced picture is not known');
  assert.deepEqual(facts['boat large (1)'], [null, 80, []]);
});
