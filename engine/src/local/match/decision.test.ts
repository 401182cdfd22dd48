import assert from 'node:assert/strict';
import { test } from 'node:test';
import { similarity } from '../../../test/planted.ts';
import type { Homography } from '../../geometry/homography.ts';
import {
  MIN_CLONE_EVIDENCE,
  decide,
  type Decision,
  MIN_MATCH_EVIDENCE,
  scoreOf,
  MIN_SIMILAR_EVIDENCE,
} from './decision.ts';

const frame = { width: 400, height: 300 };
const same: Homography = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const diagonal = 500;

const table: [what: string, evidence: number, map: Homography, query: typeof frame, Decision][] = [
  ['nothing', 0, same, frame, 'Different'],
  ['a little', MIN_SIMILAR_EVIDENCE - 1e-9, same, frame, 'Different'],
  ['as much as it takes to be similar', MIN_SIMILAR_EVIDENCE, same, frame, 'Similar'],
  ['just too little for a match', MIN_MATCH_EVIDENCE - 1e-9, same, frame, 'Similar'],
  ['as much as a match takes', MIN_MATCH_EVIDENCE, same, frame, 'Match'],
  ['a little less than a clone takes', MIN_CLONE_EVIDENCE - 1e-9, same, frame, 'Match'],
  ['as much as a clone takes, every corner on its own', MIN_CLONE_EVIDENCE, same, frame, 'Clone'],
  ['much, at half the size', 50, [0.5, 0, 0, 0, 0.5, 0, 0, 0, 1], { width: 200, height: 150 }, 'Clone'],
  ['much, moved by less than 3 % of the diagonal', 50, [1, 0, 0.029 * diagonal, 0, 1, 0, 0, 0, 1], frame, 'Clone'],
  ['much, moved by more than 3 % of the diagonal', 50, [1, 0, 0.031 * diagonal, 0, 1, 0, 0, 0, 1], frame, 'Match'],
  ['much, one corner pulled away', 50, [1, 0, 0, 0, 1, 0, 2e-4, 0, 1], frame, 'Match'],
  ['much, a right angle', 50, similarity(64, 1, [200, 150], [150, 200]), { width: 300, height: 400 }, 'Match'],
  ['much, 180 degrees', 50, similarity(128, 1, [200, 150], [200, 150]), frame, 'Match'],
  ['much, mirrored', 50, [-1, 0, 400, 0, 1, 0, 0, 0, 1], frame, 'Match'],
  ['much, a crop', 50, [1, 0, -50, 0, 1, -30, 0, 0, 1], { width: 300, height: 240 }, 'Match'],
];

for (const [what, evidence, map, query, expected] of table) {
  test(`${what}: ${expected}`, () => assert.equal(decide(evidence, map, frame, query), expected));
}

type Agreeing = Parameters<typeof decide>[4];
const overlaps: [what: string, evidence: number, map: Homography, Agreeing, copy: boolean, Decision][] = [
  ['all agrees', 50, same, { agreeing: 1, apart: 0, equal: undefined }, true, 'Clone'],
  [
    'as much agrees as a clone takes',
    MIN_CLONE_EVIDENCE,
    same,
    { agreeing: 0.95, apart: 0.03, equal: 0.75 },
    true,
    'Clone',
  ],
  ['too little agrees for a clone', 50, same, { agreeing: 0.949, apart: 0.03, equal: 1 }, true, 'Match'],
  ['one place differs', 50, same, { agreeing: 0.96, apart: 0.031, equal: 1 }, true, 'Match'],
  ['a second photograph of one thing', 50, same, { agreeing: 1, apart: 0, equal: 0.749 }, true, 'Match'],
  ['a frame', 50, same, { agreeing: 1, apart: 0, equal: 1 }, false, 'Similar'],
  ['a copy, little evidence', MIN_SIMILAR_EVIDENCE, same, { agreeing: 1, apart: 0, equal: 1 }, true, 'Match'],
  [
    'a copy, too little evidence',
    MIN_SIMILAR_EVIDENCE - 1e-9,
    same,
    { agreeing: 1, apart: 0, equal: 1 },
    true,
    'Different',
  ],
  ['a part', 50, [1, 0, 50, 0, 1, 0, 0, 0, 1], { agreeing: 1, apart: 0, equal: 1 }, true, 'Match'],
];

for (const [what, evidence, map, overlap, copy, expected] of overlaps) {
  test(`${what}: ${expected}`, () => assert.equal(decide(evidence, map, frame, frame, overlap, copy), expected));
}

test('a score falls from 1 without evidence over 1/2 where a match begins towards 0, with six decimals', () => {
  assert.deepEqual(
    [0, MIN_MATCH_EVIDENCE, 3 * MIN_MATCH_EVIDENCE, 1000].map((evidence) => scoreOf(evidence)),
    [1, 0.5, 0.25, 0.002991],
  );
  const scores = Array.from({ length: 300 }, (_, i) => scoreOf(i / 4));
  for (let i = 1; i < scores.length; i++) assert.ok(scores[i] < scores[i - 1] && scores[i] > 0);
  assert.ok(scores.every((score) => Math.abs(score * 1e6 - Math.round(score * 1e6)) < 1e-6));
});
