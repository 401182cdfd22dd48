import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchInfoOf, verdictOf } from './match-info.ts';

const image = (resultInfo: object) => ({ id: 'a', keywords: [], score: 0, result_info: JSON.stringify(resultInfo) });
const homography = { source: 'reference', destination: 'query', coefficients: [2, 0, 5, 0, 2, 7, 0, 0, 1] };

const side = { resizedDimensions: [300, 200], matchingBox: { topLeftPoint: [0, 0], bottomRightPoint: [1, 1] } };
const sides = { homography, query: side, reference: side };

test('boxes of two corners and of four points have one form in the page', () => {
  const byCorners = { topLeftPoint: [0.1, 0.2], bottomRightPoint: [0.5, 0.6] };
  const byPoints = {
    points: [
      [0.1, 0.2],
      [0.5, 0.2],
      [0.5, 0.6],
      [0.1, 0.6],
    ],
    area: 0.16,
  };
  const resultInfo = (matchingBox: object) => ({
    decision: 'Match',
    homography,
    query: { resizedDimensions: [512, 341], matchingBox },
    reference: { resizedDimensions: [300, 200], matchingBox },
  });
  const info = matchInfoOf(image(resultInfo(byCorners)));
  assert.deepEqual(info, matchInfoOf(image(resultInfo(byPoints))));
  assert.deepEqual(info.places?.query, { frame: [512, 341], box: byPoints.points });
  assert.deepEqual(info.places.homography, homography.coefficients);
});

test('a picture without a result_info, and one with scores alone, have no boxes', () => {
  assert.deepEqual(matchInfoOf({ ...image({}), result_info: '' }), { decision: undefined, parts: [] });
  assert.deepEqual(matchInfoOf(image({ category: 'SIMILARITY', shapeScore: 0.5, colorScore: 0.25 })).parts, [
    { name: 'shape', score: 0.5 },
    { name: 'colour', score: 0.25 },
  ]);
});

test('a relation is shown and has its sentence, unless the decision says the same', () => {
  const shown = verdictOf('Similar', 'same form');
  assert.deepEqual([shown.word, shown.relation], ['Similar', 'same form']);
  assert.match(shown.sentence, /other entries/);
  assert.deepEqual(verdictOf('Clone', 'copy'), verdictOf('Clone'));
  assert.deepEqual(verdictOf('Similar', 'related'), verdictOf('Similar'));
  const rejected = verdictOf('Rejection due to geometric test', 'same design').sentence;
  assert.match(rejected, /^No match: .* one design/);
  assert.equal(
    matchInfoOf(image({ category: 'LOCALMATCHING', decision: 'Match', relation: 'part', ...sides })).relation,
    'part',
  );
});

test('rejections are distinguished from results', () => {
  const { word, accepted } = verdictOf('Clone');
  assert.deepEqual([word, accepted], ['Clone', true]);
  assert.equal(verdictOf('Rejection due to shape of the matching box').word, 'Rejected: shape');
  assert.equal(verdictOf('Rejection due to geometric test').accepted, false);
  const decisions = [
    'Clone',
    'Match',
    'Similar',
    'Rejection due to shape of the matching box',
    'Rejection due to geometric test',
  ];
  assert.equal(
    new Set(decisions.map((each) => verdictOf(each).sentence)).size,
    decisions.length,
    'each has its sentence',
  );
});
