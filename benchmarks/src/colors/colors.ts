import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { AtOnce, recipes, type Color } from '@sosia/engine';
import sharp from 'sharp';
import { decodePicture } from '@sosia/server/decode';
import { describeAll } from '@sosia/testing/describing/describing';
import { machine } from '@sosia/testing/machine';
import { corpusPictures } from '@sosia/testing/pictures/corpus';
import { randomFor, shuffled } from '@sosia/testing/pictures/random';
import { sharpOf } from '@sosia/testing/pictures/raster';
import { mean, quantile } from '@sosia/testing/statistics';
import { figure, table, type Cell } from '@sosia/testing/table';
import { cielabOf, deltaE } from './cielab.ts';
import { mixture, type Mixture, type Trouble } from './mixtures.ts';
import { paletteSheet } from './sheet.ts';

/** A planted colour is found where one told is this near, and its share this many points off. */
const [NEAR, POINTS] = [6, 5];

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    mixtures: { type: 'string', default: '120' },
    pictures: { type: 'string', default: '400' },
    steady: { type: 'string', default: '1000' },
    sheet: { type: 'string', default: 'benchmarks/out/colors.png' },
  },
});
const recipe = recipes['color-similarity'];
const { of: colorsOf, asQuery } = recipe.colors!;

console.log(`## Colours\n\n${machine()}\n`);
for (const [name, part] of Object.entries({ planted, ownPalettes, steadiness, sheet }))
  if (name.includes(options.only)) await part();

async function planted(): Promise<void> {
  const none = { noise: 0, gradient: 0, jpeg: null };
  const troubles: Trouble[] = [
    { ...none, name: 'as drawn' },
    { ...none, name: 'noise of 8 steps', noise: 8 },
    { ...none, name: 'light falling by 24 steps', gradient: 24 },
    { ...none, name: 'JPEG 75', jpeg: 75 },
    { name: 'all of these', noise: 8, gradient: 24, jpeg: 75 },
    { name: 'noise of 15 steps, light by 40, JPEG 50', noise: 15, gradient: 40, jpeg: 50 },
  ];
  const rows: Cell[][] = [];
  for (const trouble of troubles) {
    const judged = [];
    for (let i = 0; i < Number(options.mixtures); i++)
      judged.push(judge(...(await told(mixture(i, trouble), trouble))));
    const all = judged.flatMap(({ colors }) => colors);
    const share = (right: (typeof all)[number][]): string => figure(right.length / all.length, 3);
    rows.push([
      trouble.name,
      all.length,
      share(all.filter(({ off }) => off <= NEAR)),
      share(all.filter(({ off, points }) => off <= NEAR && points <= POINTS)),
      figure(
        quantile(
          all.map(({ off }) => off),
          0.95,
        ),
        1,
      ),
      figure(
        quantile(
          all.map(({ points }) => points),
          0.95,
        ),
        1,
      ),
      figure(mean(judged.map(({ strangers }) => strangers)), 2),
    ]);
  }
  console.log(`### Planted colours: ${options.mixtures} drawn pictures of 2 to 7 colours, each 5 % or more\n
Found: a colour is told within ΔE ${NEAR} (CIE 1976). "strangers": colours of 2 % and more that are told and near no planted one, a picture.\n`);
  const heads = [
    '',
    'colours',
    'found',
    `and share within ${POINTS} points`,
    'ΔE, 95 %',
    'points off, 95 %',
    'strangers',
  ];
  console.log(table(heads, rows) + '\n');
}

async function told(drawn: Mixture, { jpeg }: Trouble): Promise<[Mixture, Color[]]> {
  const image = sharpOf(drawn.picture);
  const file = await (jpeg === null ? image.png({ compressionLevel: 1 }) : image.jpeg({ quality: jpeg })).toBuffer();
  return [drawn, colorsOf(await paletteOf(file))];
}

/** Every planted colour beside the nearest that was told. */
function judge({ colors }: Mixture, told: readonly Color[]) {
  const near = (rgb: number, other: number): number => deltaE(cielabOf(rgb), cielabOf(other));
  return {
    colors: colors.map(({ rgb, share }) => {
      const found = told.reduce((best, each) => (near(each.rgb, rgb) < near(best.rgb, rgb) ? each : best));
      return { off: near(found.rgb, rgb), points: Math.abs(found.share - share) };
    }),
    strangers: told.filter(({ rgb, share }) => share >= 2 && colors.every((each) => near(each.rgb, rgb) > 2 * NEAR))
      .length,
  };
}

