import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  blocks,
  cropped,
  doubled,
  halved,
  mirrored,
  painted,
  pasted,
  photographs,
  toned,
  rotated,
} from '../../test/pictures.ts';
import { localKinds, openLocalDna } from '../dna/local.ts';
import { project } from '../geometry/homography.ts';
import type { Verdict } from '../partition/partition.ts';
import type { BoxMatch } from '../partition/result-info.ts';
import { SynchronousPartition } from '../partition/synchronous.ts';
import type { Picture } from '../pixels/picture.ts';
import { mediaMatching } from './media-matching.ts';

type Point = readonly [x: number, y: number];

const infoOf = ({ resultInfo }: Verdict): BoxMatch => resultInfo as BoxMatch;

function indexed(pictures: readonly Picture[]): SynchronousPartition {
  const partition = SynchronousPartition.of(mediaMatching);
  pictures.forEach((picture, image) => partition.add(image, mediaMatching.describe(picture, 'reference')));
  return partition;
}

/** All matches, best first. */
function search(partition: SynchronousPartition, picture: Picture): Verdict[] {
  const query = mediaMatching.describe(picture, 'query');
  const { copies, images: others } = partition.candidates(query, null, 50);
  const images = [...copies, ...others];
  return partition.verify(query, images, {}).verdicts.toSorted((a, b) => a.score - b.score || a.image - b.image);
}

const whole = indexed([...photographs, ...Array.from({ length: 10 }, (_, seed) => blocks(320, 240, seed))]);

/** An edit, and where in it a point of the original lies (in pixels of either picture). */
interface Edit {
  readonly name: string;
  readonly decision: string;
  apply(picture: Picture): Picture;
  place(original: Picture, [x, y]: Point): Point;
}

const ground = toned(photographs[4], 0.9, 0);
const edits: readonly Edit[] = [
  {
    name: 'half the size',
    decision: 'Clone',
    apply: halved,
    place: (_, [x, y]) => [x / 2, y / 2],
  },
  {
    name: 'twice the size',
    decision: 'Clone',
    apply: doubled,
    place: (_, [x, y]) => [2 * x, 2 * y],
  },
  {
    name: 'paler',
    decision: 'Clone',
    apply: (picture) => toned(picture, 0.6, 70),
    place: (_, point) => point,
  },
  {
    name: 'inverted',
    decision: 'Clone',
    apply: (picture) => toned(picture, -1, 255),
    place: (_, point) => point,
  },
  {
    name: 'rotated by a right angle',
    decision: 'Match',
    apply: rotated,
    place: ({ height }, [x, y]) => [height - y, x],
  },
  {
    name: 'rotated by 180 degrees',
    decision: 'Match',
    apply: (picture) => rotated(rotated(picture)),
    place: ({ width, height }, [x, y]) => [width - x, height - y],
  },
  {
    name: 'mirrored',
    decision: 'Match',
    apply: mirrored,
    place: ({ width }, [x, y]) => [width - x, y],
  },
  {
    name: 'mirrored and rotated',
    decision: 'Match',
    apply: (picture) => rotated(mirrored(picture)),
    place: ({ width, height }, [x, y]) => [height - y, width - x],
  },
  {
    name: 'the middle',
    decision: 'Match',
    apply: (picture) => cropped(picture, 60, 50, picture.width - 120, picture.height - 100),
    place: (_, [x, y]) => [x - 60, y - 50],
  },
  {
    name: 'the lower right corner',
    decision: 'Match',
    apply: (picture) => cropped(picture, picture.width - 170, picture.height - 160, 170, 160),
    place: ({ width, height }, [x, y]) => [x - width + 170, y - height + 160],
  },
  {
    name: 'pasted small into another',
    decision: 'Match',
    apply: (picture) => pasted(doubled(ground), picture, 90, 40),
    place: (_, [x, y]) => [x + 90, y + 40],
  },
];

for (const { name, apply, place, decision } of edits) {
  test(`${name}: every photograph is found first, lies where it should, and is a ${decision}`, () => {
    photographs.forEach((original, image) => {
      if (name.startsWith('pasted') && image === 4) return; // the ground itself
      const edited = apply(original);
      const [first] = search(whole, edited).filter((hit) => !name.startsWith('pasted') || hit.image !== 4);
      assert.equal(first?.image, image);
      const info = infoOf(first);
      assert.equal(info.decision, decision, `photograph ${image}`);
      assert.ok(first.score > 0 && first.score < 0.5, `score ${first.score}`);
      assertHomography(info, original, edited, (point) => place(original, point));
      assertBoxes(info, original, edited, (point) => place(original, point));
    });
  });
}

