import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkSpecOf, type Picture } from '@sosia/engine';
import fc from 'fast-check';
import { tensorOf } from './tensor.ts';

const spec = (more: object = {}) => networkSpecOf({ labels: ['a'], ...more });
function painted(width: number, height: number, paint: (x: number, y: number) => readonly number[]): Picture {
  const rgb = new Uint8Array(3 * width * height);
  for (let i = 0; i < width * height; i++) rgb.set(paint(i % width, Math.floor(i / width)), 3 * i);
  return { width, height, rgb, originalWidth: width, originalHeight: height };
}
const close = (tensor: Float32Array, wanted: readonly number[]) => {
  assert.equal(tensor.length, wanted.length);
  tensor.forEach((value, i) => assert.ok(Math.abs(value - wanted[i]!) < 1e-6, `${i}: ${value}, not ${wanted[i]}`));
};

test('at its own size a picture is its channels, one plane after another or pixel by pixel', () => {
  const picture = painted(2, 2, (x, y) => [51 * x, 51 * y, 255]);
  close(tensorOf(picture, picture, spec()), [0, 0.2, 0, 0.2, 0, 0, 0.2, 0.2, 1, 1, 1, 1]);
  close(tensorOf(picture, picture, spec({ layout: 'NHWC' })), [0, 0, 1, 0.2, 0, 1, 0, 0.2, 1, 0.2, 0.2, 1]);
  close(tensorOf(picture, picture, spec({ channels: 'BGR' })), [1, 1, 1, 1, 0, 0, 0.2, 0.2, 0, 0.2, 0, 0.2]);
  const normal = spec({ mean: [0.1, 0.2, 0.5], std: [0.1, 0.5, 0.25] });
  close(tensorOf(picture, picture, normal), [-1, 1, -1, 1, -0.4, -0.4, 0, 0, 2, 2, 2, 2]);
});

test('a flat picture stays flat at every size', () => {
  const side = fc.integer({ min: 1, max: 60 });
  fc.assert(
    fc.property(side, side, side, side, fc.constantFrom('crop', 'stretch'), (w, h, width, height, fit) => {
      const tensor = tensorOf(
        painted(w, h, () => [102, 102, 102]),
        { width, height },
        spec({ fit }),
      );
      close(tensor, Array(3 * width * height).fill(0.4));
    }),
  );
});

test('half the size weighs four pixels by a triangle; a ramp keeps its slope inside', () => {
  const ramp = painted(16, 16, (x) => [10 * x, 10 * x, 10 * x]);
  const tensor = tensorOf(ramp, { width: 8, height: 8 }, spec());
  for (let x = 1; x < 7; x++) assert.ok(Math.abs(tensor[8 + x]! - (20 * x + 5) / 255) < 1e-6);
  const step = painted(8, 1, (x) => (x === 3 ? [255, 255, 255] : [0, 0, 0]));
  // pixel 1 lies at 3: old pixels 1 to 4 with weights 1/8, 3/8, 3/8, 1/8
  close(tensorOf(step, { width: 4, height: 1 }, spec({ fit: 'stretch' })).slice(0, 4), [0, 0.375, 0.125, 0]);
});

test('crop keeps the middle as it is proportioned, stretch takes all', () => {
  const wide = painted(300, 100, (x) => (x < 100 ? [255, 0, 0] : x < 200 ? [0, 255, 0] : [0, 0, 255]));
  const share = (tensor: Float32Array) =>
    [0, 1, 2].map((c) => tensor.slice(400 * c, 400 * (c + 1)).reduce((a, b) => a + b, 0) / 400);
  const [red, green, blue] = share(tensorOf(wide, { width: 20, height: 20 }, spec())) as [number, number, number];
  assert.ok(green > 0.95 && red < 0.03 && Math.abs(red - blue) < 1e-6, `${red} ${green} ${blue}`);
  for (const each of share(tensorOf(wide, { width: 20, height: 20 }, spec({ fit: 'stretch' }))))
    assert.ok(Math.abs(each - 1 / 3) < 0.01, `${each}`);
});
