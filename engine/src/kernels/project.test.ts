import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { floatsOf } from '../../test/dirty-workspace.ts';
import * as plain from '../../test/oracles/project.ts';
import { wholes } from '../../test/wholes.ts';
import { vocabulary } from '../local/features/vocabulary.ts';

function project(descriptors: readonly Float32Array[], { axes, mean, step }: plain.Axes): Uint8Array[] {
  const count = descriptors.length;
  const codes = floatsOf(8 * count, (workspace, out) => {
    const from = workspace.put(Float32Array.from(descriptors.flatMap((descriptor) => [...descriptor])));
    workspace.kernels.project(from, count, workspace.put(axes), workspace.put(mean), workspace.put(step), out);
  });
  const bytes = new Uint8Array(codes.buffer);
  return descriptors.map((_, i) => bytes.slice(32 * i, 32 * i + 32));
}

test('the mean is the lower edge of level 8; levels end at 0 and 15', () => {
  const axes = Float32Array.from({ length: 64 * 128 }, (_, i) => (i % 128 === 0 ? 1 : 0)); // the first entry alone
  const rest = { axes, mean: new Float32Array(64).fill(10), step: new Float32Array(64).fill(2) };
  const levelOf = (value: number): number =>
    project([Float32Array.of(value, ...new Array(127).fill(0))], rest)[0][0] & 15;
  assert.deepEqual([9.99, 10, 11.99, 12, 8, 7.99, -1000, 1000, 24].map(levelOf), [7, 8, 8, 9, 7, 6, 0, 15, 15]);
});

test('it equals its plain twin, to the very edge of a level', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(5), (seed, count) => {
      const descriptors = Array.from({ length: count }, (_, i) => wholes(seed + i, 128, 4));
      const step = wholes(seed + 12, 64, 2).map((power) => [1, 2, 4, 8, 16][power + 2]);
      const axes = { axes: wholes(seed + 10, 64 * 128, 3), mean: wholes(seed + 11, 64, 20), step };
      assert.deepEqual(
        project(descriptors, axes),
        descriptors.map((descriptor) => plain.project(descriptor, axes)),
      );
    }),
  );
});

test('with the trained axes too, except within a ten-thousandth of an edge', () => {
  const entry = fc.integer({ min: 0, max: 1000 });
  const descriptor = fc.array(entry, { minLength: 128, maxLength: 128 }).map((entries) => {
    const total = entries.reduce((sum, v) => sum + v, 1);
    return Float32Array.from(entries, (v) => Math.sqrt(v / total));
  });
  fc.assert(
    fc.property(descriptor, (descriptor) => {
      const [code] = project([descriptor], vocabulary());
      plain.projected(descriptor, vocabulary()).forEach((place, axis) => {
        if (Math.abs(place - Math.round(place)) < 1e-4) return;
        const level = (code[axis >> 1] >> (4 * (axis & 1))) & 15;
        assert.equal(level, Math.min(15, Math.max(0, Math.floor(place))), `axis ${axis}, at ${place}`);
      });
    }),
    { numRuns: 50 },
  );
});
