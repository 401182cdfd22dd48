import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ago, bytes, count, percent, time } from './figures.ts';

test('per cent have one decimal, but for all and nothing', () => {
  assert.deepEqual([100, 99.9, 83.7, 3, 0].map(percent), ['100 %', '99.9 %', '83.7 %', '3.0 %', '0 %']);
});

test('numbers have the unit that keeps them short', () => {
  assert.deepEqual([0, 999, 1000, 81_300, 2_040_000].map(bytes), ['0 B', '999 B', '1.0 KB', '81.3 KB', '2.0 MB']);
  assert.deepEqual([0, 24.4, 1300].map(time), ['0 ms', '24 ms', '1.3 s']);
  assert.deepEqual([count(1, 'picture'), count(2400, 'picture')], ['1 picture', '2,400 pictures']);
});

test('a time is relative within a day', () => {
  const now = Date.UTC(2026, 5, 15, 12);
  const minutes = (number: number): string => ago(now - number * 60_000, now);
  assert.deepEqual([0, 1, 59, 60, 23 * 60].map(minutes), [
    'just now',
    '1 min ago',
    '59 min ago',
    '1 h ago',
    '23 h ago',
  ]);
  assert.match(minutes(48 * 60), /^Jun 13, 2026$/);
});
