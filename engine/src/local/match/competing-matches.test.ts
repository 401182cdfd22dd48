import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Quad, QuadMatch } from '../../partition/result-info.ts';
import { rejectWeaker } from './competing-matches.ts';
import { scoreOf } from './decision.ts';
import { rejectedScore } from './quad-match.ts';

const GEOMETRIC_REJECTION = 'Rejection due to geometric test';

function quad(left: number, top: number, width: number, height: number): Quad {
  const [right, bottom] = [left + width, top + height];
  const points = [[left, top] as const, [right, top] as const, [right, bottom] as const, [left, bottom] as const];
  return { points, area: width * height };
}

function match(evidence: number, box: Quad, more: Partial<QuadMatch> = {}) {
  const score = evidence === Infinity ? 0 : scoreOf(evidence);
  const side = { originalDimensions: [1, 1], resizedDimensions: [1, 1], matchingBox: box } as const;
  const scores = { boxCoveredSurface: 1, boxPointsRatio: 1, boxPointsRatioHomography: 1, matchStrength: 1 };
  const homography = { source: 'reference', destination: 'query', coefficients: [1, 0, 0, 0, 1, 0, 0, 0, 1] } as const;
  const resultInfo: QuadMatch = {
    category: 'LOCALMATCHING',
    query: side,
    reference: side,
    distance: score,
    scores,
    homography,
    decision: 'Match',
    ...more,
  };
  const places = [box, ...(more.instances ?? [])].map(spread);
  return { score, resultInfo, ...(resultInfo.decision !== GEOMETRIC_REJECTION && { places }) };
}

/** 25 places in a box. */
function spread({ points: [[left, top], , [right, bottom]] }: Quad): Float32Array {
  const steps = [0.1, 0.3, 0.5, 0.7, 0.9];
  return Float32Array.from(
    steps.flatMap((u) => steps.flatMap((v) => [left + u * (right - left), top + v * (bottom - top)])),
  );
}

function decisionsOf(...results: ReturnType<typeof match>[]): string[] {
  return rejectWeaker(results).map(({ resultInfo }) => resultInfo.decision);
}

const [here, nearly, aside] = [quad(0.1, 0.1, 0.3, 0.4), quad(0.15, 0.12, 0.3, 0.4), quad(0.6, 0.1, 0.3, 0.4)];

test('of two references at one place the one with far less evidence is rejected, in either order', () => {
  const [strong, weak] = [match(10, here), match(5, nearly)];
  assert.deepEqual(decisionsOf(strong, weak), ['Match', GEOMETRIC_REJECTION]);
  assert.deepEqual(decisionsOf(weak, strong), [GEOMETRIC_REJECTION, 'Match']);
  const [, rejected] = rejectWeaker([strong, weak]);
  assert.equal(rejected.score, 0.5 + weak.score / 2);
  assert.equal(rejected.resultInfo.distance, rejected.score);
  assert.equal(rejected.resultInfo.relation, 'same design');
});

test('of two with nearly as much evidence, the one with less of both is rejected where clearly less of it agrees', () => {
  const [best, sister, copy] = [0.6, 0.5, 0.6].map((agreeingShare, i) => match(10 - i, here, { agreeingShare }));
  assert.deepEqual(decisionsOf(sister, best, copy), [GEOMETRIC_REJECTION, 'Match', 'Match']);
  assert.deepEqual(decisionsOf(match(10, here), sister), ['Match', 'Match']);
});

test('references at other places, or with nearly as much evidence, stay', () => {
  assert.deepEqual(decisionsOf(match(10, here), match(5, aside)), ['Match', 'Match']);
  assert.deepEqual(decisionsOf(match(10, here), match(8, nearly)), ['Match', 'Match']);
});

test('a picture pasted over another one stays: the other has no features there', () => {
  const corners = Float32Array.of(0.05, 0.05, 0.05, 0.9, 0.9, 0.05, 0.9, 0.9, 0.3, 0.3);
  const host = { ...match(10, quad(0, 0, 1, 1)), places: [corners] };
  assert.deepEqual(decisionsOf(host, match(5, here)), ['Match', 'Match']);
});

test('a fifth of the features of the weaker reference explains its place, less does not', () => {
  const weak = match(5, here);
  const sharing = (features: number) => ({
    ...match(10, aside),
    places: [Float32Array.of(...weak.places![0].slice(0, 2 * features), ...match(10, aside).places![0])],
  });
  assert.deepEqual(decisionsOf(sharing(5), weak), ['Match', GEOMETRIC_REJECTION]);
  assert.deepEqual(decisionsOf(sharing(4), weak), ['Match', 'Match']);
});

test('a few features that agree by chance do not widen the place of a reference', () => {
  const strong = match(10, aside);
  const weak = match(5, here);
  const stray = { ...weak, places: [Float32Array.of(...weak.places![0], 0.95, 0.95)] };
  assert.deepEqual(decisionsOf(strong, stray), ['Match', 'Match']);
});

test('a reference with an instance at a place of its own stays; an instance of the stronger one counts as its place', () => {
  assert.deepEqual(decisionsOf(match(10, here), match(5, nearly, { instances: [aside] })), ['Match', 'Match']);
  assert.deepEqual(decisionsOf(match(10, here, { instances: [aside] }), match(5, aside)), [
    'Match',
    GEOMETRIC_REJECTION,
  ]);
  const [, rejected] = rejectWeaker([match(10, here), match(5, nearly, { instances: [here] })]);
  assert.ok(!('instances' in rejected.resultInfo));
});

test('an exact copy has more evidence than any other; a rejection rejects nothing', () => {
  const copy = match(Infinity, here, { decision: 'Clone' });
  assert.deepEqual(decisionsOf(copy, match(50, nearly), copy), ['Clone', GEOMETRIC_REJECTION, 'Clone']);
  assert.deepEqual(decisionsOf(match(10, here, { decision: GEOMETRIC_REJECTION }), match(5, nearly)), [
    GEOMETRIC_REJECTION,
    'Match',
  ]);
});

test('a rejection with places rejects those with far less evidence, and stays as it is', () => {
  const strength = scoreOf(10);
  const { places, ...match10 } = match(10, here);
  const resultInfo = {
    ...match10.resultInfo,
    distance: rejectedScore(strength),
    decision: GEOMETRIC_REJECTION,
  } as QuadMatch;
  const frame = { score: rejectedScore(strength), resultInfo, places: places! };
  const [rejected, weak, near] = rejectWeaker([frame, match(5, nearly), match(9, nearly)]);
  assert.deepEqual(rejected, frame);
  assert.deepEqual(
    [weak, near].map(({ resultInfo }) => resultInfo.decision),
    [GEOMETRIC_REJECTION, 'Match'],
  );
});

test('results of other kinds stay as they are', () => {
  const plain = { score: 0.4, resultInfo: null };
  assert.deepEqual(rejectWeaker([plain]), [plain]);
});

test('the order of the results has no influence', () => {
  const unit = fc.integer({ min: 0, max: 8 }).map((eighths) => eighths / 10);
  const result = fc.tuple(fc.integer({ min: 3, max: 40 }), unit, unit).map(([evidence, x, y]) => {
    return match(evidence, quad(x, y, 0.2, 0.2));
  });
  fc.assert(
    fc.property(fc.array(result, { maxLength: 12 }), (results) => {
      assert.deepEqual(rejectWeaker(results.toReversed()).reverse(), rejectWeaker(results));
    }),
  );
});
