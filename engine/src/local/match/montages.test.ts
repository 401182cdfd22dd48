import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BoxMatch, Relation } from '../../partition/result-info.ts';
import { withMontages } from './montages.ts';

/** A match whose reference shows between these columns of the query. */
function shown(left: number, right: number, relation: Relation = 'part') {
  const side = (from: number, to: number) => ({
    resizedDimensions: [1, 1] as const,
    matchingBox: { topLeftPoint: [from, 0] as const, bottomRightPoint: [to, 1] as const },
  });
  const resultInfo: BoxMatch = {
    category: 'LOCALMATCHING',
    query: side(left, right),
    reference: side(0, 1),
    distance: 0.1,
    homography: { source: 'reference', destination: 'query', coefficients: [1, 0, 0, 0, 1, 0, 0, 0, 1] },
    decision: 'Match',
    relation,
    false_match_probability: 0.1,
  };
  return { score: 0.1, resultInfo };
}

const relationsOf = (...verdicts: ReturnType<typeof shown>[]): Relation[] =>
  withMontages(verdicts).map(({ resultInfo }) => resultInfo.relation);

test('parts beside one another are a montage, in any order; boxes may touch by a little', () => {
  const parts = [shown(0, 0.52), shown(0.5, 1), shown(0.1, 0.4)];
  assert.deepEqual(relationsOf(...parts), ['montage', 'montage', 'montage']);
  assert.deepEqual(relationsOf(...parts.toReversed()), ['montage', 'montage', 'montage']);
});

test('parts at one place stay parts, also beside a copy and what is only similar', () => {
  assert.deepEqual(relationsOf(shown(0, 0.5)), ['part']);
  assert.deepEqual(relationsOf(shown(0, 0.5), shown(0.05, 0.6)), ['part', 'part']);
  const [similar, copy] = [shown(0.6, 1, 'same design'), shown(0, 1, 'copy')];
  assert.deepEqual(relationsOf(shown(0, 0.5), similar, copy), ['part', 'same design', 'copy']);
});
