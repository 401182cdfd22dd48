import assert from 'node:assert/strict';
import { test } from 'node:test';
import { innerPlaces } from './inner-places.ts';

test('cells of the inner part count once, for features that are clearly the same', () => {
  const at = (x: number, y: number, distance = 0) =>
    ({ feature: 0, query: [0, 0], reference: [x, y], distance }) as const;
  const agreements = [
    at(150, 150),
    at(160, 190),
    at(250, 150),
    at(350, 250, 13),
    at(50, 250),
    at(450, 250),
    at(250, 499),
  ];
  assert.equal(innerPlaces({ agreements }, { width: 500, height: 500 }), 2);
});