test('the picture itself is a Clone of score 0 with the plainest of homographies, as a query or as it is stored', () => {
  photographs.forEach((picture, image) => {
    const { width, height } = picture;
    for (const side of ['query', 'reference'] as const) {
      const dna = mediaMatching.describe(picture, side);
      const [verdict] = whole.verify(dna, [image], {}).verdicts;
      assert.equal(verdict.score, 0);
      assert.deepEqual(infoOf(verdict), {
        category: 'LOCALMATCHING',
        query: { resizedDimensions: [width, height], matchingBox: { topLeftPoint: [0, 0], bottomRightPoint: [1, 1] } },
        reference: {
          resizedDimensions: [width, height],
          matchingBox: { topLeftPoint: [0, 0], bottomRightPoint: [1, 1] },
        },
        distance: 0,
        homography: { source: 'reference', destination: 'query', coefficients: [1, 0, 0, 0, 1, 0, 0, 0, 1] },
        decision: 'Clone',
        relation: 'copy',
        false_match_probability: 0,
        agreeingShare: 1,
      });
    }
  });
});

test('another picture in the same frame is Similar and comes after matches, half a picture is a Match, a copy a Clone', () => {
  const [one, other] = [photographs[0], photographs[1]];
  const framed = (picture: Picture): Picture =>
    pasted(blocks(one.width + 80, one.height + 80, 9), cropped(picture, 0, 0, one.width, one.height), 40, 40);
  const half = pasted(one, cropped(other, 0, 0, one.width >> 1, one.height), 0, 0);
  const partition = SynchronousPartition.of(mediaMatching);
  [framed(one), one].forEach((picture, image) => partition.add(image, mediaMatching.describe(picture, 'reference')));
  const found = (query: Picture, image: number) => {
    const [verdict] = partition.verify(mediaMatching.describe(query, 'query'), [image]).verdicts;
    return { ...infoOf(verdict), score: verdict.score };
  };
  const frame = found(framed(other), 0);
  assert.equal(frame.decision, 'Similar');
  assert.ok(frame.score > 0.5 && frame.score < 0.56, `${frame.score}`);
  assert.equal(found(half, 1).decision, 'Match');
  const copy = found(toned(framed(one), 0.7, 20), 0);
  assert.equal(copy.decision, 'Clone');
  assert.ok(copy.agreeingShare! > 0.98, `${copy.agreeingShare}`);
});

test('a photograph that is not there is at most similar to one that is', () => {
  photographs.forEach((picture, image) => {
    const others = indexed(photographs.filter((_, i) => i !== image));
    for (const hit of search(others, picture)) assert.equal(infoOf(hit).decision, 'Similar', `photograph ${image}`);
  });
});

test('patterns of the same cells in other greys match faintly if at all', () => {
  for (let seed = 100; seed < 110; seed++) {
    for (const hit of search(whole, blocks(300, 250, seed))) assert.ok(hit.score > 0.4, `score ${hit.score}`);
  }
});

test('boxes show which part of either picture shows in the other', () => {
  const { width, height } = photographs[2];
  const left = cropped(photographs[2], 0, 0, (width * 5) / 8, height);
  const right = cropped(photographs[2], (width * 3) / 8, 0, (width * 5) / 8, height);
  const [hit] = search(indexed([left]), right);
  const { query, reference } = infoOf(hit);
  assertNear(reference.matchingBox.topLeftPoint, [0.6, 0], 0.02);
  assertNear(reference.matchingBox.bottomRightPoint, [1, 1], 0.02);
  assertNear(query.matchingBox.topLeftPoint, [0, 0], 0.02);
  assertNear(query.matchingBox.bottomRightPoint, [0.4, 1], 0.02);
});

test('dimensions are those of the frame: fitted to 512, the other side rounded down, never enlarged', () => {
  const cases: [Picture, Point][] = [
    [doubled(photographs[0]), [512, 341]],
    [doubled(photographs[4]), [341, 512]],
    [cropped(doubled(photographs[0]), 0, 0, 700, 305), [512, 223]],
    [cropped(photographs[0], 0, 0, 301, 97), [301, 97]],
  ];
  for (const [picture, dimensions] of cases) {
    const [verdict] = indexed([picture]).verify(mediaMatching.describe(picture, 'query'), [0], {}).verdicts;
    assert.deepEqual(infoOf(verdict).reference.resizedDimensions, dimensions);
  }
});

/** Made narrower by this factor, each pixel the mean of four samples. */
function squeezed(picture: Picture, factor: number): Picture {
  return painted(Math.floor(picture.width / factor), picture.height, (x, y) => {
    const at = [0, 1, 2, 3].map((k) => 3 * (y * picture.width + Math.floor(factor * (x + (k + 0.5) / 4))));
    return [0, 1, 2].map((channel) => at.reduce((sum, place) => sum + picture.rgb[place + channel], 0) / 4);
  });
}

/** With strips of one grey over half of it, level ones unless they are upright. */
function striped(picture: Picture, side: number, grey = 85, upright = false): Picture {
  return painted(picture.width, picture.height, (x, y) => {
    const at = 3 * (y * picture.width + x);
    return (upright ? x : y) % (2 * side) < side ? [grey, grey, grey] : [...picture.rgb.subarray(at, at + 3)];
  });
}

