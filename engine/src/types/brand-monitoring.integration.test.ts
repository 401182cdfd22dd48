import assert from 'node:assert/strict';
import { test } from 'node:test';
import { painted, photographs } from '../../test/pictures.ts';
import { SynchronousPartition } from '../partition/synchronous.ts';
import type { QuadMatch } from '../partition/result-info.ts';
import type { Picture } from '../pixels/picture.ts';
import { brandMonitoring } from './brand-monitoring.ts';

const [WIDTH, HEIGHT] = [240, 160];

/** An emblem of bars, dots and steps. */
function inked(x: number, y: number): boolean {
  if (x < 8 || y < 8 || x >= WIDTH - 8 || y >= HEIGHT - 8) return false;
  const [column, row] = [Math.floor(x / 40), Math.floor(y / 40)];
  const [u, v] = [x % 40, y % 40];
  const shapes = [u > 8 && u < 20, (u - 20) ** 2 + (v - 20) ** 2 < 180, v > 2 * u - 20, u + v < 36, v > 12 && u > v];
  return shapes[(column * 7 + row * 3) % shapes.length];
}

const drawing: Picture = {
  ...painted(WIDTH, HEIGHT, (x, y) => (inked(x, y) ? [0, 0, 0] : [255, 255, 255])),
  alpha: Uint8Array.from({ length: WIDTH * HEIGHT }, (_, i) => (inked(i % WIDTH, Math.floor(i / WIDTH)) ? 255 : 0)),
};

/** A photograph with the emblem in one colour. */
function scene(photograph: Picture, colour: readonly number[]): Picture {
  const { width, height, rgb } = photograph;
  return painted(width, height, (x, y) => {
    const at = 3 * (y * width + x);
    return inked(x - 60, y - 50) ? colour : [rgb[at], rgb[at + 1], rgb[at + 2]];
  });
}

function decisionFor(query: Picture): string | undefined {
  const partition = SynchronousPartition.of(brandMonitoring);
  partition.add(0, brandMonitoring.describe(drawing, 'reference'));
  const { verdicts } = partition.verify(brandMonitoring.describe(query, 'query'), [0]);
  return (verdicts[0]?.resultInfo as QuadMatch | undefined)?.decision;
}

test('a drawing without a background is found dark on light and light on dark, and not where it does not show', () => {
  assert.equal(decisionFor(scene(photographs[0], [10, 10, 10])), 'Match');
  assert.equal(decisionFor(scene(photographs[1], [250, 250, 250])), 'Match');
  assert.equal(decisionFor(photographs[2]), undefined);
});

test('the DNA of a drawing is a kind of its own, accepted as a reference and as a query, and it has a grade', () => {
  const dna = brandMonitoring.describe(drawing, 'reference');
  const opaque = brandMonitoring.describe({ ...drawing, alpha: undefined }, 'reference');
  assert.notEqual(dna[2], opaque[2]);
  for (const side of ['reference', 'query'] as const) brandMonitoring.checkDna(dna, side);
  assert.ok(brandMonitoring.referenceQuality!(dna).grade > 0);
});