async function ownPalettes(): Promise<void> {
  const paths = corpusPictures('photos')?.slice(0, Number(options.pictures));
  if (!paths) return console.log('colors: skipped, ../shared/corpora/photos is absent');
  const described = await describeAll(paths.map((path) => ({ path, type: recipe.type, side: 'reference' as const })));
  const dnas = described.map(({ dna }) => dna!);
  const partition = AtOnce.of(recipe);
  dnas.forEach((dna, image) => partition.add(image, dna));
  const placeOf = (image: number, colors: readonly Color[]): number => {
    const { images } = partition.rank(asQuery(colors), null, { below: 1, most: dnas.length }, {});
    return images.indexOf(image) + 1 || Infinity;
  };
  const ways: [string, (colors: Color[]) => Color[]][] = [
    ['its whole palette, with shares', (colors) => colors],
    ['its five largest colours, with shares', (colors) => colors.slice(0, 5)],
    ['its three largest colours, with shares', (colors) => colors.slice(0, 3)],
    ['rounded to 16 levels a channel, shares to tens', coarse],
  ];
  const rows = ways.map(([name, asked]): Cell[] => {
    const places = dnas.map((dna, image) => placeOf(image, asked(colorsOf(dna))));
    const within = (n: number): string => figure(places.filter((place) => place <= n).length / places.length, 3);
    return [name, within(1), within(3), within(10)];
  });
  console.log(`### ${paths.length} photographs, each searched by its own colours: its place\n`);
  console.log(table(['asked for', 'first', 'in the first 3', 'in the first 10'], rows) + '\n');
}

/** Pictures at half size as JPEG 70, searched among those they were made of. */
async function steadiness(): Promise<void> {
  const rows: Cell[][] = [];
  for (const folder of ['photos', 'clothing']) {
    const paths = corpusPictures(folder)?.slice(0, Number(options.steady));
    if (!paths) return console.log(`colors: skipped, ../shared/corpora/${folder} is absent`);
    const partition = AtOnce.of(recipe);
    const places: number[] = [];
    const scores: number[] = [];
    const counts: boolean[] = [];
    const held: Uint8Array[] = [];
    for (const path of paths) held.push(await paletteOf(readFileSync(path)));
    held.forEach((dna, image) => partition.add(image, dna));
    for (const [image, path] of paths.entries()) {
      const changed = await paletteOf(await halved(path));
      const all = { below: 1, most: paths.length };
      const { images, scores: found } = partition.rank(changed, null, all, {});
      const place = images.indexOf(image);
      places.push(place < 0 ? Infinity : place + 1);
      scores.push(place < 0 ? 1 : found[place]!);
      counts.push(colorsOf(changed).length === colorsOf(held[image]!).length);
    }
    const within = (n: number): string => figure(places.filter((place) => place <= n).length / places.length, 3);
    const as = (share: number): string => figure(quantile(scores, share), 3);
    const alike = figure(counts.filter(Boolean).length / counts.length, 3);
    rows.push([`${paths.length} ${folder}`, as(0.5), as(0.95), within(1), within(3), alike]);
  }
  console.log('### The same picture at half size, as JPEG 70: its score and its place\n');
  console.log(table(['', 'score, median', '95 %', 'first', 'in the first 3', 'as many colours'], rows) + '\n');
}

async function paletteOf(file: Uint8Array): Promise<Uint8Array> {
  return recipe.describe(await decodePicture(file, recipe.workingSize), 'reference');
}

async function halved(path: string): Promise<Buffer> {
  const { data, info } = await sharp(path).autoOrient().toBuffer({ resolveWithObject: true });
  const half = sharp(data).resize(Math.round(info.width / 2), Math.round(info.height / 2), { fit: 'fill' });
  return half.jpeg({ quality: 70 }).toBuffer();
}

function coarse(colors: Color[]): Color[] {
  const shares = new Map<number, number>();
  for (const { rgb, share } of colors.filter(({ share }) => share >= 5)) {
    const rounded = [16, 8, 0].reduce(
      (sum, shift) => sum | ((Math.round(((rgb >> shift) & 255) / 17) * 17) << shift),
      0,
    );
    shares.set(rounded, Math.min(100, (shares.get(rounded) ?? 0) + Math.max(10, 10 * Math.round(share / 10))));
  }
  return Array.from(shares, ([rgb, share]) => ({ rgb, share }));
}

async function sheet(): Promise<void> {
  const paths = [
    ...(corpusPictures('photos') ?? []).filter((_, i) => i % 20 === 0),
    ...shuffled(randomFor('sheet'), corpusPictures('clothing') ?? []).slice(0, 12),
    ...shuffled(randomFor('sheet'), corpusPictures('covers') ?? []).slice(0, 6),
    ...shuffled(randomFor('sheet'), corpusPictures('styles') ?? []).slice(0, 10),
  ];
  const described = await describeAll(paths.map((path) => ({ path, type: recipe.type, side: 'reference' as const })));
  const pictures = paths.flatMap((path, i) => {
    const { dna } = described[i]!;
    return dna ? [{ path, colors: colorsOf(dna) }] : [];
  });
  await paletteSheet(pictures, options.sheet);
  console.log(`${pictures.length} pictures with their palettes: ${options.sheet}`);
}
