import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Correspondences } from '../index/correspondences.ts';
import { explanation } from './explanation.ts';

test('a picture that was not found is explained by the number of features that look alike', () => {
  const reasons = [0, 1, 2].map((count) => explanation(undefined, undefined, [{ count } as Correspondences]).reason);
  assert.deepEqual(reasons, [
    'too few words in common: 0 features look alike',
    'too few words in common: 1 feature looks alike',
    'geometric test failed: 2 features look alike, no two of them agree on a place',
  ]);
});
