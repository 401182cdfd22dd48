import assert from 'node:assert/strict';
import { test } from 'node:test';
import { averagePrecision, mean, median, quantile, recallAt, type Scored } from './statistics.ts';

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

test('the average precision is that of all answers in the order of their scores', () => {
  const answers = [answer(0.3, true), answer(0.1, true), answer(0.2, false)];
  assert.equal(averagePrecision(answers, 2), (1 + 2 / 3) / 2);
  assert.equal(averagePrecision(answers, 4), (1 + 2 / 3) / 4, 'what was not answered counts');
});

test('the recall at a precision is the largest that a threshold gives', () => {
  const answers = [answer(0.1, false), answer(0.2, true), answer(0.3, true), answer(0.4, true), answer(0.5, false)];
  assert.equal(recallAt(0.75, answers, 4), 3 / 4);
  assert.equal(recallAt(0.9, answers, 4), 0);
});

test('of equal scores the wrong answer comes first', () => {
  assert.equal(averagePrecision([answer(0.1, true), answer(0.1, false)], 1), 1 / 2);
});

function answer(score: number, right: boolean): Scored {
  return { score, right };
}
