import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judged, type Query } from './threshold.ts';

const shows = [0, 1, 2, 3, -1, -1];
const queries: Query[] = shows.map((each) => ({ kind: 'k', path: '', shows: each }));
const answers = (best: [number, number][], decides = false) => ({
  name: 'a',
  bytes: 1,
  addMs: 1,
  searchMs: 1,
  best,
  decides,
});

test('the threshold of a half is above all wrong answers of the other half', () => {
  // even queries are wrong up to 5, odd ones up to 3
  const best: [number, number][] = [
    [0, 4],
    [1, 6],
    [2, 3],
    [3, 5],
    [0, 5],
    [0, 3],
  ];
  assert.deepEqual(judged(queries, answers(best)), ['right', 'right', 'undecided', 'undecided', 'wrong', 'undecided']);
});

test('a program that decides by itself has no threshold: a score above 0 is an answer', () => {
  const best: [number, number][] = [
    [0, 1],
    [3, 1],
    [2, 0],
    [3, 1],
    [0, 0],
    [0, 1],
  ];
  assert.deepEqual(judged(queries, answers(best, true)), [
    'right',
    'wrong',
    'undecided',
    'right',
    'undecided',
    'wrong',
  ]);
});
