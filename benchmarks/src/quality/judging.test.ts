import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeAll, type Trial } from './judging.ts';
import type { Found } from './searching.ts';

const truth = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const about = (image: number | null, attack: string | null): Trial => ({
  path: '',
  source: 'a.jpg',
  attack,
  answer: image === null ? null : { image, truth, width: 100, height: 100 },
});
const first = (image: number, score: number): Found => {
  const size = { resizedDimensions: [100, 100] as const };
  const info = { decision: 'Match' as const, query: size, reference: size, homography: { coefficients: truth } };
  return { shortlist: [image], hits: [{ image, score, info }], candidatesMs: 1, verifyMs: 1 };
};

test('trials are told apart as attacked, exact and negative, and wrong claims are gathered from all of them', () => {
  const trials = [about(1, 'blur'), about(2, 'blur'), about(3, null), about(null, null), about(null, 'blur')];
  const judged = judgeAll(trials, [first(1, 0.1), first(9, 0.2), first(3, 0), first(8, 0.3), null]);
  assert.deepEqual(
    judged.attacked.get('blur')!.map(({ score }) => score),
    [0.1, null],
  );
  assert.deepEqual(
    judged.exact.map(({ score }) => score),
    [0],
  );
  assert.deepEqual(judged.negatives, [0.3, 1]);
  assert.deepEqual(
    judged.falseClaims.map(({ hit }) => hit.image),
    [9, 8],
  );
});

test('a query that could not be described finds nothing', () => {
  const { attacked } = judgeAll([about(1, 'blur')], [null]);
  assert.deepEqual(
    attacked.get('blur')!.map(({ shortlisted, score }) => [shortlisted, score]),
    [[false, null]],
  );
});
