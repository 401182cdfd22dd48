import { drawing } from './lettering.ts';
import type { Point } from '@sosia/engine/geometry/frame';
import { normal, oneOf, type Random } from './random.ts';
import { rasterOf, sharpOf, type Raster } from './raster.ts';
import { mean } from '../statistics.ts';

/** Changes a scene, given the corners of the first picture in it. */
export type Condition = (scene: Raster, outline: readonly Point[], random: Random) => Promise<Raster>;

/** @param sigma  in pixels of the scene */
export function blurred(sigma: number): Condition {
  return (scene) => rasterOf(sharpOf(scene).blur(sigma));
}

/** Little light, and the noise of a sensor that makes the most of it. */
export const inTheDark: Condition = async (scene, _, random) =>
  each(scene, (value) => 0.22 * value + 5 * normal(random));

/**
 * A lamp reflected near the middle of the picture: white, fading out.
 * @param size  across what shows of the picture, how much of its shorter side is washed out
 */
export const glaring =
  (size: number): Condition =>
  async (scene, outline, random) => {
    const axes = [0, 1].map((axis) => outline.map((point) => point[axis]!));
    const [x, y] = axes.map(mean) as [number, number];
    const reach = 0.45 * size * Math.min(...axes.map((values) => Math.max(...values) - Math.min(...values)));
    const [cx, cy] = [x + reach * (random() - 0.5), y + reach * (random() - 0.5)];
    return each(scene, (value, px, py) => value + 400 * Math.exp(-((px - cx) ** 2 + (py - cy) ** 2) / (reach * reach)));
  };

/** Something grey in front of this share of the picture, from one side. */
export function covered(share: number): Condition {
  return async (scene, outline, random) => {
    const first = random() < 0.5 ? 0 : 1;
    const [a, b, c, d] = [0, 1, 2, 3].map((i) => outline[(first + i) % 4]!) as [Point, Point, Point, Point];
    const between = (from: Point, to: Point) => from.map((start, axis) => start + share * (to[axis]! - start));
    const polygon = `<polygon points="${[a, between(a, b), between(d, c), d].join(' ')}" fill="#6b6257"/>`;
    return rasterOf(sharpOf(scene).composite([{ input: drawing(scene.width, scene.height, polygon) }]));
  };
}

/** Four fingers from one side over about a third of the picture, and a lamp's reflection beside them. */
export const heldInGlare: Condition = async (scene, outline, random) => {
  const first = Math.floor(4 * random());
  const [a, b, c, d] = [0, 1, 2, 3].map((i) => outline[(first + i) % 4]!) as [Point, Point, Point, Point];
  const along = ([x, y]: Point, [u, v]: Point, share: number): Point => [x + share * (u - x), y + share * (v - y)];
  const width = Math.hypot(d[0] - a[0], d[1] - a[1]) / 5;
  const fingers = [0.15, 0.38, 0.61, 0.84].map((at) => {
    const [root, far] = [along(a, d, at), along(b, c, at)];
    const [from, to] = [along(root, far, -0.1), along(root, far, 0.25 + 0.15 * random())];
    return `<path d="M${from.join()} L${to.join()}" stroke="#${oneOf(random, ['c58c6a', 'b87d5c', 'd09a7a'])}" stroke-width="${width}"/>`;
  });
  const hand = `<g stroke-linecap="round">${fingers.join('')}</g>`;
  const held = await rasterOf(sharpOf(scene).composite([{ input: drawing(scene.width, scene.height, hand) }]));
  return glaring(0.33)(held, outline, random);
};

/**
 * The camera moved along a line while it took the picture.
 * @param length  of the line, as a share of the longer side of the scene
 */
export function moved(length: number): Condition {
  return async (scene, _, random) => {
    const pixels = length * Math.max(scene.width, scene.height);
    const side = 2 * Math.ceil(pixels / 2) + 1;
    const kernel = new Array<number>(side * side).fill(0);
    const angle = Math.PI * random();
    const steps = 8 * side;
    for (let i = 0; i < steps; i++) {
      const off = pixels * ((i + 0.5) / steps - 0.5);
      const [x, y] = [Math.cos(angle), Math.sin(angle)].map((way) => Math.round((side - 1) / 2 + off * way));
      kernel[side * y! + x!]! += 1;
    }
    return rasterOf(sharpOf(scene).convolve({ width: side, height: side, kernel, scale: steps }));
  };
}

function each(scene: Raster, curve: (value: number, x: number, y: number) => number): Raster {
  const rgb = Buffer.alloc(scene.rgb.length);
  for (let i = 0; i < scene.width * scene.height; i++) {
    const [x, y] = [i % scene.width, Math.floor(i / scene.width)];
    for (let at = 3 * i; at < 3 * i + 3; at++)
      rgb[at] = Math.max(0, Math.min(255, Math.round(curve(scene.rgb[at]!, x, y))));
  }
  return { ...scene, rgb };
}
