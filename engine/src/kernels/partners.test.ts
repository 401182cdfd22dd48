import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DirtyWorkspace } from '../../test/dirty-workspace.ts';
import { type Lying, partners as plain } from '../../test/oracles/partners.ts';
import { cosines } from '../geometry/angle.ts';
import { scaleOf } from '../local/verify/tentative.ts';

const size = { width: 300, height: 200 };
const SQUARE_SIDE_PIXELS = 24;
const GRID = { columns: 13, rows: 9 };

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  readonly level: number;
  readonly signs: bigint;
}

const lying = ({ level, ...rest }: Placed): Lying => ({ ...rest, scale: scaleOf(level) });
const squareOf = ({ x, y }: Placed): number =>
  GRID.columns * Math.floor(y / SQUARE_SIDE_PIXELS) + Math.floor(x / SQUARE_SIDE_PIXELS);

const workspace = new DirtyWorkspace();
const start = workspace.mark();

/** @param scene  in the order of its squares */
function partners(map: readonly number[], reference: readonly Placed[], scene: readonly Placed[], quota = 1e9) {
  workspace.release(start);
  const n = reference.length;
  const keypoints = new DataView(new ArrayBuffer(6 * n));
  reference.forEach(({ x, y, angle, level }, i) => {
    keypoints.setUint16(6 * i, 64 * x, true);
    keypoints.setUint16(6 * i + 2, 64 * y, true);
    keypoints.setUint8(6 * i + 4, angle);
    keypoints.setUint8(6 * i + 5, level + 16);
  });
  const signs = new DataView(new ArrayBuffer(8 * n));
  reference.forEach((one, i) => signs.setBigUint64(8 * i, one.signs, true));
  const features = new DataView(new ArrayBuffer(32 * scene.length));
  scene.forEach(({ x, y, angle, level, signs }, i) => {
    features.setFloat64(32 * i, scaleOf(level), true);
    features.setBigUint64(32 * i + 8, signs, true);
    features.setFloat32(32 * i + 16, x, true);
    features.setFloat32(32 * i + 20, y, true);
    features.setUint32(32 * i + 24, angle, true);
    features.setUint32(32 * i + 28, i, true);
  });
  const starts = Uint32Array.from({ length: GRID.columns * GRID.rows + 1 }, (_, square) => {
    return scene.filter((one) => squareOf(one) < square).length;
  });
  const tables = Float64Array.from({ length: 512 }, (_, i) => (i < 256 ? cosines[i] : (scaleOf(i - 272) ?? 0)));
  const bytes = (view: DataView): number => workspace.put(new Uint8Array(view.buffer));
  const [at, own, mine] = [workspace.put(Float64Array.from(map)), bytes(keypoints), bytes(signs)];
  const [squares, seen, looked] = [workspace.put(starts), bytes(features), workspace.put(tables)];
  const [head, out] = [workspace.take(40), workspace.take(4 * (n + 1))];
  workspace.doubles(head, 3).set([size.width, size.height, SQUARE_SIDE_PIXELS]);
  workspace.integers(head + 24, 4).set([GRID.columns, GRID.rows, squares, seen]);
  const found = workspace.kernels.partners(at, own, mine, n, head, looked, quota, out);
  workspace.assertUnharmed();
  const partners = Array.from(workspace.integers(out, n), (partner) => {
    return partner === 0xffffffff ? undefined : { number: partner & 0xffff, distance: partner >>> 16 };
  });
  assert.equal(partners.filter(Boolean).length, found);
  return partners;
}

const IDENTITY_HOMOGRAPHY = [1, 0, 0, 0, 1, 0, 0, 0, 1];

test('the most alike within reach, of the same direction and size, and none otherwise', () => {
  const here = { x: 50, y: 50, angle: 0, level: 0, signs: 0n };
  const scene = [
    { ...here, signs: 0b11n },
    { ...here, signs: 0b1n },
    { ...here, x: 52, signs: 0n, angle: 40 },
    { ...here, x: 52.5, level: 4 },
    { ...here, x: 54 },
  ];
  const far = { ...here, x: 200 };
  const unlike = { ...here, signs: (1n << 30n) - 1n };
  assert.deepEqual(partners(IDENTITY_HOMOGRAPHY, [here, far, unlike], scene), [
    { number: 1, distance: 1 },
    undefined,
    undefined,
  ]);
});

test('it equals its plain twin, under any map', () => {
  const quarter = (most: number) => fc.integer({ min: 0, max: 4 * most }).map((v) => v / 4);
  const placed = fc.record({
    x: quarter(size.width),
    y: quarter(size.height),
    angle: fc.nat(255),
    level: fc.integer({ min: -3, max: 5 }),
    signs: fc.bigInt({ min: 0n, max: (1n << 24n) - 1n }),
  });
  const small = fc.integer({ min: -100, max: 100 }).map((v) => v / 100);
  const map = fc.array(small, { minLength: 8, maxLength: 8 }).map(([a, b, c, d, e, f, g, h]) => {
    return [1 + a / 4, b / 4, 30 * c, d / 4, 1 + e / 4, 30 * f, g / 400, h / 400, 1];
  });
  fc.assert(
    fc.property(map, fc.array(placed, { maxLength: 40 }), fc.array(placed, { maxLength: 200 }), (map, mine, theirs) => {
      const scene = theirs.toSorted((a, b) => squareOf(a) - squareOf(b));
      // a third of the reference lies where the map puts a feature of the scene nearly as it is
      const reference = mine.map((one, i) => (i % 3 === 0 && scene[i] ? { ...scene[i], angle: one.angle } : one));
      assert.deepEqual(
        partners(map, reference, scene),
        plain(map, reference.map(lying), scene.map(lying), size, cosines),
      );
    }),
    { numRuns: 200 },
  );
});

test('features are compared so often at most; what is left of the reference then has no partner', () => {
  const here = { x: 50, y: 50, angle: 0, level: 0, signs: 0n };
  const scene = Array.from({ length: 10 }, () => here);
  const reference = Array.from({ length: 8 }, () => here);
  for (const [quota, found] of [
    [1e9, 8],
    [71, 8],
    [70, 7],
    [11, 2],
    [10, 1],
    [0, 0],
  ]) {
    assert.equal(partners(IDENTITY_HOMOGRAPHY, reference, scene, quota).filter(Boolean).length, found);
  }
});
