import { area, cornersOf, type Point } from '@sosia/engine/geometry/frame';
import { compose } from '@sosia/engine/geometry/homography';
import { boundsOf, moving, projected, scaling } from '@sosia/testing/pictures/homography';
import { between, shuffled, type Random } from '@sosia/testing/pictures/random';
import { rasterOf, resized, type Raster } from '@sosia/testing/pictures/raster';
import { view } from '@sosia/testing/pictures/scenes';
import { warpOnto } from '@sosia/testing/pictures/warp';
import sharp from 'sharp';
import type { Case } from './cases.ts';

export const [WIDTH, HEIGHT] = [1024, 768];

/** Where a reference is in a scene: its corners, in pixels. */
export interface PlantedReference {
  readonly reference: number;
  readonly outline: readonly Point[];
}

/** A part of the scene: left, top, width, height. */
type Part = readonly [number, number, number, number];

/** A photograph with its places, each in a cell of its own, changed as the case says. */
export async function planted(
  random: Random,
  one: Case,
  ground: string,
  rasters: readonly Raster[],
  usable: readonly number[],
): Promise<{ scene: Raster; places: PlantedReference[] }> {
  const { instances = 1, references = 1, change, condition } = one;
  const chosen = shuffled(random, usable).slice(0, references);
  const all = chosen.flatMap((reference) => new Array<number>(instances).fill(reference));
  const columns = Math.ceil(Math.sqrt(all.length));
  const [width, height] = [WIDTH / columns, HEIGHT / Math.ceil(all.length / columns)];
  let scene = await rasterOf(sharp(ground).resize({ width: WIDTH, height: HEIGHT, fit: 'cover' }));
  const places: PlantedReference[] = [];
  for (const [i, reference] of all.entries()) {
    const part = [(i % columns) * width, Math.floor(i / columns) * height, width, height] as const;
    const picture = (await change?.(rasters[reference]!)) ?? rasters[reference]!;
    const { outline, ...made } = await hung(random, scene, picture, one, part);
    scene = made.scene;
    places.push({ reference, outline });
  }
  return { scene: condition ? await condition(scene, places[0]!.outline, random) : scene, places };
}

/** Hangs a picture in a part of a scene, wholly inside; smaller than its share where it does not fit. */
async function hung(random: Random, scene: Raster, picture: Raster, { tilt = 10, angle = 0, share }: Case, part: Part) {
  const rotated = ((angle + between(random, -10, 10)) * Math.PI) / 180;
  const frame = cornersOf(picture);
  const seen = view(picture, tilt, 2 * Math.PI * random(), rotated);
  const outline = projected(seen, frame);
  const bounds = boundsOf(outline);
  const [left, top, width, height] = part;
  const wanted = Math.sqrt((share * scene.width * scene.height) / area(outline));
  const zoom = Math.min(wanted, width / bounds.width, height / bounds.height);
  const at = (free: number, low: number) => random() * free - zoom * low;
  const across = left + at(width - zoom * bounds.width, bounds.left);
  const put = moving(across, top + at(height - zoom * bounds.height, bounds.top));
  const toScene = compose(put, compose(scaling(zoom, zoom), seen));
  const shown = await resized(picture, picture.width * zoom, picture.height * zoom);
  const fromShown = compose(toScene, scaling(picture.width / shown.width, picture.height / shown.height));
  return { scene: warpOnto(scene, shown, fromShown), outline: projected(toScene, frame) };
}
