import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BoxMatch } from '../../partition/result-info.ts';
import { scoreOf } from './decision.ts';
import { markSameDesigns } from './same-designs.ts';

interface Given {
  readonly evidence: number;
  readonly agreeing: number;
  readonly toned?: number;
  /** Where the region begins, of a half of the query. */
  readonly left?: number;
  readonly decision?: BoxMatch['decision'];
}

function match({ evidence, agreeing, toned = 0.5, left = 0, decision = 'Match' }: Given) {
  const score = evidence === Infinity ? 0 : scoreOf(evidence);
  const side = (from: number, to: number) => ({
    resizedDimensions: [1, 1] as const,
    matchingBox: { topLeftPoint: [from, 0] as const, bottomRightPoint: [to, 1] as const },
  });
  const resultInfo: BoxMatch = {
    category: 'LOCALMATCHING',
    query: side(left, left + 0.5),
    reference: side(0, 1),
    distance: score,
    homography: { source: 'reference', destination: 'query', coefficients: [1, 0, 0, 0, 1, 0, 0, 0, 1] },
    decision,
    relation: 'part',
    false_match_probability: 0.1,
    agreeingShare: agreeing,
  };
  return { score, resultInfo, toned };
}

const better = { evidence: 12, agreeing: 0.96 };
const sister = { evidence: 6, agreeing: 0.9 };
const decisionsOf = (...given: Given[]): string[] =>
  markSameDesigns(given.map(match)).map(({ resultInfo }) => resultInfo.decision);

test('what another reference explains much better is Similar, of the same design, with a score beyond every match', () => {
  const [, marked] = markSameDesigns([match(better), match(sister)]);
  assert.deepEqual([marked.resultInfo.decision, marked.resultInfo.relation], ['Similar', 'same design']);
  assert.equal(marked.score, 0.533333);
  assert.equal(marked.resultInfo.distance, marked.score);
  assert.ok(marked.resultInfo.false_match_probability > 0.5);
});

const stay: [what: string, better: Given, other: Given][] = [
  ['two copies of one picture', { ...better, decision: 'Clone' }, { ...sister, agreeing: 0.96, decision: 'Clone' }],
  ['a Clone', better, { ...sister, decision: 'Clone' }],
  ['a copy with as much in common', better, { ...sister, agreeing: 0.95 }],
  ['one with nearly as much evidence', better, { ...sister, evidence: 8 }],
  ['one with enough evidence of its own', { ...better, evidence: 50 }, { ...sister, evidence: 8 }],
  ['a copy with a text over it, of which much differs', better, { ...sister, agreeing: 0.7 }],
  ['a copy with a border, whose pixels follow one tone', better, { ...sister, toned: 0.7 }],
  ['one at another place', better, { ...sister, left: 0.4 }],
];
for (const [what, one, other] of stay)
  test(`${what} stays`, () => {
    assert.deepEqual(decisionsOf(one, other).length, 2);
    assert.equal(decisionsOf(one, other)[1], other.decision ?? 'Match');
  });

test('an exact copy is better than any other; what is Similar is no reason', () => {
  assert.deepEqual(decisionsOf({ evidence: Infinity, agreeing: 1, decision: 'Clone' }, sister), ['Clone', 'Similar']);
  assert.deepEqual(decisionsOf({ ...better, decision: 'Similar' }, sister), ['Similar', 'Match']);
});

test('verdicts of other types stay as they are', () => {
  const plain = { score: 0.4, resultInfo: null };
  assert.deepEqual(markSameDesigns([plain]), [plain]);
});

test('the order of the results has no influence', () => {
  const given = fc.record({
    evidence: fc.integer({ min: 3, max: 20 }),
    agreeing: fc.integer({ min: 80, max: 100 }).map((percent) => percent / 100),
    toned: fc.constantFrom(0.5, 0.9),
    left: fc.constantFrom(0, 0.1, 0.5),
  });
  fc.assert(
    fc.property(fc.array(given, { maxLength: 12 }), (all) => {
      const results = all.map(match);
      assert.deepEqual(markSameDesigns(results.toReversed()).reverse(), markSameDesigns(results));
    }),
  );
});
