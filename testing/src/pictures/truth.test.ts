import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Point } from '@sosia/engine/geometry/frame';
import { project } from '@sosia/engine/geometry/homography';
import { attacks } from './attacks.ts';
import type { Raster } from './raster.ts';

const [WIDTH, HEIGHT] = [360, 240];
const spot: Point = [0.4, 0.625]; // off the middle, so that rotations and mirrors show
const original = drawn((x, y) => (isSpot(x, y) ? [255, 0, 0] : [250, 250, 250]));
const host = drawn(() => [250, 250, 250]);
const chance = () => 0.4; // crops keep the spot, lettering does not cover it

for (const attack of attacks.filter(({ name }) => !/grey/.test(name))) {
  test(`${attack.name}: the middle of a red spot is where the attack says that it went`, async () => {
    const { picture, truth } = await attack.apply(original, { random: chance, host });
    const [x, y] = project(truth, ...spot);
    const [redX, redY] = middleOfRed(picture);
    const off = Math.hypot((x - redX) * picture.width, (y - redY) * picture.height);
    assert.ok(off < 2, `${off} px off: ${x}, ${y} is said, ${redX}, ${redY} is red`);
  });
}

function isSpot(x: number, y: number): boolean {
  return Math.hypot(x - WIDTH * spot[0], y - HEIGHT * spot[1]) < 7;
}

function drawn(colour: (x: number, y: number) => readonly number[]): Raster {
  const pixels = Array.from({ length: WIDTH * HEIGHT }, (_, i) =>
    colour((i % WIDTH) + 0.5, Math.floor(i / WIDTH) + 0.5),
  );
  return { width: WIDTH, height: HEIGHT, rgb: Buffer.from(pixels.flat()) };
}

function middleOfRed({ width, height, rgb }: Raster): Point {
  let [weights, x, y] = [0, 0, 0];
  for (let i = 0; i < width * height; i++) {
    const red = Math.max(0, rgb[i * 3]! - rgb[i * 3 + 1]! - 40);
    weights += red;
    x += red * ((i % width) + 0.5);
    y += red * (Math.floor(i / width) + 0.5);
  }
  return [x / weights / width, y / weights / height];
}
