import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { floatsOf } from '../../test/dirty-workspace.ts';
import { clearance as plain } from '../../test/oracles/clearance.ts';
import type { Point } from '../../test/oracles/peaks.ts';

const FLOAT32_MAX = 3.4028234663852886e38;

const clearance = (points: readonly Point[]): number[] => [
  ...floatsOf(points.length, (workspace, out) => {
    const floats = Float32Array.from(points.flatMap(({ x, y, response }) => [x, y, response]));
    workspace.kernels.clearance(workspace.put(floats), points.length, out);
  }),
];

test('the strongest is free, and so are those nearly as strong; the rest keep clear of them', () => {
  const points = [
    { x: 0, y: 0, response: 100 },
    { x: 1, y: 0, response: 95 },
    { x: 3, y: 4, response: 80 },
    { x: 3, y: 0, response: 10 },
  ];
  assert.deepEqual(clearance(points), [FLOAT32_MAX, FLOAT32_MAX, 4 + 16, 4]);
});

test('it equals its plain twin', () => {
  // quarters of pixels and few strengths: squares are exact, and ties and places shared by two are common
  const quarter = fc.integer({ min: 0, max: 400 }).map((v) => v / 4);
  const point = fc.record({ x: quarter, y: quarter, response: fc.integer({ min: 1, max: 40 }) });
  fc.assert(
    fc.property(fc.array(point, { maxLength: 60 }), (points) => {
      const sorted = points.toSorted((a, b) => b.response - a.response);
      assert.deepEqual(clearance(sorted), plain(sorted));
    }),
  );
});
