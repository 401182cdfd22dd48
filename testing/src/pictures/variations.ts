import { basename } from 'node:path';
import type { Picture } from '@sosia/engine';
import { between, oneOf, randomFor } from './random.ts';
import { pictureOf, rasterOf, sharpOf } from './raster.ts';

/**
 * A part of a picture rotated, perhaps mirrored, and enlarged: about as different from the whole as another picture,
 * which makes thousands of references out of hundreds.
 */
export async function varied(picture: Picture, path: string, variation: number): Promise<Picture> {
  const random = randomFor('variation', basename(path), variation);
  const side = between(random, 0.5, 0.65);
  const [width, height] = [Math.ceil(picture.width * side), Math.ceil(picture.height * side)];
  const left = Math.floor(random() * (picture.width - width + 1));
  const top = Math.floor(random() * (picture.height - height + 1));
  const whole = { ...picture, rgb: Buffer.from(picture.rgb) };
  const part = await rasterOf(sharpOf(whole).extract({ left, top, width, height }));
  const rotated = await rasterOf(sharpOf(part).rotate(oneOf(random, [0, 90, 180, 270])));
  const facing = random() < 0.5 ? await rasterOf(sharpOf(rotated).flop()) : rotated;
  return pictureOf(await rasterOf(sharpOf(facing).resize(512, 512, { fit: 'inside' })));
}
