import { join } from 'node:path';
import { typeDefinitions, type Color } from '@sosia/engine';
import { corpusPictures } from '@sosia/testing/pictures/corpus';
import { sharpOf } from '@sosia/testing/pictures/raster';
import { mean, quantile, share } from '@sosia/testing/statistics';
import sharp from 'sharp';
import { benchmark, ofPictures, missingCorpora, type Row } from '../harness/benchmark.ts';
import { inTemporaryFolder } from '../harness/temporary.ts';
import { dnasOf, partitionOf } from '@sosia/testing/searching/partition';
import { cielabOf, deltaE } from '@sosia/testing/pictures/cielab';
import { mixture, type Mixture, type Trouble } from '@sosia/testing/pictures/mixtures';

const TYPE = 'color-similarity';
/** A planted colour is found when a colour of the palette is this near (ΔE of CIE 1976), its share when it is this many points off. */
const [NEAR, POINTS] = [6, 5];
const code = typeDefinitions[TYPE].colors!;

const none = { noise: 0, gradient: 0, jpeg: null };
const troubles: readonly Trouble[] = [
  { ...none, name: 'as drawn' },
  { ...none, name: 'noise of 8 steps', noise: 8 },
  { ...none, name: 'light falling by 24 steps', gradient: 24 },
  { ...none, name: 'JPEG 75', jpeg: 75 },
  { name: 'all of these', noise: 8, gradient: 24, jpeg: 75 },
  { name: 'noise of 15 steps, light by 40, JPEG 50', noise: 15, gradient: 40, jpeg: 50 },
];

/** How a photograph is searched by its own palette. */
const palettes: Readonly<Record<string, (colors: readonly Color[]) => readonly Color[]>> = {
  'whole palette, with shares': (colors) => colors,
  'five largest colours, with shares': (colors) => colors.slice(0, 5),
  'three largest colours, with shares': (colors) => colors.slice(0, 3),
  'rounded to 16 levels a channel, shares to tens': coarse,
};

export default benchmark({
  title: 'Color similarity: palettes',
  kind: 'accuracy',
  about: `Planted colours: within ΔE ${NEAR} and ${POINTS} points of their shares. Photographs: by palettes of half their size.`,
  missing: missingCorpora('photos', 'clothing'),
  targets: {
    'planted colours with their shares, worst mild change': '>= 1',
    'photograph in the first 3 by its palette, worst way': '>= 0.95',
  },
  options: { mixtures: 120, pictures: 1000 },
  size: ({ mixtures }) => ({
    planted: `540 colours, ${mixtures} drawings`,
    garment: '879 garments',
    '': '400 photographs',
  }),
  measures: ofPictures,
  run: ({ mixtures, pictures }) =>
    inTemporaryFolder(async (folder) => {
      const planted = [];
      for (const trouble of troubles) planted.push(await plantedRow(trouble, mixtures, folder));
      const photos = await stored(corpusPictures('photos')!.slice(0, pictures));
      const garments = await stored(corpusPictures('clothing')!.slice(0, pictures));
      const own = Object.entries(palettes).map(([query, part]) => {
        const queries = photos.dnas.map((dna) => code.asQuery(part(code.of(dna))));
        return { query, ...within(queries.map((each, image) => resultOf(photos, image, each).place)) };
      });
      const halved = [await halvedRow('photographs', photos, folder), await halvedRow('garments', garments, folder)];
      const mild = planted.slice(0, -1).map((row) => row['found, with its share']);
      return {
        figures: {
          'planted colours with their shares, worst mild change': Math.min(...mild),
          'planted colours with their shares, strong changes': planted.at(-1)!['found, with its share'],
          'photograph in the first 3 by its palette, worst way': Math.min(...own.map((row) => row['first 3'])),
          'photograph first by its half size': halved[0]!.first,
          'garment first by its half size': halved[1]!.first,
        },
        tables: { planted, 'own palettes': own, 'half size, JPEG 70': halved },
      };
    }),
});

type Stored = Awaited<ReturnType<typeof stored>>;

async function stored(paths: readonly string[]) {
  const dnas = await dnasOf(TYPE, paths, 'reference');
  return { paths, dnas, partition: partitionOf(TYPE, dnas) };
}

