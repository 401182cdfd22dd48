import { compose, type Homography } from '@sosia/engine/geometry/homography';
import sharp, { type Sharp } from 'sharp';
import type { Attack, AttackContext, Attacked } from './attack.ts';
import { moving, rotating, scaling } from './homography.ts';
import { drawing, lettersIn, line } from './lettering.ts';
import { between, oneOf } from './random.ts';
import { greyed, rasterOf, resized, sharpOf, toned, type Raster } from './raster.ts';
import { photographed, pasted, tilted } from './scenes.ts';

type Apply = Attack['apply'];

const inPlace: Homography = scaling(1, 1);
const jpeg90 = (image: Sharp) => image.jpeg({ quality: 90 });

/** The attacks, in the order of the report. */
export const attacks: readonly Attack[] = [
  { ...attack('jpeg 8', unchanged), encode: (image) => image.jpeg({ quality: 8 }) },
  attack('crop 50 %', cropTo(0.5)),
  attack('crop 20 %', cropTo(0.2)),
  attack('quarter size', resizeBy(0.25)),
  attack('rotate 15', rotate15),
  attack('rotate 90', rotate90),
  attack('mirrored', mirror),
  attack('blur 3', async (original) => still(await rasterOf(sharpOf(original).blur(3)))),
  attack('grey, gamma 1.8', greyGamma),
  attack('border, text, contrast', borderTextContrast),
  attack('scene 40 %', photographed(0.4, 1000)),
  attack('scene 20 %', photographed(0.2, 1000)),
  attack('paste 10 %', pasted(0.1, 1000)),
  attack('paste 5 %', pasted(0.05, 1000)),
  further('crop 70 %', cropTo(0.7)),
  further('crop 30 %', cropTo(0.3)),
  further('half size', resizeBy(0.5)),
  further('perspective', tilted),
  further('text overlay', textOverlay),
  further('brightness 0.6', async (original) => still(toned(original, (value) => value * 0.6))),
  further('brightness 1.4', async (original) => still(toned(original, (value) => value * 1.4))),
  further('scene 20 %, 640 px', photographed(0.2, 640)),
  further('paste 10 %, 640 px', pasted(0.1, 640)),
  further('paste 5 %, 640 px', pasted(0.05, 640)),
  { ...further('screenshot', screenshot), encode: (image) => image.png({ compressionLevel: 2 }) },
];

export function attackNamed(name: string): Attack {
  const found = attacks.find((attack) => attack.name === name);
  if (!found) throw new Error(`unknown attack "${name}", expected one of: ${attacks.map((a) => a.name).join('; ')}`);
  return found;
}

function attack(name: string, apply: Apply): Attack {
  return { name, classic: true, apply, encode: jpeg90 };
}

function further(name: string, apply: Apply): Attack {
  return { name, classic: false, apply, encode: jpeg90 };
}

function still(picture: Raster): Attacked {
  return { picture, truth: inPlace };
}

async function unchanged(original: Raster): Promise<Attacked> {
  return still(original);
}

/** A window of the same proportions with this share of the area, anywhere. */
export function cropTo(share: number): Apply {
  return async (original, { random }) => {
    const width = Math.round(original.width * Math.sqrt(share));
    const height = Math.round(original.height * Math.sqrt(share));
    const left = Math.floor(random() * (original.width - width + 1));
    const top = Math.floor(random() * (original.height - height + 1));
    const picture = await rasterOf(sharpOf(original).extract({ left, top, width, height }));
    const toPixels = compose(moving(-left, -top), scaling(original.width, original.height));
    return { picture, truth: compose(scaling(1 / width, 1 / height), toPixels) };
  };
}

function resizeBy(factor: number): Apply {
  return async (original) => still(await resized(original, original.width * factor, original.height * factor));
}

async function rotate15(original: Raster, { random }: AttackContext): Promise<Attacked> {
  const background = oneOf(random, ['#000', '#808080']);
  const picture = await rasterOf(sharpOf(original).rotate(15, { background }));
  const toCentre = compose(moving(-original.width / 2, -original.height / 2), scaling(original.width, original.height));
  const toPixels = compose(moving(picture.width / 2, picture.height / 2), compose(rotating(Math.PI / 12), toCentre));
  return { picture, truth: compose(scaling(1 / picture.width, 1 / picture.height), toPixels) };
}

