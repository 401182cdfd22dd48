import assert from 'node:assert/strict';
import { test } from 'node:test';
import { project } from '../../../test/oracles/project.ts';
import { stream } from '../../../test/planted.ts';
import { vocabulary, WORD_COUNT } from './vocabulary.ts';

const { axes, mean, step, mirroredStep, centroids, norms, medians, idf } = vocabulary();
const odd = Array.from(step, (width, axis) => mirroredStep[axis] !== width);

/** Where an entry of a descriptor goes when the picture is mirrored: row r to 3 - r, direction d to (8 - d) mod 8. */
const mirroredEntry = (k: number): number => 32 * (3 - (k >> 5)) + (k & 24) + ((8 - (k & 7)) & 7);

test('all numbers are there and finite', () => {
  const sizes = [axes, mean, step, centroids, norms, medians, idf].map(({ length }) => length);
  assert.deepEqual(sizes, [64 * 128, 64, 64, 2 * 32 * 256, 2 * 256, 2 * 256 * 32, WORD_COUNT]);
  for (const numbers of [axes, mean, step, centroids, norms, medians]) assert.ok(numbers.every(Number.isFinite));
  assert.ok(step.every((width) => width > 0));
  assert.ok(idf.every((weight) => weight > 0));
});

test('axes have length 1 and are orthogonal', () => {
  for (let a = 0; a < 64; a++) {
    for (let b = 0; b <= a; b++) {
      let dot = 0;
      for (let k = 0; k < 128; k++) dot += axes[128 * a + k] * axes[128 * b + k];
      assert.ok(Math.abs(dot - (a === b ? 1 : 0)) < 1e-4, `axes ${a} and ${b}: ${dot}`);
    }
  }
});

test('each axis is the same or its own opposite in the mirror', () => {
  for (let a = 0; a < 64; a++) {
    const sign = odd[a] ? -1 : 1;
    for (let k = 0; k < 128; k++) {
      const off = axes[128 * a + mirroredEntry(k)] - sign * axes[128 * a + k];
      assert.ok(Math.abs(off) < 1e-6, `axis ${a}, entry ${k}: ${off}`);
    }
    if (odd[a]) assert.ok(Math.abs(mean[a]) < 1e-6 * step[a], `mean of axis ${a}: ${mean[a]}`);
  }
  assert.ok(odd.includes(true) && odd.includes(false));
});

test('a mirrored descriptor has the same levels on even axes, and 15 less them on odd ones', () => {
  const random = stream(1);
  const level = (code: Uint8Array, axis: number): number => (code[axis >> 1] >> (4 * (axis & 1))) & 15;
  let [same, all] = [0, 0];
  for (let i = 0; i < 50; i++) {
    const entries = Array.from({ length: 128 }, () => random() * random());
    const total = entries.reduce((sum, v) => sum + v, 0);
    const descriptor = Float32Array.from(entries, (v) => Math.sqrt(v / total));
    const code = project(descriptor, { axes, mean, step });
    const mirrored = project(
      descriptor.map((_, k) => descriptor[mirroredEntry(k)]),
      { axes, mean, step },
    );
    for (let axis = 0; axis < 64; axis++) {
      all++;
      if (level(mirrored, axis) === (odd[axis] ? 15 - level(code, axis) : level(code, axis))) same++;
    }
  }
  assert.ok(same > 0.999 * all, `${same} of ${all} levels`); // the rest lie on an edge
});

test('norms are half the squared lengths of the centroids', () => {
  norms.forEach((norm, i) => {
    const [half, centroid] = [i >> 8, i & 255];
    let squares = 0;
    for (let d = 0; d < 32; d++) squares += centroids[256 * (32 * half + d) + centroid] ** 2;
    assert.ok(Math.abs(norm - squares / 2) < 1e-5 * (1 + squares), `centroid ${centroid} of half ${half}`);
  });
});
