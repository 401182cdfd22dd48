import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nothing, toggled } from './selection.ts';

const idAt = (index: number): string | undefined => (index < 8 ? `p${index}` : undefined);
const chosen = (selection: typeof nothing): string => [...selection.ids].sort().join(' ');

test('a choice is added and taken back', () => {
  const one = toggled(nothing, 3, false, idAt);
  assert.equal(chosen(one), 'p3');
  assert.equal(chosen(toggled(one, 3, false, idAt)), '');
  assert.equal(chosen(nothing), '');
});

test('a range goes from the last choice, in both directions, without pictures that are not fetched', () => {
  const from = toggled(nothing, 5, false, idAt);
  assert.equal(chosen(toggled(from, 3, true, idAt)), 'p3 p4 p5');
  assert.equal(chosen(toggled(from, 9, true, idAt)), 'p5 p6 p7');
  assert.equal(chosen(toggled(nothing, 2, true, idAt)), 'p2', 'without a last choice it is one picture');
});