async function rotate90(original: Raster): Promise<Attacked> {
  return { picture: await rasterOf(sharpOf(original).rotate(90)), truth: [0, -1, 1, 1, 0, 0, 0, 0, 1] };
}

async function mirror(original: Raster): Promise<Attacked> {
  return { picture: await rasterOf(sharpOf(original).flop()), truth: [-1, 0, 1, 0, 1, 0, 0, 0, 1] };
}

/** Grey, then darkened or lightened by the curve. */
async function greyGamma(original: Raster, { random }: AttackContext): Promise<Attacked> {
  const exponent = oneOf(random, [1.8, 1 / 1.8]);
  return still(toned(greyed(original), (value) => 255 * (value / 255) ** exponent));
}

async function borderTextContrast(original: Raster, { random }: AttackContext): Promise<Attacked> {
  const { width, height } = original;
  const border = Math.round(0.08 * Math.max(width, height));
  const size = Math.round(height * 0.09);
  const text = line(
    random,
    lettersIn(width * 0.8, size),
    width * 0.1,
    between(random, 0.1, 0.8) * height,
    size,
    '#fff',
  );
  const contrasted = toned(original, (value) => 128 + (value - 128) * 1.35);
  const lettered = await rasterOf(sharpOf(contrasted).composite([{ input: drawing(width, height, text) }]));
  const sides = { top: border, bottom: border, left: border, right: border };
  const picture = await rasterOf(sharpOf(lettered).extend({ ...sides, background: '#fff' }));
  const toPixels = compose(moving(border, border), scaling(width, height));
  return { picture, truth: compose(scaling(1 / picture.width, 1 / picture.height), toPixels) };
}

/** A bar with a caption along the lower rim, one along the upper, and large letters right across. */
async function textOverlay(original: Raster, { random }: AttackContext): Promise<Attacked> {
  const { width, height } = original;
  const bar = height * 0.14;
  const caption = (y: number) =>
    `<rect x="0" y="${y}" width="${width}" height="${bar}" fill="#111"/>` +
    line(random, lettersIn(width * 0.9, bar * 0.5), width * 0.05, y + bar * 0.25, bar * 0.5, '#ffe14d');
  const large = height * 0.22;
  const content =
    caption(height - bar) +
    caption(0) +
    line(random, lettersIn(width * 0.9, large), width * 0.05, between(random, 0.25, 0.5) * height, large, '#fff');
  return still(await rasterOf(sharpOf(original).composite([{ input: drawing(width, height, content) }])));
}

/** The picture a little smaller on a page with a bar, lines of text and a column beside it. */
async function screenshot(original: Raster, { random }: AttackContext): Promise<Attacked> {
  const shown = await resized(original, original.width * 0.8, original.height * 0.8);
  const [width, height] = [Math.round(shown.width * 1.5), Math.round(shown.height * 1.5)];
  const [left, top] = [Math.round(width * 0.05), Math.round(height * 0.15)];
  const size = Math.max(5, height * 0.022);
  const column = left * 1.6 + shown.width;
  const below = top + shown.height + size;
  let page = `<rect width="${width}" height="${height}" fill="#fafafa"/>`;
  page += `<rect width="${width}" height="${height * 0.09}" fill="#3a5a98"/>`;
  page += line(random, 12, left, height * 0.03, size * 1.6, '#fff');
  for (let y = top; y < height - size; y += size * 2)
    page += line(random, lettersIn(width - column, size), column, y, size, '#444');
  for (let y = below; y < height - size; y += size * 2)
    page += line(random, lettersIn(shown.width, size), left, y, size, '#222');
  const input = await sharpOf(shown).png({ compressionLevel: 0 }).toBuffer();
  const blank = await rasterOf(sharp(drawing(width, height, page)));
  const picture = await rasterOf(sharpOf(blank).composite([{ input, left, top }]));
  const toPixels = compose(moving(left, top), scaling(shown.width, shown.height));
  return { picture, truth: compose(scaling(1 / width, 1 / height), toPixels) };
}
