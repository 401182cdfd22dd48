import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blankMiniature } from '../../../test/local-dna.ts';
import {
  cropped,
  doubled,
  halved,
  mirrored,
  painted,
  pasted,
  photographs,
  toned,
  rotated,
} from '../../../test/pictures.ts';
import { keypointsOf, openLocalDna } from '../../dna/local.ts';
import type { Quad, QuadMatch } from '../../partition/result-info.ts';
import { SynchronousPartition } from '../../partition/synchronous.ts';
import type { Picture } from '../../pixels/picture.ts';
import { brandMonitoring } from '../../types/brand-monitoring.ts';
import { mobileMatching } from '../../types/mobile-matching.ts';
import type { TypeDefinition } from '../../types/type-definition.ts';
import type { Agreement, Placement } from './match-pair.ts';
import { quadMatch } from './quad-match.ts';

interface Result extends QuadMatch {
  readonly image: number;
  readonly score: number;
}

/** The results for a scene, the best first; references are numbered from 0. */
function resultsOf(definition: TypeDefinition, references: readonly Picture[], scene: Picture): Result[] {
  const partition = SynchronousPartition.of(definition);
  references.forEach((picture, image) => partition.add(image, definition.describe(picture, 'reference')));
  const { verdicts } = partition.verify(definition.describe(scene, 'query'), [...references.keys()], {});
  return verdicts
    .map(({ image, score, resultInfo }) => ({
      image,
      score,
      ...(resultInfo as QuadMatch),
    }))
    .sort((a, b) => a.score - b.score);
}

const boxesOf = ({ query, instances = [] }: Result): Quad[] => [query.matchingBox, ...instances];

/** Upper left corner and size of where a picture was pasted, in pixels of the scene. */
type Spot = readonly [left: number, top: number, width: number, height: number];

/** How far the corners of a box lie from those of a spot, at most, in pixels. */
function aside({ points }: Quad, [left, top, width, height]: Spot, scene: Picture): number {
  const corners = [
    [left, top],
    [left + width, top],
    [left + width, top + height],
    [left, top + height],
  ];
  return Math.max(
    ...points.map(([x, y], i) => Math.hypot(x * scene.width - corners[i][0], y * scene.height - corners[i][1])),
  );
}

/** Every spot has a box of its own. */
function assertBoxes(boxes: readonly Quad[], spots: readonly Spot[], scene: Picture, most = 5): void {
  assert.equal(boxes.length, spots.length);
  for (const spot of spots) {
    const off = Math.min(...boxes.map((box) => aside(box, spot, scene)));
    assert.ok(off < most, `nearest box of ${spot} is ${off} px off`);
  }
}

const logo = cropped(photographs[1], 60, 40, 120, 90);
const other = cropped(photographs[2], 80, 60, 110, 80);
const ground = doubled(photographs[0]);
const at = (picture: Picture, left: number, top: number): Spot => [left, top, picture.width, picture.height];

test('several instances of one logo have a box each', () => {
  const spots = [at(logo, 20, 30), at(logo, 250, 60), at(logo, 90, 250)];
  const scene = spots.reduce((all, [left, top]) => pasted(all, logo, left, top), ground);
  const [first, ...rest] = resultsOf(brandMonitoring, [logo, other], scene);
  assert.equal(first.image, 0);
  assert.equal(first.decision, 'Match');
  assertBoxes(boxesOf(first), spots, scene);
  assert.ok(rest.every(({ decision }) => decision !== 'Match'));
});

test('several references in one scene are each found in their place, and one that is not there is not matched', () => {
  const scene = pasted(pasted(ground, logo, 30, 40), other, 300, 220);
  const absent = cropped(photographs[3], 50, 50, 120, 90);
  const found = resultsOf(brandMonitoring, [logo, other, absent], scene);
  const matches = found.filter(({ decision }) => decision === 'Match');
  assert.deepEqual(matches.map(({ image }) => image).sort(), [0, 1]);
  for (const one of matches) {
    const spot = one.image === 0 ? at(logo, 30, 40) : at(other, 300, 220);
    assertBoxes(boxesOf(one), [spot], scene);
  }
});

test('wallpaper of a logo: each box lies on one print of it, none is listed twice, and at most sixteen are', () => {
  const [columns, rows] = [5, 4];
  let scene = painted(columns * logo.width, rows * logo.height, () => [128, 128, 128]);
  const spots: Spot[] = [];
  for (let i = 0; i < columns * rows; i++) {
    const spot = at(logo, (i % columns) * logo.width, Math.floor(i / columns) * logo.height);
    scene = pasted(scene, logo, spot[0], spot[1]);
    spots.push(spot);
  }
  const [{ decision, ...first }] = resultsOf(brandMonitoring, [logo], scene);
  assert.equal(decision, 'Match');
  const boxes = boxesOf({ decision, ...first });
  assert.ok(boxes.length >= 10 && boxes.length <= 16, `${boxes.length} boxes`);
  const prints = boxes.map((box) => spots.findIndex((spot) => aside(box, spot, scene) < 6));
  assert.ok(!prints.includes(-1), 'a box lies on no print');
  assert.equal(new Set(prints).size, prints.length);
});