test('a second look finds what the first leaves in doubt: pictures squeezed by 2.2 and 2.4 or half hidden by strips', () => {
  const squeezedPlace = ([x, y]: Point): Point => [x / 2.4, y];
  const lessSqueezedPlace = ([x, y]: Point): Point => [x / 2.2, y];
  const hard: [image: number, edited: Picture, place: (point: Point) => Point][] = [
    [0, squeezed(photographs[0], 2.4), squeezedPlace],
    [2, squeezed(photographs[2], 2.4), squeezedPlace],
    [2, squeezed(photographs[2], 2.2), lessSqueezedPlace], // of which the first look sees nothing
    [4, squeezed(photographs[4], 2.4), squeezedPlace],
    [1, striped(photographs[1], 12), (point) => point],
    [2, striped(photographs[2], 12), (point) => point],
  ];
  for (const [image, edited, place] of hard) {
    const [hit] = search(whole, edited);
    assert.equal(hit?.image, image);
    assert.match(infoOf(hit).decision, /Match|Clone/);
    assertHomography(infoOf(hit), photographs[image], edited, place, 5);
  }
});

test('the same whole is found though hardly a feature is the same: strips of any grey, also over the mirror image', () => {
  for (const [image, picture] of photographs.entries())
    for (const edited of [
      striped(picture, 9, 20, true),
      striped(picture, 14, 140),
      striped(mirrored(picture), 11, 85, true),
    ]) {
      const query = mediaMatching.describe(edited, 'query');
      const { verdicts } = whole.verify(query, [...photographs.keys()]);
      const matches = verdicts.filter((verdict) => infoOf(verdict).decision !== 'Similar');
      assert.deepEqual(
        matches.map((verdict) => [verdict.image, infoOf(verdict).decision]),
        [[image, 'Match']],
      );
    }
});

test('a decoder that reduced a picture to the working size changes its frame by nothing', () => {
  const large = doubled(doubled(photographs[0])); // 1536 x 1024
  const reduced = { ...halved(large), originalWidth: large.width, originalHeight: large.height };
  const [one, other] = [large, reduced].map((picture) =>
    openLocalDna(mediaMatching.describe(picture, 'reference'), localKinds),
  );
  assert.deepEqual([other.width, other.height, other.originalWidth], [one.width, one.height, one.originalWidth]);
  const [hit] = search(indexed([large]), reduced);
  assert.equal(infoOf(hit).decision, 'Clone');
});

/** The homography leads from the reference's frame to the query's: where the reference shows, within some pixels. */
function assertHomography(
  info: BoxMatch,
  original: Picture,
  edited: Picture,
  place: (point: Point) => Point,
  bound = 2.5,
): void {
  const { coefficients, source, destination } = info.homography;
  assert.deepEqual([source, destination, coefficients.length, coefficients[8]], ['reference', 'query', 9, 1]);
  const [rw, rh] = info.reference.resizedDimensions;
  const [qw, qh] = info.query.resizedDimensions;
  for (const [u, v] of grid(5)) {
    const [x, y] = place([u * original.width, v * original.height]);
    if (x < 0 || y < 0 || x > edited.width || y > edited.height) continue;
    const expected: Point = [(x * qw) / edited.width, (y * qh) / edited.height];
    assertNear(project(coefficients, u * rw, v * rh), expected, bound);
  }
}

function assertBoxes(info: BoxMatch, original: Picture, edited: Picture, place: (point: Point) => Point): void {
  const shown = grid(200)
    .map(([u, v]) => ({ here: [u, v] as Point, there: place([u * original.width, v * original.height]) }))
    .map(({ here, there: [x, y] }) => ({ here, there: [x / edited.width, y / edited.height] as Point }))
    .filter(({ there: [x, y] }) => x >= 0 && y >= 0 && x <= 1 && y <= 1);
  const around = (points: readonly Point[]): number[] => {
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  };
  const boxOf = ({ topLeftPoint, bottomRightPoint }: { topLeftPoint: Point; bottomRightPoint: Point }): number[] => {
    const numbers = [...topLeftPoint, ...bottomRightPoint];
    assert.ok(
      numbers.every((v) => v >= 0 && v <= 1 && Number(v.toFixed(4)) === v),
      `${numbers}`,
    );
    return numbers;
  };
  assertNear(boxOf(info.reference.matchingBox), around(shown.map(({ here }) => here)), 0.025);
  assertNear(boxOf(info.query.matchingBox), around(shown.map(({ there }) => there)), 0.025);
}

function grid(steps: number): Point[] {
  const sides = Array.from({ length: steps + 1 }, (_, i) => i / steps);
  return sides.flatMap((v) => sides.map((u): Point => [u, v]));
}

function assertNear(actual: readonly number[], expected: readonly number[], bound: number): void {
  assert.ok(
    actual.every((v, i) => Math.abs(v - expected[i]) <= bound),
    `${actual}, expected ${expected} ± ${bound}`,
  );
}
