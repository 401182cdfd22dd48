import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DirtyWorkspace } from '../../test/dirty-workspace.ts';
import { consensus as plain, type Turned } from '../../test/oracles/consensus.ts';
import { cosines } from '../geometry/turn.ts';

const workspace = new DirtyWorkspace();
const start = workspace.mark();

function consensus(
  { count, turn, rx, ry, qx, qy, rScale, qScale }: Turned,
  tried: number,
  drift = 0.1,
): ReturnType<typeof plain> {
  workspace.release(start);
  const columns = workspace.put(
    Float64Array.from([rx, ry, qx, qy, rScale, qScale].flatMap((column) => Array.from(column))),
  );
  const [turns, table] = [workspace.put(Uint8Array.from(turn)), workspace.put(cosines)];
  const [out, scratch] = [workspace.take(8 + count), workspace.take(128 * count)];
  const number = workspace.kernels.consensus(columns, turns, count, tried, drift, table, scratch, out);
  workspace.assertUnharmed();
  const agree = [...workspace.bytes(out + 8, count)].flatMap((flag, i) => (flag === 1 ? [i] : []));
  const [cells, compared] = workspace.integers(out, 2);
  assert.ok(compared <= Math.min(count, tried) * count, `${compared} comparisons of ${count} correspondences`);
  return { number, cells, agree };
}

function turned(rows: readonly (readonly number[])[]): Turned {
  const [rx, ry, qx, qy, turn, rScale, qScale] = Array.from({ length: 7 }, (_, k) => rows.map((row) => row[k]));
  return { count: rows.length, rx, ry, qx, qy, turn, rScale, qScale };
}

/** Moved by (40, 25), neither turned nor scaled. */
const moved = (x: number, y: number): number[] => [x, y, x + 40, y + 25, 0, 1, 1];

test('what moves together agrees, counted by cells of 12 pixels; what is turned, scaled or put otherwise does not', () => {
  const rows = [
    moved(10, 10),
    moved(11, 11), // in the cell of the first
    moved(100, 50),
    [200, 50, 240, 75, 40, 1, 1],
    [200, 50, 240, 75, 0, 1, 3],
    [200, 50, 290, 75, 0, 1, 1],
  ];
  assert.deepEqual(consensus(turned(rows), 120), { number: 0, cells: 2, agree: [0, 1, 2] });
});

test('one that agrees with none but itself is no consensus', () => {
  assert.deepEqual(consensus(turned([moved(10, 10), [300, 300, 10, 400, 128, 1, 1]]), 120).number, -1);
  assert.equal(consensus(turned([]), 120).number, -1);
});

test('it equals its plain twin, windows of turns that run over the end and ties among them', () => {
  const place = fc.integer({ min: 0, max: 511 });
  const scale = fc.constantFrom(0.5, 1, 1.26, 2, 4);
  const any = fc.tuple(place, place, place, place, fc.nat(255), scale, scale);
  const near = fc.tuple(fc.nat(400), fc.nat(400), fc.nat(6), fc.nat(6), fc.constantFrom(250, 255, 0, 3, 8));
  const like = near.map(([x, y, dx, dy, turn]) => [x, y, x + 40 + dx, y + 25 + dy, turn, 1, 1]);
  fc.assert(
    fc.property(
      fc.array(fc.oneof(any, like), { maxLength: 120 }),
      fc.constantFrom(5, 120),
      fc.constantFrom(0.1, 0.4),
      (rows, tried, drift) => {
        const pairs = turned(rows);
        assert.deepEqual(consensus(pairs, tried, drift), plain(pairs, tried, drift, cosines));
      },
    ),
    { numRuns: 200 },
  );
});
