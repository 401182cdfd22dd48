import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BoxMatch } from './result-info/box-match.ts';
import { similarityOf } from './similarity.ts';

const match = (decision: BoxMatch['decision'], agreeingShare: number, part = 1): BoxMatch => {
  const side = (width: number) => ({
    resizedDimensions: [100, 100] as [number, number],
    matchingBox: { topLeftPoint: [0, 0] as [number, number], bottomRightPoint: [width, 1] as [number, number] },
  });
  return {
    category: 'LOCALMATCHING',
    query: side(1),
    reference: side(part),
    distance: 0.1,
    homography: { source: 'reference', destination: 'query', coefficients: [1, 0, 0, 0, 1, 0, 0, 0, 1] },
    decision,
    relation: 'copy',
    false_match_probability: 0,
    agreeingShare,
  };
};

test('the similarity of a match is what agrees by how much of both is shown', () => {
  assert.equal(similarityOf(0, false, match('Clone', 1)), 100);
  assert.equal(similarityOf(1e-6, false, match('Clone', 1)), 99.9);
  assert.equal(similarityOf(0.06, false, match('Clone', 1)), 98.8);
  assert.equal(similarityOf(0.06, false, match('Match', 0.8)), 79);
  assert.equal(similarityOf(0.3, false, match('Match', 1, 0.1)), 43.6);
  assert.equal(similarityOf(0.5, false, match('Similar', 1)), 20);
  assert.equal(similarityOf(0.4, true, null), 36);
});
