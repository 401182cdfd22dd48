import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { blankMiniature } from '../../../test/local-dna.ts';
import type { Size } from '../../geometry/frame.ts';
import { obeying, stream, views } from '../../../test/planted.ts';
import { type Feature, type Keypoints, keypointsOf, openLocalDna, writeLocalDna } from '../../dna/local.ts';
import { compose, type Homography, project } from '../../geometry/homography.ts';
import type { Alignment } from './alignment.ts';
import { coverage } from './coverage.ts';
import { Effort } from './effort.ts';
import { matchGuided, sceneOf, sketchOf } from './guided-matching.ts';

const reference = { width: 512, height: 384 };
const query = { width: 480, height: 512 };
const FEATURE_COUNT = 200;

/** Features of a reference, those a query of it has under a map, with so many of their codes' bits flipped, and strays. */
function planted(map: Homography, seed: number, flippedBits: number, strays: number) {
  const random = stream(seed);
  const anywhere = (): Feature => {
    const code = Uint8Array.from({ length: 32 }, () => 256 * random());
    return { core: true, x: 0, y: 0, angle: 0, level: 0, code };
  };
  const mine: Feature[] = [];
  const theirs: Feature[] = [];
  let shown = 0;
  for (let i = 0; i < FEATURE_COUNT; i++) {
    const [x, y] = [512 * random(), 384 * random()];
    const feature = { ...anywhere(), x, y };
    mine.push(feature);
    const code = feature.code.slice();
    for (let k = 0; k < flippedBits; k++) code[Math.floor(32 * random())] ^= 8;
    for (const { qx, qy, angle } of obeying(map, x, y, query, 0.5, random)) {
      theirs.push({ ...feature, x: qx, y: qy, angle: angle & 255, code });
      shown++;
    }
  }
  for (let i = 0; i < strays; i++)
    theirs.push({ ...anywhere(), x: query.width * random(), y: query.height * random(), angle: 256 * random() });
  const written = ({ width, height }: Size, features: Feature[]) =>
    writeLocalDna('media-reference', width, height, features, blankMiniature({ width, height }));
  const search = openLocalDna(written(query, theirs), ['media-reference']);
  const dna = openLocalDna(written({ width: 512, height: 384 }, mine), ['media-reference']);
  const seen = (keypoints: Keypoints) => sceneOf(search, sketchOf(search), keypoints, false);
  return { sketch: sketchOf(dna), scene: seen(keypointsOf(search)), seen, shown };
}

const first = (homography: Homography): Alignment => ({ homography, inliers: [], evidence: 4, possible: true });

/** Views that keep the scale, for a feature of one level is searched for at about that level. */
const upright = views(reference, query).filter((map) => {
  const [a, b] = [project(map, 200, 190), project(map, 300, 190)];
  const scale = Math.hypot(a[0] - b[0], a[1] - b[1]) / 100;
  return scale > 0.75 && scale < 1.35 && Math.abs(map[6]) + Math.abs(map[7]) < 1e-4;
});

test('under a true map nearly every feature that shows is found, strays or not, and a map a little off is put right', () => {
  fc.assert(
    fc.property(upright, fc.nat(), (truth, seed) => {
      const { sketch, scene, shown } = planted(truth, seed, 6, 300);
      fc.pre(shown > 40);
      const off = compose([1.004, 0.002, 0.8, -0.002, 0.997, -0.6, 0, 0, 1], truth);
      const { pairs, alignment } = matchGuided(first(off), sketch, reference, scene);
      assert.ok(pairs.count >= 0.85 * shown, `${pairs.count} of ${shown}`);
      const aside = (map: Homography): number =>
        Math.max(
          ...pairs.rx.map((x, i) => {
            const [[ax, ay], [bx, by]] = [project(map, x, pairs.ry[i]), project(truth, x, pairs.ry[i])];
            return Math.hypot(ax - bx, ay - by);
          }),
        );
      assert.ok(aside(alignment.homography) < Math.max(1, 0.7 * aside(off)), `${aside(alignment.homography)} px off`);
      assert.ok(alignment.possible && alignment.evidence > 6, `evidence ${alignment.evidence}`);
    }),
    { numRuns: 30 },
  );
});

