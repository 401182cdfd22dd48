import { basename } from 'node:path';
import { between, oneOf, randomFor } from './random.ts';
import { rasterOf, sharpOf, type Raster } from './raster.ts';

/**
 * A part of a picture turned, perhaps mirrored, and enlarged: about as different from the whole as another picture,
 * which makes thousands of references out of hundreds. Variation 0 is the picture as it is.
 */
export async function varied(picture: Raster, path: string, variation: number): Promise<Raster> {
  if (variation === 0) return picture;
  const random = randomFor('variation', basename(path), variation);
  const side = between(random, 0.5, 0.65);
  const [width, height] = [Math.ceil(picture.width * side), Math.ceil(picture.height * side)];
  const left = Math.floor(random() * (picture.width - width + 1));
  const top = Math.floor(random() * (picture.height - height + 1));
  const part = await rasterOf(sharpOf(picture).extract({ left, top, width, height }));
  const turned = await rasterOf(sharpOf(part).rotate(oneOf(random, [0, 90, 180, 270])));
  const facing = random() < 0.5 ? await rasterOf(sharpOf(turned).flop()) : turned;
  return rasterOf(sharpOf(facing).resize(512, 512, { fit: 'inside' }));
}
