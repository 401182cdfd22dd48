import sharp, { type Sharp } from 'sharp';
import { moving } from './homography.ts';
import { drawing, lettersIn, line } from './lettering.ts';
import { between, oneOf, randomFor, type Random } from './random.ts';
import { rasterOf, resized, sharpOf, type Raster } from './raster.ts';
import { photographed } from './scenes.ts';
import { warpOnto } from './warp.ts';

/** Letters of another shape than those that the shipped profile was trained on, and other backgrounds. */
export const pageKinds = {
  'scanned page': (random: Random) => scanned(random, text(random, 620, 877)),
  'page with a photograph in it': async (random: Random, ground: Raster) =>
    withFigure(random, await scanned(random, text(random, 620, 877, 320)), ground),
  table: (random: Random) => scanned(random, cells(random, 760, 620)),
  receipt: (random: Random) => scanned(random, text(random, 300, 760)),
  'white on black': async (random: Random) =>
    throughJpeg(sharpOf(await scanned(random, text(random, 620, 877))).negate()),
  'photographed page, 60 % of the picture': (random: Random, ground: Raster) => photographedPage(random, ground, 0.6),
  'photographed page, 15 % of the picture': (random: Random, ground: Raster) => photographedPage(random, ground, 0.15),
} as const;

/** A picture of one of the kinds; the same for the same number. */
export function pageOf(kind: keyof typeof pageKinds, number: number, ground: Raster): Promise<Raster> {
  return pageKinds[kind](randomFor('page', kind, number), ground);
}

type Drawing = { readonly width: number; readonly height: number; readonly content: string };

function text(random: Random, width: number, height: number, top = between(random, 30, 80)): Drawing {
  const size = between(random, 6, 11);
  const margin = between(random, 14, width / 9);
  let content = '';
  for (let y = top; y < height - margin; y += size * between(random, 1.9, 2)) {
    if (random() < 0.06) continue;
    const length = (width - 2 * margin) * (random() < 0.15 ? random() : 1);
    content += line(random, lettersIn(length, size), margin, y, size, '#222');
  }
  return { width, height, content };
}

function cells(random: Random, width: number, height: number): Drawing {
  const size = between(random, 6, 10);
  const [rows, columns] = [Math.round(between(random, 10, 26)), Math.round(between(random, 3, 8))];
  const [across, down] = [(width - 60) / columns, (height - 60) / rows];
  let content = '';
  for (let row = 0; row <= rows; row++) {
    content += `<path d="M30 ${30 + row * down}H${width - 30}" stroke="#222"/>`;
    for (let column = 0; column < columns && row < rows; column++) {
      const length = across * between(random, 0.2, 0.8);
      const y = 30 + row * down + (down - size) / 2;
      content += line(random, lettersIn(length, size), 36 + column * across, y, size, '#222');
    }
  }
  for (let column = 0; column <= columns; column++)
    content += `<path d="M${30 + column * across} 30V${height - 30}" stroke="#222"/>`;
  return { width, height, content };
}

function scanned(random: Random, { width, height, content }: Drawing): Promise<Raster> {
  const paper = `<rect width="100%" height="100%" fill="${oneOf(random, ['#fff', '#fbfaf4', '#f1efe8'])}"/>`;
  const page = sharp(drawing(width, height, paper + content)).flatten({ background: '#fff' });
  return throughJpeg(page.blur(between(random, 0.4, 1)));
}

async function withFigure(random: Random, page: Raster, ground: Raster): Promise<Raster> {
  const figure = await resized(ground, page.width * 0.8, page.height * 0.3);
  return warpOnto(page, figure, moving(page.width * 0.1, between(random, 20, 40)));
}

async function photographedPage(random: Random, ground: Raster, share: number): Promise<Raster> {
  const page = await scanned(random, text(random, 620, 877));
  return (await photographed(share, 800)(page, { random, host: ground })).picture;
}

/** Once through JPEG. */
async function throughJpeg(picture: Sharp): Promise<Raster> {
  const png = await picture.png().toBuffer();
  return rasterOf(sharp(await sharp(png).jpeg({ quality: 75 }).toBuffer()));
}
