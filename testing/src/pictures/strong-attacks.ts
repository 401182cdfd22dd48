import { cornersOf } from '@sosia/engine/geometry/frame';
import { compose, type Homography } from '@sosia/engine/geometry/homography';
import sharp from 'sharp';
import type { Attack, AttackContext, Attacked } from './attack.ts';
import { cropTo } from './attacks.ts';
import { boundsOf, moving, projected, scaling } from './homography.ts';
import { drawing, lettersIn, line } from './lettering.ts';
import { between, randomFor } from './random.ts';
import { rasterOf, resized, sharpOf, toned, type Raster } from './raster.ts';
import { pasted, view } from './scenes.ts';
import { warpOnto } from './warp.ts';

type Apply = Attack['apply'];

const inPlace: Homography = scaling(1, 1);

/** Attacks that leave a small part of a picture or change all of its features. */
export const strongAttacks: readonly Attack[] = [
  strong('crop 10 %', cropTo(0.1)),
  strong('crop 5 %', cropTo(0.05)),
  strong('meme over 40 %', meme),
  strong('paste 2 %', pasted(0.02, 1024)),
  strong('tilt 60', seenFromAside(60)),
  strong('stretch 2.2', stretched(2.2)),
  strong('half in strips', strips),
  strong('inverted', async (original) => still(toned(original, (value) => 255 - value))),
];

function strong(name: string, apply: Apply): Attack {
  return { name, classic: false, apply, encode: (image) => image.jpeg({ quality: 90 }) };
}

function still(picture: Raster): Attacked {
  return { picture, truth: inPlace };
}

/** Rows of white letters with a dark outline, whose boxes take 40 % of the picture. */
async function meme(original: Raster, { random }: AttackContext): Promise<Attacked> {
  const { width, height } = original;
  const rows = 3 + Math.floor(3 * random());
  const size = (0.4 * height) / rows;
  let content = '';
  for (let row = 0; row < rows; row++) {
    const y = ((row + between(random, 0.2, 0.5)) * height) / rows;
    const words = random();
    for (const [colour, stroke] of [
      ['#000', 2.6],
      ['#fff', 1.5],
    ] as const) {
      const letters = line(randomFor('meme', words), lettersIn(width * 0.97, size), width * 0.015, y, size, colour);
      content += letters.replace('stroke-width="1.1"', `stroke-width="${stroke}"`);
    }
  }
  return still(await rasterOf(sharpOf(original).composite([{ input: drawing(width, height, content) }])));
}

/** Rotated by so many degrees about an axis of the picture, on a grey ground, nothing cut off. */
function seenFromAside(tilt: number): Apply {
  return async (original, { random }) => {
    const seen = view(original, tilt, random() * 2 * Math.PI, 0);
    const { left, top, ...size } = boundsOf(projected(seen, cornersOf(original)));
    const [width, height] = [Math.ceil(size.width), Math.ceil(size.height)];
    const toGround = compose(moving(-left, -top), seen);
    const ground = { width, height, rgb: Buffer.alloc(width * height * 3, 0x80) };
    const truth = compose(scaling(1 / width, 1 / height), compose(toGround, scaling(original.width, original.height)));
    return { picture: warpOnto(ground, original, toGround), truth };
  };
}

function stretched(factor: number): Apply {
  return async (original, { random }) => {
    const { width, height } = original;
    const picture =
      random() < 0.5 ? resized(original, width, height / factor) : resized(original, width / factor, height);
    return still(await picture);
  };
}

/** Grey strips over half of the picture, upright or level, a thirtieth to an eighteenth of it wide. */
async function strips(original: Raster, { random }: AttackContext): Promise<Attacked> {
  const { width, height } = original;
  const upright = random() < 0.5;
  const side = upright ? width : height;
  const step = between(random, side / 16, side / 9);
  let content = '';
  for (let at = -random() * step; at < side; at += step) {
    const place = upright
      ? `x="${at}" y="0" width="${step / 2}" height="${height}"`
      : `x="0" y="${at}" width="${width}" height="${step / 2}"`;
    content += `<rect ${place} fill="#555"/>`;
  }
  return still(await rasterOf(sharpOf(original).composite([{ input: drawing(width, height, content) }])));
}

/** Sixteen pictures in four rows of four, each cut to fill its cell of 256 × 192 pixels. */
export async function collage(pictures: readonly string[]): Promise<Raster> {
  const [width, height] = [256, 192];
  const cells = await Promise.all(
    pictures.map(async (path, i) => {
      const input = await sharp(path).resize(width, height, { fit: 'cover' }).png({ compressionLevel: 0 }).toBuffer();
      return { input, left: (i % 4) * width, top: Math.floor(i / 4) * height };
    }),
  );
  return rasterOf(
    sharp({ create: { width: 4 * width, height: 4 * height, channels: 3, background: '#fff' } }).composite(cells),
  );
}
