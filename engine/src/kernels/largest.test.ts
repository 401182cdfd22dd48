import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DirtyWorkspace } from '../../test/dirty-workspace.ts';
import { largest as plain } from '../../test/oracles/largest.ts';

function largest(values: readonly number[], stride: number, most: number): number[] {
  const workspace = new DirtyWorkspace();
  const at = workspace.take(stride * values.length);
  values.forEach((value, i) => workspace.floats(at + stride * i, 1).set([value]));
  const out = workspace.take(2 * Math.min(most, values.length));
  const scratch = workspace.take(16 * values.length);
  const count = workspace.kernels.largest(at, stride, values.length, most, out, scratch);
  workspace.assertUnharmed();
  return [...workspace.halves(out, count)];
}

test('the largest come first, equal ones in order', () => {
  assert.deepEqual(largest([3, 0, 7, 3, 1e30, 0.5], 4, 4), [4, 2, 0, 3]);
});

test('it equals its plain twin, for any number of them', () => {
  const few = fc.integer({ min: 0, max: 20 });
  const many = fc.float({ min: 0, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0); // without -0
  const lists = fc.oneof(fc.array(few, { maxLength: 300 }), fc.array(many, { maxLength: 300 }));
  fc.assert(
    fc.property(lists, fc.constantFrom(4, 12), fc.integer({ min: 0, max: 320 }), (values, stride, most) => {
      assert.deepEqual(largest(values, stride, most), plain(values, most));
    }),
  );
});
