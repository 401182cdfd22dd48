import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { groupsOf } from './groups.ts';
import type { Match } from './groups.ts';

const idsOf = (matches: readonly Match[], apart: readonly string[][] = []) =>
  groupsOf(matches, apart).map(({ pictures }) => pictures.map(({ id }) => id));

test('what matches over others is one group; the best match comes first', () => {
  const matches = [
    { a: 'b', b: 'c', score: 0.3 },
    { a: 'x', b: 'y', score: 0.1 },
    { a: 'a', b: 'b', score: 0.2 },
  ];
  assert.deepEqual(idsOf(matches), [
    ['x', 'y'],
    ['a', 'b', 'c'],
  ]);
  assert.deepEqual(
    groupsOf(matches, [])[1]!.pictures.map(({ score }) => score),
    [0.2, 0.2, 0.3],
  );
});

test('pictures that are said to be apart are held together only by a third one', () => {
  const [ab, bc, ac] = [
    ['a', 'b'],
    ['b', 'c'],
    ['a', 'c'],
  ].map(([a, b]) => ({ a: a!, b: b!, score: 0.1 }));
  assert.deepEqual(idsOf([ab!], [['b', 'a']]), []);
  assert.deepEqual(idsOf([ab!, bc!, ac!], [['a', 'b']]), [['a', 'b', 'c']]);
  assert.deepEqual(idsOf([ab!, bc!, ac!], [['a', 'b', 'c']]), []);
});

test('whatever matches, groups are what a walk over the matches reaches', () => {
  const match = fc.record({ a: fc.integer({ max: 12, min: 0 }), b: fc.integer({ max: 12, min: 0 }) });
  fc.assert(
    fc.property(fc.array(match), (pairs) => {
      const matches = pairs.filter(({ a, b }) => a !== b).map(({ a, b }) => ({ a: `${a}`, b: `${b}`, score: 0.5 }));
      const groups = idsOf(matches);
      const ids = groups.flat();
      assert.equal(new Set(ids).size, ids.length);
      assert.deepEqual(new Set(ids), new Set(matches.flatMap(({ a, b }) => [a, b])));
      for (const group of groups) assert.deepEqual(new Set(group), connected(group[0]!, matches));
    }),
  );
});

function connected(start: string, matches: readonly Match[]): Set<string> {
  const seen = new Set([start]);
  for (let before = 0; before < seen.size;) {
    before = seen.size;
    for (const { a, b } of matches) if (seen.has(a) || seen.has(b)) seen.add(a).add(b);
  }
  return seen;
}
