import assert from 'node:assert/strict';
import { test } from 'node:test';
import { painted, photographs } from '../../test/pictures.ts';
import { Workspace } from '../kernels/workspace.ts';
import { means } from '../pixels/neighbourhood.ts';
import type { Picture } from '../pixels/picture.ts';
import { channelsOf, type PlanesAt, planesAt } from '../pixels/planes.ts';
import { residue } from './residue.ts';
import type { Warped } from './warp.ts';

const [WIDTH, HEIGHT] = [240, 160];
const workspace = new Workspace();

/** Strokes two pixels wide, some across and some down, as letters have them; `rotated` is the one that lies the other way. */
function strokes(rotated = -1): Picture {
  return painted(WIDTH, HEIGHT, (x, y) => {
    const [column, row] = [Math.floor(x / 12), Math.floor(y / 12)];
    const number = row * 20 + column;
    const [u, v] = [x % 12, y % 12];
    const down = ((number * 7) % 3 === 0) !== (number === rotated);
    const ink = down ? u >= 5 && u < 7 && v >= 2 && v < 10 : v >= 5 && v < 7 && u >= 2 && u < 10;
    return ink ? [20, 20, 20] : [230, 230, 230];
  });
}

const size = { width: WIDTH, height: HEIGHT };
const planes = (picture: Picture): PlanesAt => planesAt(picture, size, workspace);

/** The planes as warped ones, their brightness changed. */
function warped(of: PlanesAt, change: (luma: Float32Array) => Float32Array = (luma) => luma): Warped {
  const [luma, ...colours] = channelsOf(of, workspace);
  const changed = [change(luma), ...colours].flatMap((values) => [...values]);
  return {
    ...of,
    at: workspace.put(Float32Array.from(changed)),
    inside: new Uint8Array(WIDTH * HEIGHT).fill(1),
    compared: new Float32Array(WIDTH * HEIGHT).fill(1),
    covered: WIDTH * HEIGHT,
  };
}

/** The box around what is left, or undefined. */
function left(values: Float32Array): number[] | undefined {
  const box = [Infinity, Infinity, -1, -1];
  values.forEach((value, i) => {
    if (value === 0) return;
    const [x, y] = [i % WIDTH, Math.floor(i / WIDTH)];
    box.splice(0, 4, Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y));
  });
  return box[2] < 0 ? undefined : box;
}

test('a stroke that lies the other way is left, where it is', () => {
  const box = left(residue(planes(strokes()), warped(planes(strokes(147))), 1, workspace));
  const [x, y] = [(147 % 20) * 12, Math.floor(147 / 20) * 12];
  assert.ok(box, 'nothing is left');
  assert.ok(
    box[0] > x - 12 && box[1] > y - 12 && box[2] < x + 24 && box[3] < y + 24,
    `${box}, expected about ${x}, ${y}`,
  );
  assert.ok(box[2] >= x + 5 && box[0] <= x + 7);
});

test('softening, other contrast and a motion of less than a pixel leave nothing', () => {
  const causes: [string, (luma: Float32Array) => Float32Array][] = [
    ['nothing at all', (luma) => luma],
    ['softer', (luma) => means(luma, WIDTH, HEIGHT, 1)],
    ['paler', (luma) => luma.map((value) => 0.8 * value + 30)],
    ['half a pixel to the left', (luma) => luma.map((value, i) => (value + (luma[i + 1] ?? value)) / 2)],
  ];
  for (const picture of [planes(strokes()), planes(photographs[0])]) {
    for (const [name, change] of causes)
      assert.equal(left(residue(picture, warped(picture, change), 1, workspace)), undefined, name);
  }
});

test('what is left everywhere is the way the copy was made, and no difference', () => {
  const picture = planes(photographs[0]);
  const soft = warped(picture, (luma) => means(luma, WIDTH, HEIGHT, 3));
  assert.equal(left(residue(picture, soft, 1, workspace)), undefined);
});

test('outside of what is compared nothing is left', () => {
  const other = warped(planes(strokes(147)));
  assert.equal(
    left(residue(planes(strokes()), { ...other, compared: new Float32Array(WIDTH * HEIGHT) }, 1, workspace)),
    undefined,
  );
});