async function plantedRow(trouble: Trouble, count: number, folder: string) {
  const drawn = Array.from({ length: count }, (_, i) => mixture(i, trouble));
  const files: string[] = [];
  for (const [i, { picture }] of drawn.entries()) {
    const image = sharpOf(picture);
    files.push(join(folder, `${trouble.name} ${i}`));
    const encoded = trouble.jpeg === null ? image.png({ compressionLevel: 1 }) : image.jpeg({ quality: trouble.jpeg });
    await encoded.toFile(files[i]!);
  }
  const judged = (await dnasOf(TYPE, files, 'reference')).map((dna, i) => judge(drawn[i]!, code.of(dna)));
  const all = judged.flatMap(({ colors }) => colors);
  const most = (values: readonly number[]) => quantile(values, 0.95);
  return {
    change: trouble.name,
    colours: all.length,
    found: share(all, ({ off }) => off <= NEAR),
    'found, with its share': share(all, ({ off, points }) => off <= NEAR && points <= POINTS),
    'ΔE, 95 %': most(all.map(({ off }) => off)),
    'points off, 95 %': most(all.map(({ points }) => points)),
    'colours near no planted one': mean(judged.map(({ strangers }) => strangers)),
  } satisfies Row;
}

/** Each planted colour beside the nearest one of the palette. */
function judge({ colors }: Mixture, palette: readonly Color[]) {
  const distance = (rgb: number, other: number): number => deltaE(cielabOf(rgb), cielabOf(other));
  const isStranger = (rgb: number) => colors.every((each) => distance(each.rgb, rgb) > 2 * NEAR);
  return {
    colors: colors.map(({ rgb, share }) => {
      const found = palette.reduce((best, each) => (distance(each.rgb, rgb) < distance(best.rgb, rgb) ? each : best));
      return { off: distance(found.rgb, rgb), points: Math.abs(found.share - share) };
    }),
    strangers: palette.filter(({ rgb, share }) => share >= 2 && isStranger(rgb)).length,
  };
}

/** Pictures at half their size, as JPEG 70. */
async function halvedRow(kind: string, pictures: Stored, folder: string) {
  const files: string[] = [];
  for (const [i, path] of pictures.paths.entries()) {
    const { data, info } = await sharp(path).autoOrient().toBuffer({ resolveWithObject: true });
    const half = sharp(data).resize(Math.round(info.width / 2), Math.round(info.height / 2), { fit: 'fill' });
    files.push(join(folder, `${kind} ${i}`));
    await half.jpeg({ quality: 70 }).toFile(files[i]!);
  }
  const queries = await dnasOf(TYPE, files, 'reference');
  const results = queries.map((query, image) => resultOf(pictures, image, query));
  const scores = results.map(({ score }) => score);
  return {
    pictures: `${files.length} ${kind}`,
    'score, median': quantile(scores, 0.5),
    'score, 95 %': quantile(scores, 0.95),
    ...within(results.map(({ place }) => place)),
  } satisfies Row;
}

/** Where a query finds a picture among all, from 1, and with which score. */
function resultOf({ partition, dnas }: Stored, image: number, query: Uint8Array) {
  const { images, scores } = partition.rank(query, null, { below: 1, most: dnas.length }, {});
  const at = images.indexOf(image);
  return at < 0 ? { place: Infinity, score: 1 } : { place: at + 1, score: scores[at]! };
}

function within(places: readonly number[]) {
  const first = (most: number) => share(places, (place) => place <= most);
  return { first: first(1), 'first 3': first(3), 'first 10': first(10) };
}

function coarse(colors: readonly Color[]): Color[] {
  const shares = new Map<number, number>();
  for (const { rgb, share } of colors.filter(({ share }) => share >= 5)) {
    const level = (shift: number) => (Math.round(((rgb >> shift) & 255) / 17) * 17) << shift;
    const rounded = level(16) | level(8) | level(0);
    shares.set(rounded, Math.min(100, (shares.get(rounded) ?? 0) + Math.max(10, 10 * Math.round(share / 10))));
  }
  return Array.from(shares, ([rgb, share]) => ({ rgb, share }));
}
