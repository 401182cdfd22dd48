import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { obeying, type Pair, similarity, stray, stream, tentativeOf, views } from '../../../test/planted.ts';
import { imageOf } from '../../geometry/frame.ts';
import { compose, type Homography, project } from '../../geometry/homography.ts';
import { MIN_MATCH_EVIDENCE, MIN_SIMILAR_EVIDENCE } from '../match/decision.ts';
import { type Alignment, align } from './alignment.ts';
import { bestHypothesis } from './hypothesis.ts';

const reference = { width: 512, height: 384 };
const query = { width: 480, height: 512 };

/** Pixels from which on a pair does not bend a map that it obeys by chance. */
const OUTLIER_OFFSET_PIXELS = 24;

/** Pairs that obey a map, spread over the part of the reference that the query shows, and some that clearly do not. */
function planted(map: Homography, obedient: number, strays: number, noise: number, seed: number): Pair[] {
  const random = stream(seed);
  const pairs: Pair[] = [];
  for (let i = 0; i < 10 * obedient && pairs.length < obedient; i++) {
    pairs.push(...obeying(map, 512 * random(), 384 * random(), query, noise, random));
  }
  while (strays > 0) {
    const pair = stray(reference, query, random);
    const [x, y] = project(map, pair.rx, pair.ry);
    if (Math.hypot(x - pair.qx, y - pair.qy) < OUTLIER_OFFSET_PIXELS) continue;
    pairs.push(pair);
    strays--;
  }
  return pairs;
}

/** How far from the truth a map puts the obedient pairs, at most, in pixels. */
function worst(found: Alignment, truth: Homography, pairs: readonly Pair[]): number {
  return Math.max(
    ...pairs.map(({ rx, ry }) => {
      const [x, y] = project(found.homography, rx, ry);
      const [tx, ty] = project(truth, rx, ry);
      return Math.hypot(x - tx, y - ty);
    }),
  );
}

test('a planted homography is given back, with its inliers and hardly any outlier', () => {
  fc.assert(
    fc.property(views(reference, query), fc.nat(), (truth, seed) => {
      const pairs = planted(truth, 80, 80, 0.7, seed);
      const obedient = pairs.slice(0, 80);
      const tentative = tentativeOf(pairs);
      const found = align(tentative, reference, query);
      assert.ok(found, 'not found');
      assert.ok(worst(found, truth, obedient) < 1.5, `${worst(found, truth, obedient)} px off`);
      const good = new Set(obedient.map(({ rx }) => rx));
      const hits = found.inliers.filter((i) => good.has(tentative.rx[i])).length;
      assert.ok(hits >= 76, `${hits} of 80 inliers`);
      assert.ok(found.inliers.length - hits <= 4, `${found.inliers.length - hits} outliers among the inliers`);
      assert.ok(found.evidence > 3 * MIN_MATCH_EVIDENCE, `evidence ${found.evidence}`);
    }),
  );
});

test('without noise it is given back exactly, translation, rotation, scale and tilt', () => {
  fc.assert(
    fc.property(views(reference, query), fc.nat(), (truth, seed) => {
      const pairs = planted(truth, 120, 0, 0, seed);
      const found = align(tentativeOf(pairs), reference, query);
      assert.ok(found && worst(found, truth, pairs) < 0.01, `${found && worst(found, truth, pairs)} px off`);
    }),
  );
});

test('a part of the picture is enough, four strays to each of its pairs notwithstanding', () => {
  const truth = compose([1, 0, -200, 0, 1, -80, 0, 0, 1], similarity(17, 1.4, [256, 192], [256, 192]));
  const random = stream(11);
  const pairs = Array.from({ length: 400 }).flatMap(() =>
    obeying(truth, 300 + 100 * random(), 150 + 80 * random(), query, 0.5, random),
  );
  const obedient = pairs.slice(0, 40);
  const found = align(tentativeOf([...obedient, ...planted(truth, 0, 160, 0, 12)]), reference, query);
  assert.ok(found && worst(found, truth, obedient) < 3);
  assert.ok(found.evidence > MIN_MATCH_EVIDENCE);
});

