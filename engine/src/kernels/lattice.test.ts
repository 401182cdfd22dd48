import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DirtyWorkspace } from '../../test/dirty-workspace.ts';

const STEPS = Array.from({ length: 38 }, (_, i) => i + 3);
const cosineOf = (bin: number, step: number): number => Math.cos((2 * Math.PI * bin) / (4 * step));

/** By its definition. */
function plain(values: readonly number[]): number {
  const bins = values.map((value) => Math.round(4 * Math.abs(value))).filter((bin) => bin < 1024);
  const strengths = STEPS.map((step) => {
    const counted = bins.filter((bin) => bin >= 2.4 * step - 1e-9);
    const sum = counted.reduce((all, bin) => all + cosineOf(bin, step), 0);
    return counted.length < 60 ? 0 : sum / Math.sqrt(counted.length / 2);
  });
  return Math.max(0, ...strengths);
}

const workspace = new DirtyWorkspace();
const table = workspace.put(
  Float32Array.from(STEPS.flatMap((step) => Array.from({ length: 1024 }, (_, bin) => cosineOf(bin, step)))),
);

function strengthOf(values: readonly number[]): number {
  const mark = workspace.mark();
  const found = workspace.kernels.latticeStrength(workspace.put(Float32Array.from(values)), values.length, table);
  workspace.assertUnharmed();
  workspace.release(mark);
  return found;
}

test('it equals its definition, also of few and of large coefficients', () => {
  // eighths, so that no float decides between two bins
  const coefficient = fc.integer({ min: -2400, max: 2400 }).map((eighths) => eighths / 8 + 1 / 16);
  fc.assert(
    fc.property(fc.array(coefficient, { maxLength: 400 }), (values) => {
      assert.ok(Math.abs(strengthOf(values) - plain(values)) < 1e-3);
    }),
  );
});

test('multiples of a step add up, other numbers do not', () => {
  const multiples = Array.from({ length: 500 }, (_, i) => 7 * (i % 9));
  const others = Array.from({ length: 500 }, (_, i) => (i * 0.618 * 50) % 60);
  assert.ok(strengthOf(multiples) > 20);
  assert.ok(strengthOf(others) < 6);
});