test('rotated and mirrored prints keep the corners of the reference in step', () => {
  const scene = pasted(ground, rotated(logo), 100, 80);
  const [{ query }] = resultsOf(brandMonitoring, [logo], scene);
  const [left, top, width, height] = at(rotated(logo), 100, 80);
  const [topLeft, , bottomRight] = query.matchingBox.points;
  const near = ([x, y]: readonly [number, number], px: number, py: number): boolean =>
    Math.hypot(x * scene.width - px, y * scene.height - py) < 4;
  assert.ok(near(topLeft, left + width, top) && near(bottomRight, left, top + height));

  const reflected = pasted(ground, doubled(mirrored(logo)), 100, 80);
  const [{ query: seen }] = resultsOf(brandMonitoring, [logo], reflected);
  assert.ok(near(seen.matchingBox.points[0], 100 + 2 * logo.width, 80));
});

test('a logo shows where its colours are inverted', () => {
  const negative = toned(doubled(logo), -1, 255);
  const scene = pasted(ground, negative, 100, 80);
  const [inverted] = resultsOf(brandMonitoring, [logo], scene);
  assert.equal(inverted.decision, 'Match');
  assertBoxes(boxesOf(inverted), [at(negative, 100, 80)], scene);
});

test('a print that shares a badge with another one is rejected, however surely the badge is found', () => {
  const badge = doubled(cropped(photographs[4], 60, 60, 110, 80));
  const [one, two] = [photographs[0], photographs[3]].map((print) => pasted(doubled(print), badge, 30, 40));
  const found = resultsOf(mobileMatching, [one, two], one);
  assert.deepEqual(
    found.map(({ image, decision }) => [image, decision]),
    [
      [0, 'Clone'],
      [1, 'Rejection due to geometric test'],
    ],
  );
  assert.ok(found[1].score >= 0.5);
});

for (const [type, definition] of Object.entries({ mobileMatching, brandMonitoring })) {
  test(`${type}: a quarter of the reference at the border of the scene is rejected for its box`, () => {
    const { width, height } = photographs[5];
    const quarter = cropped(photographs[5], 0, 0, width >> 1, height >> 1);
    const scene = pasted(
      doubled(photographs[4]),
      quarter,
      2 * photographs[4].width - quarter.width,
      2 * photographs[4].height - quarter.height,
    );
    const [{ decision, relation, score }] = resultsOf(definition, [photographs[5]], scene);
    assert.deepEqual([decision, relation], ['Rejection due to shape of the matching box', undefined]);
    assert.ok(score >= 0.5);
  });

  test(`${type}: result_info has the fields of the interface and no other, fractions with four decimals`, () => {
    const scene = pasted(ground, halved(photographs[5]), 40, 30);
    const [{ image, score, ...info }] = resultsOf(definition, [photographs[5]], scene);
    const names = (of: object): string[] => Object.keys(of).sort();
    const fields = [
      'agreeingShare',
      'category',
      'decision',
      'distance',
      'homography',
      'query',
      'reference',
      'relation',
      'scores',
    ];
    assert.deepEqual(names(info), fields);
    const { category, distance, homography, scores } = info as unknown as Record<string, never>;
    assert.deepEqual([image, category, distance], [0, 'LOCALMATCHING', score]);
    assert.deepEqual(names(homography), ['coefficients', 'destination', 'source']);
    assert.deepEqual([homography['source'], homography['destination']], ['reference', 'query']);
    assert.equal((homography['coefficients'] as number[]).length, 9);
    const numbers = ['boxCoveredSurface', 'boxPointsRatio', 'boxPointsRatioHomography', 'matchStrength'];
    assert.deepEqual(names(scores), numbers);
    const fractions = [...Object.values<number>(scores), info.agreeingShare!];
    for (const side of [info.query, info.reference]) {
      assert.deepEqual(names(side), ['matchingBox', 'originalDimensions', 'resizedDimensions']);
      assert.deepEqual(names(side.matchingBox), ['area', 'points']);
      assert.equal(side.matchingBox.points.length, 4);
      fractions.push(side.matchingBox.area, ...side.matchingBox.points.flat());
    }
    for (const value of fractions) {
      assert.ok(value >= 0 && value <= 1 && Number(value.toFixed(4)) === value, `${value}`);
    }
    const { originalDimensions } = info.reference as unknown as { originalDimensions: number[] };
    assert.deepEqual(originalDimensions, [photographs[5].width, photographs[5].height]);
  });
}

const dna = openLocalDna(brandMonitoring.describe(photographs[0], 'query'), ['brand-query']);
const reference = {
  width: 200,
  height: 100,
  originalWidth: 400,
  originalHeight: 200,
  features: 50,
  digest: '',
  miniature: blankMiniature({ width: 400, height: 200 }),
};

/** Ten agreements along a line of the reference. */
function placed(homography: readonly number[], more: Partial<Placement> = {}): Placement {
  const agreements = Array.from({ length: 10 }, (_, i): Agreement => {
    return { feature: i, query: [0, 0], reference: [20 * i + 5, 10], distance: 0 };
  });
  return { homography, inliers: [], evidence: 5, possible: true, mirrored: false, agreements, ...more };
}

