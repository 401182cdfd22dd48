import type { Point } from '@sosia/testing/pictures/homography';
import { normal, type Random } from '@sosia/testing/pictures/random';
import { rasterOf, sharpOf, type Raster } from '@sosia/testing/pictures/raster';

/** What happens to a scene between the picture and the file; where the picture hangs is given. */
export type Condition = (scene: Raster, outline: readonly Point[], random: Random) => Promise<Raster>;

export const unharmed: Condition = async (scene) => scene;

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
    const [x, y] = middleOf(outline);
    const reach = 0.45 * size * Math.min(...extentOf(outline));
    const [cx, cy] = [x + reach * (random() - 0.5), y + reach * (random() - 0.5)];
    return each(scene, (value, px, py) => value + 400 * Math.exp(-((px - cx) ** 2 + (py - cy) ** 2) / (reach * reach)));
  };

/** Something grey in front of this share of the picture, from one side. */
export function covered(share: number): Condition {
  return async (scene, outline, random) => {
    const [[ax, ay], [bx, by], [cx, cy], [dx, dy]] = (random() < 0.5 ? outline : [...outline.slice(1), outline[0]]) as [
      Point,
      Point,
      Point,
      Point,
    ];
    const towards = (from: number, to: number) => from + share * (to - from);
    const points = [
      [ax, ay],
      [towards(ax!, bx!), towards(ay!, by!)],
      [towards(dx!, cx!), towards(dy!, cy!)],
      [dx, dy],
    ].map((point) => point.join(','));
    const { width, height } = scene;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><polygon points="${points.join(' ')}" fill="#6b6257"/></svg>`;
    return rasterOf(sharpOf(scene).composite([{ input: Buffer.from(svg) }]));
  };
}

function middleOf(outline: readonly Point[]): Point {
  return [0, 1].map((axis) => outline.reduce((sum, point) => sum + point[axis]!, 0) / outline.length) as [
    number,
    number,
  ];
}

function extentOf(outline: readonly Point[]): [number, number] {
  return [0, 1].map((axis) => {
    const values = outline.map((point) => point[axis]!);
    return Math.max(...values) - Math.min(...values);
  }) as [number, number];
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