test('the same input gives the same result to the last bit', () => {
  const truth = similarity(200, 0.8, [256, 192], [240, 250]);
  const pairs = planted(truth, 60, 60, 0.5, 5);
  const found = align(tentativeOf(pairs), reference, query)!;
  assert.deepEqual(align(tentativeOf(pairs), reference, query), found);
  assert.ok(worst(found, truth, pairs.slice(0, 60)) < 2);
});

test('correspondences that mean nothing hardly ever seem to agree', () => {
  const evidences = Array.from({ length: 200 }, (_, seed) => {
    return align(tentativeOf(planted([1, 0, 0, 0, 1, 0, 0, 0, 1], 0, 250, 0, seed)), reference, query)?.evidence ?? 0;
  }).sort((a, b) => b - a);
  assert.ok(evidences[0] < MIN_MATCH_EVIDENCE, `evidence ${evidences[0]}`);
  assert.ok(evidences.filter((evidence) => evidence >= MIN_SIMILAR_EVIDENCE).length <= 2, `${evidences.slice(0, 5)}`);
});

test('no correspondence, one, and many on one spot give no alignment', () => {
  const random = stream(1);
  const one = obeying(similarity(5, 1, [0, 0], [10, 10]), 100, 100, query, 0, random);
  const spot = Array.from({ length: 50 }, () => one).flat();
  for (const pairs of [[], one, spot]) assert.equal(align(tentativeOf(pairs), reference, query), undefined);
});

test('many places of one picture on one spot of the other are no match', () => {
  const random = stream(2);
  const scattered = planted(similarity(0, 1, [0, 0], [0, 0]), 80, 0, 0, 3);
  const onto = scattered.map((pair) => ({ ...pair, qx: 200 + random(), qy: 200 + random() }));
  const from = scattered.map((pair) => ({ ...pair, rx: 200 + random(), ry: 200 + random() }));
  for (const pairs of [onto, from]) {
    assert.ok((align(tentativeOf(pairs), reference, query)?.evidence ?? 0) < MIN_SIMILAR_EVIDENCE);
  }
});

test('a mirrored plane is no match', () => {
  const maps: Homography[] = [
    [-1, 0, 490, 0, 1, 20, 0, 0, 1],
    [1, 0, 10, 0, -1, 400, 0, 0, 1],
  ];
  for (const map of maps) {
    const found = align(tentativeOf(planted(map, 120, 20, 0.3, 4)), reference, query);
    assert.ok(!found?.possible || found.evidence < MIN_MATCH_EVIDENCE, `evidence ${found?.evidence} for ${map}`);
  }
});

test('a possible map is one that a camera could have made: points of a folded plane, on a line, by chance', () => {
  const random = stream(9);
  const truth = similarity(30, 1.1, [256, 192], [240, 256]);
  const folded: Homography = [0.3, 0, 10, 0, 0.3, 20, -0.003, 0, 1]; // the horizon lies inside the reference
  const line = (noise: number): Pair[] =>
    Array.from({ length: 80 }, (_, i) => obeying(truth, 40 + 5 * i, 190 + 0.2 * i, query, noise, random)).flat();
  const chance = Array.from({ length: 100 }, (_, seed) => planted(truth, 4, 60, 3, seed));
  for (const pairs of [planted(folded, 120, 0, 0.1, 4), line(0), line(0.3), line(3), ...chance]) {
    const found = align(tentativeOf(pairs), reference, query);
    if (found?.possible) assert.ok(imageOf(found.homography, reference, query), `${found.homography}`);
  }
});

