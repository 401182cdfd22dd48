import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finished } from '@sosia/engine';
import { sorted } from './sorted.ts';

test('any count is sorted by the comparison', () => {
  for (const count of [0, 1, 2, 4095, 4096, 4097, 20_000]) {
    const key = (number: number): number => Math.imul(number, 0x9e3779b1) >>> 0;
    const found = finished(sorted(count, (a, b) => key(a) - key(b)));
    const expected = Array.from({ length: count }, (_, i) => i).sort((a, b) => key(a) - key(b));
    assert.deepEqual([...found], expected, String(count));
  }
});
