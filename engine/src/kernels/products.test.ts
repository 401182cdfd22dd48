import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { floatsOf } from '../../test/dirty-workspace.ts';
import * as plain from '../../test/oracles/products.ts';

/** @param spare  bytes between the rows, which do not count */
function products(rows: readonly Uint8Array[], spare = 0): number[] {
  const n = rows.length;
  const length = rows[0]?.length ?? 0;
  const pitch = length + spare;
  const all = new Uint8Array(n * pitch).fill(77);
  rows.forEach((row, i) => all.set(row, i * pitch));
  const floats = floatsOf(n * n, (workspace, out) =>
    workspace.kernels.products(workspace.put(all), n, pitch, length, out),
  );
  return [...new Int32Array(floats.buffer)];
}

test('128 is neutral, and the extremes are -128 and 127', () => {
  const row = (...values: number[]) => Uint8Array.from(values);
  assert.deepEqual(products([row(128, 128, 128), row(0, 255, 9)]), [0, 0, 0, 128 * 128 + 127 * 127 + 119 * 119]);
  const lowest = new Uint8Array(9216);
  assert.deepEqual(products([lowest]), [9216 * 128 * 128]);
});

test('it equals its plain twin, for any length and whatever lies between the rows', () => {
  const rows = fc
    .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 70 }))
    .chain(([n, length]) =>
      fc.array(fc.uint8Array({ minLength: length, maxLength: length }), { minLength: n, maxLength: n }),
    );
  fc.assert(
    fc.property(rows, fc.nat(9), (rows, spare) => assert.deepEqual(products(rows, spare), plain.products(rows))),
  );
});
