import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DirtyWorkspace } from '../../test/dirty-workspace.ts';
import { consensus as plain, type Correspondences } from '../../test/oracles/consensus.ts';
import { cosines } from '../geometry/angle.ts';

const workspace = new DirtyWorkspace();
const start = workspace.mark();

function consensus(
  { count, angle, rx, ry, qx, qy, rScale, qScale }: Correspondences,
  tried: number,
  drift = 0.1,
): ReturnType<typeof plain> {
  workspace.release(start);
  const columns = workspace.put(
    Float64Array.from([rx, ry, qx, qy, rScale, qScale].flatMap((column) => Array.from(column))),
  );
  const [angles, table] = [workspace.put(Uint8Array.from(angle)), workspace.put(cosines)];
  const [out, scratch] = [workspace.take(8 + count), workspace.take(128 * count)];
  const number = workspace.kernels.consensus(columns, angles, count, tried, drift, table, scratch, out);
  workspace.assertUnharmed();
  const agree = [...workspace.bytes(out + 8, count)].flatMap((flag, i) => (flag === 1 ? [i] : []));
  const [cells, compared] = workspace.integers(out, 2);
  assert.ok(compared <= Math.min(count, tried) * count, `${compared} comparisons of ${count} correspondences`);
  return { number, cells, agree };
}

function correspondences(rows: readonly (readonly number[])[]): Correspondences {
  const [rx, ry, qx, qy, angle, rScale, qScale] = Array.from({ length: 7 }, (_, k) => rows.map((row) => row[k]));
  return { count: rows.length, rx, ry, qx, qy, angle, rScale, qScale };
}

/** Moved by (40, 25), neither rotated nor scaled. */
const moved = (x: number, y: number): number[] => [x, y, x + 40, y + 25, 0, 1, 1];

test('what moves together agrees, counted by cells of 12 pixels; what is rotated, scaled or put otherwise does not', () => {
  const rows = [
    moved(10, 10),
    moved(11, 11), // in the cell of the first
    moved(100, 50),
    [200, 50, 240, 75, 40, 1, 1],
    [200, 50, 240, 75, 0, 1, 3],
    [200, 50, 290, 75, 0, 1, 1],
  ];
  assert.deepEqual(consensus(correspondences(rows), 120), { number: 0, cells: 2, agree: [0, 1, 2] });
});

test('one that agrees with none but itself is no consensus', () => {
  assert.deepEqual(consensus(correspondences([moved(10, 10), [300, 300, 10, 400, 128, 1, 1]]), 120).number, -1);
  assert.equal(consensus(correspondences([]), 120).number, -1);
});

test('it equals its plain twin, windows of angles that run over the end and ties among them', () => {
  const place = fc.integer({ min: 0, max: 511 });
  const scale = fc.constantFrom(0.5, 1, 1.26, 2, 4);
  const any = fc.tuple(place, place, place, place, fc.nat(255), scale, scale);
  const near = fc.tuple(fc.nat(400), fc.nat(400), fc.nat(6), fc.nat(6), fc.constantFrom(250, 255, 0, 3, 8));
  const like = near.map(([x, y, dx, dy, angle]) => [x, y, x + 40 + dx, y + 25 + dy, angle, 1, 1]);
  fc.assert(
    fc.property(
      fc.array(fc.oneof(any, like), { maxLength: 120 }),
      fc.constantFrom(5, 120),
      fc.constantFrom(0.1, 0.4),
      (rows, tried, drift) => {
        const pairs = correspondences(rows);
        assert.deepEqual(consensus(pairs, tried, drift), plain(pairs, tried, drift, cosines));
      },
    ),
    { numRuns: 200 },
  );
});
