import sharp from 'sharp';
import { between, normal, oneOf, type Random } from './random.ts';
import { type Raster, rasterOf, sharpOf } from './raster.ts';

/** What a scanner or an album adds along the sides. The middle of the picture keeps its content. */
export const rims = ['strips', 'turned in strips', 'cropped in strips', 'plain frame', 'ornate frame'] as const;
export type Rim = (typeof rims)[number];

/** The picture as one scan shows it, through JPEG. */
export async function scan(picture: Raster, rim: Rim, random: Random): Promise<Raster> {
  const content = { 'turned in strips': turned, 'cropped in strips': cropped }[rim as string] ?? same;
  const shown = await content(picture, random);
  const quality = Math.round(between(random, 70, 90));
  const scanned = rim.endsWith('frame') ? frame(shown, rim, random) : strips(shown, random);
  return rasterOf(sharp(await sharpOf(scanned).jpeg({ quality }).toBuffer()));
}

async function same(picture: Raster): Promise<Raster> {
  return picture;
}

function turned(picture: Raster, random: Random): Promise<Raster> {
  const angle = between(random, 0.4, 2) * oneOf(random, [-1, 1]);
  return rasterOf(sharpOf(picture).rotate(angle, { background: oneOf(random, ['#fff', '#000', '#888']) }));
}

function cropped(picture: Raster, random: Random): Promise<Raster> {
  const [left, top, right, bottom] = [0, 1, 2, 3].map(() => between(random, 0, 0.05)) as [
    number,
    number,
    number,
    number,
  ];
  const box = { left: Math.round(left * picture.width), top: Math.round(top * picture.height) };
  const width = Math.round((1 - left - right) * picture.width);
  return rasterOf(sharpOf(picture).extract({ ...box, width, height: Math.round((1 - top - bottom) * picture.height) }));
}

/** White, black or uneven strips over one to four sides, each 0.5 % to 5 % deep and up to 0.6 degrees oblique. */
function strips(picture: Raster, random: Random): Raster {
  const { width, height } = picture;
  const rgb = Buffer.from(picture.rgb);
  const sides = [0, 1, 2, 3].filter(() => random() < 0.5);
  if (sides.length === 0) sides.push(Math.floor(4 * random()));
  const kind = oneOf(random, ['white', 'black', 'uneven'] as const);
  for (const side of sides) {
    const depth = between(random, 0.005, 0.05) * Math.max(width, height);
    const slope = between(random, -0.01, 0.01);
    const [light, fall] = [between(random, 60, 240), between(random, -80, 80)];
    paint({ width, height, rgb }, (across, down) => {
      const [from, along] =
        side < 2 ? [side === 0 ? across : width - 1 - across, down] : [side === 2 ? down : height - 1 - down, across];
      const here = depth + slope * along;
      if (from >= here) return undefined;
      const grey = kind === 'white' ? 250 : kind === 'black' ? 6 : light + (fall * from) / here + 3 * normal(random);
      return [grey, grey, grey];
    });
  }
  return { width, height, rgb };
}

/** Over all four sides, 2 % to 8 % deep. */
function frame(picture: Raster, rim: Rim, random: Random): Raster {
  const { width, height } = picture;
  const rgb = Buffer.from(picture.rgb);
  const depth = between(random, 0.02, 0.08) * Math.max(width, height);
  const colour = [0, 1, 2].map(() => between(random, 0, 255));
  const period = between(random, 6, 24);
  paint({ width, height, rgb }, (x, y) => {
    const from = Math.min(x, y, width - 1 - x, height - 1 - y);
    if (from >= depth) return undefined;
    const wave = Math.sin((6.283 * x) / period) * Math.sin((6.283 * y) / period) + Math.sin((12.566 * from) / depth);
    return rim === 'ornate frame' ? colour.map((value) => value + 45 * wave) : colour;
  });
  return { width, height, rgb };
}

function paint(
  { width, height, rgb }: Raster,
  colourAt: (x: number, y: number) => readonly number[] | undefined,
): void {
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const colour = colourAt(x, y);
      colour?.forEach((value, c) => (rgb[3 * (y * width + x) + c] = Math.max(0, Math.min(255, Math.round(value)))));
    }
  }
}
