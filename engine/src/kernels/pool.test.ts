import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertNear, floatsOf } from '../../test/dirty-workspace.ts';
import * as plain from '../../test/oracles/pool.ts';
import { wholes } from '../../test/wholes.ts';
import { type Mixture, mixtures } from '../classify/mixtures.ts';

function pool(vectors: readonly ArrayLike<number>[], mixture: Mixture): Float32Array {
  const { size, dims, even, count, axes, mean, likelihood } = mixture;
  return floatsOf(likelihood.length, (workspace, out) => {
    workspace.floats(out, likelihood.length).fill(0);
    const rows = workspace.put(Float32Array.from(vectors.flatMap((vector) => Array.from(vector))));
    const [at, off, of] = [axes, mean, likelihood].map((each) => workspace.put(each));
    workspace.kernels.pool(rows, vectors.length, size, at, off, even, dims, of, count, out);
  });
}

/** The sums of all vectors by the twin. */
function plainly(vectors: readonly ArrayLike<number>[], mixture: Mixture): Float64Array {
  const sums = new Float64Array(mixture.likelihood.length);
  for (const vector of vectors) plain.pool(vector, mixture).forEach((value, i) => (sums[i] += value));
  return sums;
}

/** Two components on the first even and the first odd of eight axes: about (4, 4) and about (-4, -4), of spread 1. */
const corners: Mixture = {
  size: 8,
  dims: 8,
  even: 4,
  count: 2,
  axes: Float32Array.from({ length: 64 }, (_, i) => (i % 9 === 0 ? 1 : 0)),
  mean: Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0),
  likelihood: Float32Array.from([4, -4].flatMap((at) => [at, 0, 0, 0, at, 0, 0, 0, ...Array(8).fill(-0.5), -16])),
};

test('a vector goes to the component it lies at, its mirror image to the one it lies at then', () => {
  const sums = pool([[5, 0, 0, 0, 4, 0, 0, 0]], corners);
  assertNear([sums[16], sums[33]], [1.5, 0.5], 1e-6, 'weight'); // mirrored, (4, -4), it lies as near to either
  assertNear([sums[0], sums[4], sums[17], sums[21]], [6, 2, 2, -2], 1e-5, 'sum');
  assertNear([sums[8], sums[12]], [24, 24], 1e-4, 'sum of squares');
});

test('every vector counts once as it is and once mirrored, and none gives nothing', () => {
  const weightOf = (sums: ArrayLike<number>): number => sums[16] + sums[33];
  assert.equal(weightOf(pool([], corners)), 0);
  assertNear([weightOf(pool([wholes(1, 8, 6), wholes(2, 8, 6), wholes(3, 8, 6)], corners))], [6], 1e-5);
});

test('it equals its plain twin', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(6), fc.constantFrom(0, 4, 8), (seed, count, even) => {
      const mixture = { ...corners, even };
      const vectors = Array.from({ length: count }, (_, i) => wholes(seed + i, 8, 7).map((value) => value / 2));
      assertNear(pool(vectors, mixture), plainly(vectors, mixture), 1e-3 * (1 + count));
    }),
  );
});

test('with the trained mixtures too', () => {
  for (const mixture of Object.values(mixtures())) {
    const vectors = Array.from({ length: 20 }, (_, i) =>
      wholes(i, mixture.size, 9).map((value) => Math.abs(value) / 40),
    );
    assertNear(pool(vectors, mixture), plainly(vectors, mixture), 0.02);
  }
});
