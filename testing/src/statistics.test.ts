import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mean, median, quantile } from './statistics.ts';

test('a quantile is the smallest value that has its share of the values at or below it', () => {
  const values = [30, 10, 20, 40, 50];
  assert.equal(quantile(values, 0.2), 10);
  assert.equal(quantile(values, 0.21), 20);
  assert.equal(quantile(values, 0.95), 50);
  assert.equal(quantile(values, 1), 50);
  assert.equal(median(values), 30);
});

test('numbers are ordered as numbers', () => {
  assert.equal(quantile([9, 10, 100], 1), 100);
  assert.equal(mean([9, 10, 101]), 40);
});

test('no values have no quantile', () => {
  assert.ok(Number.isNaN(median([])));
});
