import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DirtyWorkspace } from '../../test/dirty-workspace.ts';
import { cosines } from '../geometry/angle.ts';

const BANDS = 32;
const workspace = new DirtyWorkspace();

function spectra(width: number, height: number, values: Float32Array): { lines: number; power: number[] } {
  const mark = workspace.mark();
  const [plane, table] = [workspace.put(values), workspace.put(cosines)];
  const [power, scratch] = [workspace.take(8 * BANDS), workspace.take(4 * 2 * 64 * 128)];
  const lines = workspace.kernels.lineSpectra(plane, width, height, table, power, scratch);
  workspace.assertUnharmed();
  const sums = [...workspace.doubles(power, BANDS)];
  workspace.release(mark);
  return { lines, power: sums };
}

/** By its definition. */
function plain(width: number, height: number, values: Float32Array): { lines: number; power: number[] } {
  const power = new Array<number>(BANDS).fill(0);
  let lines = 0;
  const add = (start: number, stride: number): void => {
    lines++;
    const line = Array.from({ length: 64 }, (_, i) => values[start + i * stride]!);
    const mean = line.reduce((sum, value) => sum + value, 0) / 64;
    for (let band = 0; band < BANDS; band++) {
      let [re, im] = [0, 0];
      for (const [i, value] of line.entries()) {
        const weighed = (value - mean) * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / 64));
        re += weighed * Math.cos((2 * Math.PI * i * band) / 64);
        im += weighed * Math.sin((2 * Math.PI * i * band) / 64);
      }
      power[band]! += re * re + im * im;
    }
  };
  for (let y = 0; y < height; y += 4) for (let x = 0; x + 64 <= width; x += 64) add(y * width + x, 1);
  for (let x = 0; x < width; x += 4) for (let y = 0; y + 64 <= height; y += 64) add(y * width + x, width);
  return { lines, power };
}

function noise(size: number): Float32Array {
  let state = 7;
  return Float32Array.from({ length: size }, () => (255 * (state = (state * 16807) % 2147483647)) / 2147483647);
}

test('they equal their definition: one line, an odd number of lines, more lines than one transform takes', () => {
  for (const [width, height] of [
    [64, 1],
    [70, 65],
    [200, 330],
  ] as const) {
    const values = noise(width * height);
    const [found, expected] = [spectra(width, height, values), plain(width, height, values)];
    assert.equal(found.lines, expected.lines);
    for (let band = 0; band < BANDS; band++) {
      const off = Math.abs(found.power[band]! - expected.power[band]!);
      assert.ok(off <= 1e-4 * expected.power[band]!, `${width} x ${height}, band ${band}: ${found.power[band]}`);
    }
  }
});

test('a plane smaller than a window has no line', () => {
  assert.deepEqual(spectra(63, 20, noise(63 * 20)), { lines: 0, power: new Array(BANDS).fill(0) });
});
