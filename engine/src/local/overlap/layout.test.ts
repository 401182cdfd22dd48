import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frame, type Scene, sideOf, waves } from '../../../test/waves.ts';
import { packMiniature } from '../../dna/miniature.ts';
import { MIN_LAYOUT_LIKENESS } from './same-whole.ts';
import { compareLayout, layoutOf } from './layout.ts';

const compared = (one: Scene, other: Scene) => compareLayout(sideOf(one).miniature, layoutOf(sideOf(other).miniature));
const mirrored =
  (scene: Scene): Scene =>
  (x, y) =>
    scene(frame.width - x, y);
/** Half hidden by level strips, or by upright ones. */
const striped =
  (scene: Scene, upright: boolean): Scene =>
  (x, y) =>
    (upright ? x : y) % 30 < 15 ? 0 : scene(x, y);

test('a picture has the layout of its copy in other proportions, of its mirror image and with strips over it', () => {
  for (let seed = 1; seed < 20; seed++) {
    const scene = waves(seed);
    for (const copy of [scene, striped(scene, true), striped(scene, false)])
      for (const [seen, isMirrored] of [
        [copy, false],
        [mirrored(copy), true],
      ] as const) {
        const { likeness, mirrored } = compared(scene, seen);
        assert.ok(likeness >= MIN_LAYOUT_LIKENESS, `${likeness}`);
        assert.equal(mirrored, isMirrored);
      }
    const narrow = Float32Array.from({ length: 18 * 36 }, (_, i) =>
      scene((480 / 18) * ((i % 18) + 0.5), 10 * (Math.floor(i / 18) + 0.5)),
    );
    const { likeness } = compareLayout(
      sideOf(scene).miniature,
      layoutOf(packMiniature({ width: 18, height: 36 }, narrow)),
    );
    assert.ok(likeness >= MIN_LAYOUT_LIKENESS, `${likeness}`);
  }
});

test('pictures of other things have other layouts, and plain ones that of nothing', () => {
  for (let seed = 1; seed < 20; seed++) {
    const { likeness } = compared(waves(seed), waves(seed + 20));
    assert.ok(likeness < MIN_LAYOUT_LIKENESS, `${likeness}`);
  }
  assert.deepEqual(
    compared(() => 1, waves(1)),
    { likeness: 0, mirrored: false },
  );
});

test('a line of few cells has a layout, too', () => {
  const line = packMiniature(
    { width: 48, height: 1 },
    Float32Array.from({ length: 48 }, (_, x) => (x * x) % 17),
  );
  const { likeness } = compareLayout(line, layoutOf(line));
  assert.ok(likeness > 0.99 && likeness <= 1, `${likeness}`);
});