function judged(placement: Placement) {
  const verdict = quadMatch(
    {
      query: dna,
      keypoints: keypointsOf(dna),
      reference,
      placements: [placement],
      exact: false,
    },
    { match: 2, listed: 1, covered: 0, visible: 0, shows: 'middle' },
  );
  return verdict && { score: verdict.score, ...(verdict.resultInfo as QuadMatch) };
}

test('boxes and scores by hand: half the size, moved by (50, 30)', () => {
  const { query, reference, scores, decision, score } = judged(placed([0.5, 0, 50, 0, 0.5, 30, 0, 0, 1]))!;
  const at = (x: number, y: number): number[] =>
    [x / dna.width, y / dna.height].map((value) => Math.round(10000 * value) / 10000);
  assert.equal(decision, 'Match');
  assert.equal(score, Number((1 / (1 + 5 / 2)).toFixed(6)));
  assert.deepEqual(query.matchingBox.points, [at(50, 30), at(150, 30), at(150, 80), at(50, 80)]);
  assert.equal(query.matchingBox.area, Math.round((10000 * 5000) / (dna.width * dna.height)) / 10000);
  assert.deepEqual(reference.matchingBox, {
    points: [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ],
    area: 1,
  });
  assert.equal(scores['boxCoveredSurface'], 8 / 64); // one row of the cells
  assert.equal(scores['boxPointsRatio'], 10 / 50);
  assert.equal(scores['matchStrength'], Math.round((10000 * 10) / 30) / 10000);
});

test('a reference that reaches over the border has the box of what shows, its corners on the border', () => {
  const { query, reference } = judged(placed([1, 0, -80, 0, 1, 0, 0, 0, 1]))!;
  assert.deepEqual(reference.matchingBox.points, [
    [0.4, 0],
    [1, 0],
    [1, 1],
    [0.4, 1],
  ]);
  assert.equal(query.matchingBox.points[0][0], 0);
});

test('maps that no camera makes are rejected for their shape, little evidence for its geometry, and without evidence nothing is listed', () => {
  const shape = 'Rejection due to shape of the matching box';
  assert.equal(judged(placed([1, 0, 0, 0, 1, 0, 0, 0, 1], { possible: false }))!.decision, shape);
  assert.equal(judged(placed([1, 3, 0, 0, 0.4, 0, 0, 0, 1]))!.decision, shape); // pressed flat
  assert.equal(judged(placed([1, 0, -150, 0, 1, 0, 0, 0, 1]))!.decision, shape); // a quarter shows
  const weak = judged(placed([1, 0, 0, 0, 1, 0, 0, 0, 1], { evidence: 1.5 }))!;
  assert.equal(weak.decision, 'Rejection due to geometric test');
  assert.ok(weak.score >= 0.5);
  assert.equal(judged(placed([1, 0, 0, 0, 1, 0, 0, 0, 1], { evidence: 0.9 })), undefined);
});

test('rejections come after all matches, in the order of their evidence', () => {
  const itself = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const [weak, strong] = [1.2, 5].map((evidence) => judged(placed(itself, { evidence, possible: false }))!.score);
  const { score } = judged(placed(itself, { evidence: 2.1 }))!;
  assert.ok(score < 0.5 && 0.5 < strong && strong < weak && weak < 1, `${score}, ${strong}, ${weak}`);
});

/** A photograph in the middle of another one, with a quarter of it at each side. */
const framed = (content: Picture): Picture => {
  const [frame, { width, height }] = [doubled(photographs[0]), photographs[0]];
  return pasted(frame, cropped(content, 0, 0, width, height), width >> 1, height >> 1);
};

test('another photograph in the same frame is no match of Mobile Matching, the same one is a Clone', () => {
  const reference = framed(photographs[1]);
  const [same] = resultsOf(mobileMatching, [reference], toned(reference, 0.8, 20));
  assert.deepEqual([same.decision, same.agreeingShare], ['Clone', 1]);
  const [other] = resultsOf(mobileMatching, [reference], framed(photographs[2]));
  assert.deepEqual([other.decision, other.relation], ['Rejection due to geometric test', 'same frame']);
  assert.ok(other.score >= 0.5 && other.agreeingShare! < 0.95, JSON.stringify(other));
});

test('a print is found though a hand hides a part of its middle', () => {
  const reference = framed(photographs[1]);
  const hand = painted(120, 200, () => [150, 110, 90]);
  const [found] = resultsOf(mobileMatching, [reference], pasted(reference, hand, 300, 150));
  assert.equal(found.decision, 'Match');
});

test('a print with one place changed is no Clone', () => {
  const print = doubled(photographs[3]);
  const changed = pasted(print, cropped(photographs[4], 40, 40, 220, 160), 60, 50);
  for (const definition of [mobileMatching, brandMonitoring]) {
    assert.equal(resultsOf(definition, [print], changed)[0].decision, 'Match');
  }
});