test('true correspondences are found behind false ones that look more alike', () => {
  const truth = similarity(90, 0.9, [256, 192], [240, 256]);
  const pairs = planted(truth, 60, 80, 0.3, 21);
  const deceiving = pairs.map((pair, i) => ({ ...pair, distance: i < 60 ? 15 : i % 8 }));
  const found = align(tentativeOf(deceiving), reference, query);
  assert.ok(found && worst(found, truth, pairs.slice(0, 60)) < 2);
});

test('with too few places for a homography an affine map is fitted', () => {
  const truth: Homography = [0.8, 0.15, 10, -0.15, 0.95, 90, 0, 0, 1];
  const random = stream(6);
  const places = [
    [30, 40],
    [470, 50],
    [250, 200],
    [60, 350],
    [450, 340],
    [150, 120],
  ];
  const pairs = places.flatMap(([x, y]) => obeying(truth, x, y, query, 0, random));
  const found = align(tentativeOf(pairs), reference, query);
  assert.equal(pairs.length, 6);
  assert.ok(found && worst(found, truth, pairs) < 0.01, `${found && worst(found, truth, pairs)} px off`);
  assert.deepEqual(found.homography.slice(6), [0, 0, 1]);
});

test('only what is rotated and scaled about as much as the hypothesis supports it', () => {
  const pair = (i: number, angle: number, qScale: number): Pair => {
    return { rx: 50 * i, ry: 100, qx: 50 * i, qy: 100, distance: i, angle, rScale: 1, qScale };
  };
  const supporters = (angle: number, qScale: number): number => {
    const pairs = tentativeOf([pair(1, 0, 1), pair(2, 0, 1), pair(3, 0, 1), pair(4, angle, qScale)]);
    return bestHypothesis(pairs, 0.1)!.supporters.length;
  };
  assert.deepEqual(
    [0, 20, 236, 21, 235, 128].map((angle) => supporters(angle, 1)),
    [4, 4, 4, 3, 3, 3],
  );
  assert.deepEqual(
    [1.9, 0.55, 2.1, 0.45].map((scale) => supporters(0, scale)),
    [4, 4, 3, 3],
  );
});

test('the hypothesis lists its supporters and counts their places', () => {
  const truth = similarity(64, 1.5, [256, 192], [240, 256]);
  const pairs = planted(truth, 50, 50, 0.3, 8);
  const tentative = tentativeOf(pairs);
  const hypothesis = bestHypothesis(tentative, 0.1)!;
  const good = new Set(pairs.slice(0, 50).map(({ rx }) => rx));
  assert.ok(hypothesis.supporters.filter((i) => good.has(tentative.rx[i])).length >= 45);
  const cells = hypothesis.supporters.map(
    (i) => `${Math.floor(tentative.rx[i] / 12)} ${Math.floor(tentative.ry[i] / 12)}`,
  );
  assert.equal(hypothesis.cells, new Set(cells).size);
});

test('a picture seen from far aside is found where it may be, and mostly missed otherwise', () => {
  // half as high as wide, along an axis by chance: no similarity is near
  const found = (tilted: boolean): number => {
    let right = 0;
    for (let seed = 0; seed < 40; seed++) {
      const [rotation, axis] = [similarity(seed * 17, 0.8, [256, 192], [240, 256]), seed * 0.31];
      const [cos, sin] = [Math.cos(axis), Math.sin(axis)];
      const [a, b, d] = [cos * cos + sin * sin * 0.35, cos * sin * 0.65, sin * sin + cos * cos * 0.35];
      const squeeze = [a, b, 256 - a * 256 - b * 192, b, d, 192 - b * 256 - d * 192, 0, 0, 1];
      const truth = compose(rotation, squeeze);
      const pairs = planted(truth, 18, 60, 1, seed);
      const alignment = align(tentativeOf(pairs), reference, query, tilted);
      if (alignment && worst(alignment, truth, pairs.slice(0, 18)) < 8) right++;
    }
    return right;
  };
  const [plain, tilted] = [found(false), found(true)];
  assert.ok(tilted >= 32 && tilted > plain + 8, `${tilted} of 40, ${plain} without`);
});
