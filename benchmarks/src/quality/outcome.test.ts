import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compose } from '@sosia/engine/geometry/homography';
import { moving, rotating, scaling } from '@sosia/testing/pictures/homography';
import { alarmScore, type Found, type Hit } from '@sosia/testing/searching/search';
import { judge } from './outcome.ts';

// A reference of 400 x 300, rotated and halved into a query of 600 x 500 that the engine looked at in 300 x 250.
const truthInPixels = compose(moving(250, 40), compose(rotating(0.3), scaling(0.5, 0.5)));
const truth = compose(scaling(1 / 600, 1 / 500), compose(truthInPixels, scaling(400, 300)));
const seen = compose(scaling(0.5, 0.5), compose(truthInPixels, scaling(2, 2))); // reference looked at in 200 x 150
const answer = { image: 7, truth, width: 600, height: 500 };

test('a homography that is the truth in other pixels has no corner error', () => {
  assert.ok(judge(found(hit(7, seen)), answer).cornerError! < 1e-12);
});

test('a homography that is off by 3 and 4 query pixels is off by their diagonal', () => {
  const off = compose(moving(1.5, 2), seen);
  assert.ok(Math.abs(judge(found(hit(7, off)), answer).cornerError! - 5 / Math.hypot(600, 500)) < 1e-12);
});

test('the corner that is furthest off counts', () => {
  const stretched = compose(seen, scaling(1.1, 1)); // the left corners stay where they are
  const error = judge(found(hit(7, stretched)), answer).cornerError!;
  assert.ok(Math.abs(error - 20 / Math.hypot(600, 500)) < 1e-12, `${error}`); // a tenth of 200 query pixels
});

test('the right picture at rank 2 is shortlisted but has no score, and the wrong one before it is a false match', () => {
  const outcome = judge(found(hit(3, seen), hit(7, seen)), answer);
  assert.deepEqual([outcome.shortlisted, outcome.score, outcome.decision], [true, null, 'none']);
  assert.equal(outcome.falseMatch?.image, 3);
});

test('a wrong picture that is merely similar is no false match', () => {
  assert.equal(judge(found(hit(3, seen, 'Similar')), answer).falseMatch, null);
});

test('nothing found is no score and no match', () => {
  assert.deepEqual(judge(found(), answer), {
    shortlisted: false,
    score: null,
    decision: 'none',
    cornerError: null,
    falseMatch: null,
  });
});

test('a query that shows no reference has no score, and whatever matches is a false match', () => {
  const outcome = judge(found(hit(3, seen)), null);
  assert.deepEqual([outcome.shortlisted, outcome.score, outcome.falseMatch?.image], [false, null, 3]);
});

test('one negative in a hundred may be below the alarm score, not two', () => {
  const best = Array.from({ length: 200 }, (_, i) => i / 200);
  const alarm = alarmScore(best, 0.01);
  assert.equal(best.filter((score) => score < alarm).length, 2);
});

test('every hit counts when the negatives have none', () => {
  assert.equal(alarmScore(new Array<number>(100).fill(1), 0.01), 1);
});

function hit(image: number, coefficients: readonly number[], decision: Hit['info']['decision'] = 'Match'): Hit {
  const query = { resizedDimensions: [300, 250] };
  const reference = { resizedDimensions: [200, 150] };
  return {
    image,
    score: 0.2,
    info: { decision, query, reference, homography: { coefficients } } as unknown as Hit['info'],
  };
}

function found(...hits: Hit[]): Found {
  return { shortlist: hits.map(({ image }) => image), hits, candidatesMs: 1, verifyMs: 1 };
}
