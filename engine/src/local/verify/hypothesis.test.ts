import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { obeying, type Pair, similarity, stray, stream, tentativeOf } from '../../../test/planted.ts';
import { project } from '../../geometry/homography.ts';
import { bestHypothesis } from './hypothesis.ts';
import type { Tentative } from './tentative.ts';

const frame = { width: 512, height: 512 };

/** Whether `i` is rotated and scaled like `h` and lies where the similarity of `h` puts it, computed with `Math.sin` and `Math.cos`. */
function agrees({ rx, ry, qx, qy, angle, rScale, qScale }: Tentative, h: number, i: number): boolean {
  const off = Math.abs(((angle[i] - angle[h] + 384) % 256) - 128);
  const radians = (angle[h] * Math.PI) / 128;
  const ratio = qScale[h] / rScale[h];
  const [dx, dy] = [rx[i] - rx[h], ry[i] - ry[h]];
  const x = qx[h] + ratio * (Math.cos(radians) * dx - Math.sin(radians) * dy);
  const y = qy[h] + ratio * (Math.sin(radians) * dx + Math.cos(radians) * dy);
  const scale = ratio * rScale[i];
  const reach = 3 * (1 + Math.max(scale, qScale[i]));
  const drift = 0.1 * Math.hypot(qx[i] - qx[h], qy[i] - qy[h]);
  return (
    off <= 20 &&
    Math.max(scale / qScale[i], qScale[i] / scale) <= 2 &&
    Math.hypot(x - qx[i], y - qy[i]) <= Math.hypot(reach, drift)
  );
}

/** All of the first 120 against all, until one has 40 cells. */
function plainly(pairs: Tentative) {
  let best = { h: -1, cells: 1, supporters: [] as number[] };
  for (let h = 0; h < Math.min(120, pairs.count) && best.cells < 40; h++) {
    const supporters = Array.from({ length: pairs.count }, (_, i) => i).filter((i) => agrees(pairs, h, i));
    const cells = new Set(supporters.map((i) => `${Math.floor(pairs.rx[i] / 12)} ${Math.floor(pairs.ry[i] / 12)}`));
    if (cells.size > best.cells) best = { h, cells: cells.size, supporters };
  }
  return best.h < 0 ? undefined : best;
}

test('it is the one that comparing every pair finds, whatever its angle', () => {
  const planted = fc.record({ seed: fc.nat(), angle: fc.nat(255), obedient: fc.nat(70), strays: fc.nat(200) });
  fc.assert(
    fc.property(planted, ({ seed, angle, obedient, strays }) => {
      const random = stream(seed);
      const map = similarity(angle, 0.5 + random(), [256, 256], [256, 256]);
      const pairs: Pair[] = [];
      for (let i = 0; i < obedient; i++) pairs.push(...obeying(map, 512 * random(), 512 * random(), frame, 2, random));
      for (let i = 0; i < strays; i++) pairs.push(stray(frame, frame, random));
      const tentative = tentativeOf(pairs);
      const [found, expected] = [bestHypothesis(tentative, 0.1), plainly(tentative)];
      assert.equal(found?.cells, expected?.cells);
      assert.deepEqual(found?.supporters, expected?.supporters);
      if (!found || !expected) return;
      const [x, y] = project(found.similarity, tentative.rx[expected.h], tentative.ry[expected.h]);
      assert.ok(Math.hypot(x - tentative.qx[expected.h], y - tentative.qy[expected.h]) < 1e-6);
    }),
    { numRuns: 300 },
  );
});

test('nothing agrees with nothing', () => {
  assert.equal(bestHypothesis(tentativeOf([]), 0.1), undefined);
});