test('a map that holds in one corner only grows over the whole of a tilted picture', () => {
  const truth = [0.9, 0.02, 10, 0.01, 0.95, 40, 0.0003, 0.0001, 1];
  const [cx, cy] = [60, 60];
  const [x, y] = project(truth, cx, cy);
  const w = truth[6] * cx + truth[7] * cy + 1;
  const [a, b] = [(truth[0] - x * truth[6]) / w, (truth[1] - x * truth[7]) / w];
  const [c, d] = [(truth[3] - y * truth[6]) / w, (truth[4] - y * truth[7]) / w];
  const there = [a, b, x - a * cx - b * cy, c, d, y - c * cx - d * cy, 0, 0, 1];
  const off = (map: Homography): number => {
    const [[ux, uy], [vx, vy]] = [project(map, 512, 384), project(truth, 512, 384)];
    return Math.hypot(ux - vx, uy - vy);
  };
  const { sketch, scene } = planted(truth, 5, 4, 300);
  assert.ok(off(there) > 30, `${off(there)} px off at first`);
  const { alignment } = matchGuided(first(there), sketch, reference, scene);
  assert.ok(off(alignment.homography) < 2, `${off(alignment.homography)} px off at last`);
});

test('under a map that is not true hardly anything is found, and the evidence falls', () => {
  fc.assert(
    fc.property(upright, fc.nat(), (map, seed) => {
      const { sketch, scene } = planted([1, 0, 900, 0, 1, 0, 0, 0, 1], seed, 0, 1000);
      const { alignment } = matchGuided(first(map), sketch, reference, scene);
      assert.ok(alignment.evidence < 2, `evidence ${alignment.evidence}`);
    }),
    { numRuns: 30 },
  );
});

test('features of the other direction or of another size are not the ones expected', () => {
  const same = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const { sketch, scene, seen, shown } = planted(same, 3, 0, 0);
  const found = (changed: typeof scene): number => matchGuided(first(same), sketch, reference, changed).pairs.count;
  const { keypoints } = scene;
  assert.ok(shown > 0.9 * FEATURE_COUNT);
  assert.equal(found(scene), shown);
  assert.equal(found(seen({ ...keypoints, angle: keypoints.angle.map((t) => t + 64) })), 0);
  assert.equal(found(seen({ ...keypoints, level: keypoints.level.map(() => 4) })), 0);
});

test('coverage counts cells that should show: all of a true view, few of a badge, none of it in the middle', () => {
  const whole = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const { sketch } = planted(whole, 8, 0, 0);
  const { x, y } = keypointsOf(sketch);
  const all = Array.from(x, (px, i): [number, number] => [px, y[i]]);
  const share = (found: typeof all, map: Homography, rim = 0): number | undefined =>
    coverage(
      found,
      sketch,
      { map, reference, query: reference, keypoints: keypointsOf(sketch) },
      { side: 8, rim, visible: 0 },
    );
  assert.equal(share(all, whole), 1);
  const badge = all.filter(([px, py]) => px < 128 && py < 96);
  assert.ok(badge.length > 4);
  assert.ok(Math.abs(share(badge, whole)! - 1 / 16) < 0.02);
  assert.equal(share(badge, whole, 2), 0);
  assert.equal(share(all, whole, 2), 1);
  assert.ok(share(badge, [4, 0, 0, 0, 4, 0, 0, 0, 1])! > 0.9); // only that part shows
  assert.equal(share([], [1, 0, 900, 0, 1, 900, 0, 0, 1]), undefined);
});

test('cells where the query is plain count only where a feature was found in them', () => {
  const map = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const { sketch } = planted(map, 8, 0, 0);
  const all = keypointsOf(sketch);
  const left = Array.from(all.x.keys()).filter((i) => all.x[i] < reference.width / 2);
  const found = left.map((i): [number, number] => [all.x[i], all.y[i]]);
  const share = (keypoints: Keypoints): number | undefined =>
    coverage(found, sketch, { map, reference, query: reference, keypoints }, { side: 8, rim: 0, visible: 2 });
  const covered = { ...all, x: all.x.map((px) => Math.min(px, reference.width / 2 - 1)) }; // nothing at the right
  assert.ok(Math.abs(share(all)! - 1 / 2) < 0.05);
  assert.equal(share(covered), 1);
});

test('guided matching counts what it compares and ends with the budget', () => {
  const map = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const { sketch, scene } = planted(map, 5, 4, 300);
  const ample = new Effort();
  const { pairs } = matchGuided(first(map), sketch, reference, scene, ample);
  assert.ok(pairs.count > 100 && ample.spent > sketch.count, `${pairs.count} pairs, ${ample.spent} comparisons`);
  const scant = new Effort(100);
  const cut = matchGuided(first(map), sketch, reference, scene, scant);
  assert.ok(cut.pairs.count < pairs.count / 2, `${cut.pairs.count} of ${pairs.count} pairs`);
  assert.ok(scant.left === 0 && scant.spent < ample.spent / 4, `${scant.spent} of ${ample.spent} comparisons`);
});
