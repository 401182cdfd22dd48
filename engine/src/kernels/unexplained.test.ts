import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertNear, floatsOf } from '../../test/dirty-workspace.ts';
import * as plain from '../../test/oracles/unexplained.ts';

const range = fc
  .tuple(fc.integer({ min: 0, max: 255 }), fc.nat(60), fc.nat(60))
  .map(([value, above, below]): plain.Range => ({ value, top: value + above, bottom: value - below }));

/** @param before  what the sums were */
function unexplained(pairs: readonly (readonly [plain.Range, plain.Range])[], before = 0): Float32Array {
  const padded = (pairs.length + 3) & ~3;
  const rows = (side: 0 | 1): Float32Array => {
    const out = new Float32Array(3 * padded);
    pairs.forEach((pair, i) => {
      const { value, top, bottom } = pair[side];
      [value, top, bottom].forEach((number, k) => (out[k * padded + i] = number));
    });
    return out;
  };
  return floatsOf(padded, (workspace, out) => {
    workspace.floats(out, padded).fill(before);
    workspace.kernels.unexplained(workspace.put(rows(0)), workspace.put(rows(1)), padded, 5, 0.25, 2, out);
  }).subarray(0, pairs.length);
}

test('what the other range holds is explained; what lies outside counts, less what is forgiven', () => {
  const flat = (value: number): plain.Range => ({ value, top: value, bottom: value });
  const wide = (value: number): plain.Range => ({ value, top: value + 20, bottom: value - 20 });
  const [inside, near, far, edge] = unexplained([
    [flat(100), wide(104)],
    [flat(100), flat(105)],
    [flat(100), flat(112)],
    [wide(100), wide(160)],
  ]);
  assert.deepEqual([inside, near, far], [0, 0, 4 * 7 * 7]);
  assert.equal(edge, 4 * (40 - 5 - 10) * (40 - 5 - 10)); // a quarter of the contrast of 40 is forgiven
});

test('it adds to what was there, and equals its plain twin', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(range, range), { maxLength: 20 }), fc.nat(100), (pairs, before) => {
      const expected = pairs.map(([one, other]) => before + plain.unexplained(one, other, 5, 0.25, 2));
      assertNear(unexplained(pairs, before), expected, 0.05);
    }),
  );
});

test('it does not matter which picture is which', () => {
  fc.assert(
    fc.property(range, range, (one, other) =>
      assert.equal(unexplained([[one, other]])[0], unexplained([[other, one]])[0]),
    ),
  );
});

test('differences are the roots of the sums, as much as they may be at least, and none where nothing is compared', () => {
  const strengths = floatsOf(8, (workspace, out) => {
    workspace.floats(out, 8).set([0, 9, 16, 1e6, 9, 9, 1e6, 2]);
    const compared = workspace.put(Float32Array.of(1, 1, 1, 1, 0, 0, 0, 1));
    workspace.kernels.strengths(out, compared, workspace.put(Float32Array.of(0, 0, 7, 0, 0, 5, 0, 1)), 8);
  });
  assertNear(strengths, [0, 3, 7, 255, 0, 5, 0, Math.fround(Math.SQRT2)], 0);
});
