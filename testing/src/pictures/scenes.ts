import { area, cornersOf } from '@sosia/engine/geometry/frame';
import { compose, type Homography } from '@sosia/engine/geometry/homography';
import type { AttackContext, Attacked } from './attack.ts';
import { boundsOf, moving, projected, rotating, scaling } from './homography.ts';
import { between, normal, oneOf, type Random } from './random.ts';
import { rasterOf, resized, sharpOf, type Raster } from './raster.ts';
import { warpOnto } from './warp.ts';

/**
 * The picture hung askew over another one, with this share of its area, seen by a poor camera in uneven light.
 * @param side  long side of the scene in pixels
 */
export function photographed(share: number, side: number) {
  return async (original: Raster, { random, host }: AttackContext): Promise<Attacked> => {
    const upright = original.height > original.width;
    const [width, height] = upright ? [side * 0.75, side] : [side, side * 0.75];
    const scene = await rasterOf(sharpOf(host).resize({ width, height, fit: 'cover' }));
    const { proportions, truth } = placed(random, original, width, height, share);
    const shown = await resized(original, proportions[0], proportions[1]);
    const toScene = compose(compose(scaling(width, height), truth), scaling(1 / shown.width, 1 / shown.height));
    const hung = warpOnto(scene, shown, toScene);
    const blurred = await rasterOf(sharpOf(hung).blur(0.9));
    return { picture: lit(random, blurred), truth };
  };
}

/**
 * A smaller copy pasted upright into another picture, with this share of that picture's area.
 * @param side  long side that the other picture is resized to, in pixels
 */
export function pasted(share: number, side: number) {
  return async (original: Raster, { random, host }: AttackContext): Promise<Attacked> => {
    const factor = side / Math.max(host.width, host.height);
    const ground = await resized(host, host.width * factor, host.height * factor);
    const shrink = Math.sqrt((share * ground.width * ground.height) / (original.width * original.height));
    const copy = await resized(original, original.width * shrink, original.height * shrink);
    if (copy.width > ground.width || copy.height > ground.height) throw new Error('the copy is longer than its host');
    const left = Math.floor(random() * (ground.width - copy.width + 1));
    const top = Math.floor(random() * (ground.height - copy.height + 1));
    const input = await sharpOf(copy).png({ compressionLevel: 0 }).toBuffer();
    const picture = await rasterOf(sharpOf(ground).composite([{ input, left, top }]));
    const toPixels = compose(moving(left, top), scaling(copy.width, copy.height));
    return { picture, truth: compose(scaling(1 / ground.width, 1 / ground.height), toPixels) };
  };
}

/** Seen from the side: rotated by 25 to 30 degrees about an axis of the picture, on a grey ground, nothing cut off. */
export async function tilted(original: Raster, { random }: AttackContext): Promise<Attacked> {
  const tilt = view(original, between(random, 25, 30), random() * 2 * Math.PI, 0);
  const { left, top, ...size } = boundsOf(projected(tilt, cornersOf(original)));
  const [width, height] = [Math.ceil(size.width), Math.ceil(size.height)];
  const toGround = compose(moving(-left, -top), tilt);
  const ground = { width, height, rgb: Buffer.alloc(width * height * 3, 0x80) };
  const truth = compose(scaling(1 / width, 1 / height), compose(toGround, scaling(original.width, original.height)));
  return { picture: warpOnto(ground, original, toGround), truth };
}

/**
 * How a camera sees a flat picture rotated by `tilt` degrees about an axis in its plane (`axis`, in radians) and by
 * `angle` radians about the line of sight: pixels of the picture to pixels about (0, 0). The camera is one
 * diagonal away; the middle of the picture keeps its size.
 */
export function view({ width, height }: Raster, tilt: number, axis: number, angle: number): Homography {
  const distance = Math.hypot(width, height);
  const [cosine, sine] = [Math.cos((tilt * Math.PI) / 180), Math.sin((tilt * Math.PI) / 180)];
  const tip: Homography = [1, 0, 0, 0, cosine, 0, 0, sine / distance, 1]; // about the x axis
  const aboutAxis = compose(rotating(axis), compose(tip, rotating(-axis)));
  return compose(rotating(angle), compose(aboutAxis, moving(-width / 2, -height / 2)));
}

/** A seen picture scaled to its share of the scene and put where it fits; flatter views after many failed trials. */
function placed(random: Random, original: Raster, width: number, height: number, share: number) {
  for (let trial = 0; ; trial++) {
    const calm = Math.max(0, 1 - trial / 40);
    const angle = (between(random, -12, 12) * calm * Math.PI) / 180;
    const seen = view(original, between(random, 12, 22) * calm, random() * 2 * Math.PI, angle);
    const frame = cornersOf(original);
    const zoom = Math.sqrt((share * width * height) / area(projected(seen, frame)));
    const zoomed = compose(scaling(zoom, zoom), seen);
    const bounds = boundsOf(projected(zoomed, frame));
    const [freeX, freeY] = [width - bounds.width, height - bounds.height];
    if (trial > 60) throw new Error(`a picture of ${original.width} x ${original.height} does not fit in a scene`);
    if (freeX < 0 || freeY < 0) continue;
    const put = moving(random() * freeX - bounds.left, random() * freeY - bounds.top);
    const toPixels = compose(put, compose(zoomed, scaling(original.width, original.height)));
    const proportions = [original.width * zoom, original.height * zoom] as const;
    return { proportions, truth: compose(scaling(1 / width, 1 / height), toPixels) };
  }
}

/** Light that falls off to one side, and the noise of a small sensor. */
function lit(random: Random, picture: Raster): Raster {
  const { width, height } = picture;
  const way = random() * 2 * Math.PI;
  const fall = oneOf(random, [0.25, 0.35]);
  const rgb = Buffer.alloc(picture.rgb.length);
  for (let i = 0; i < width * height; i++) {
    const along = ((i % width) / width - 0.5) * Math.cos(way) + (Math.floor(i / width) / height - 0.5) * Math.sin(way);
    const noise = 4 * normal(random);
    for (let at = i * 3; at < i * 3 + 3; at++)
      rgb[at] = Math.max(0, Math.min(255, picture.rgb[at]! * (1 + 2 * fall * along) + noise));
  }
  return { width, height, rgb };
}
