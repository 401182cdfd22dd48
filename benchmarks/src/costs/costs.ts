import { readFile } from 'node:fs/promises';
import { applicationTypes, compare, grouped, prevalent, selectionOf, typeDefinitions } from '@sosia/engine';
import { Decoder, decodePicture } from '@sosia/server/decode';
import { corpusPictures } from '@sosia/testing/pictures/corpus';
import { pictureOf, rasterOf, resized, sharpOf } from '@sosia/testing/pictures/raster';
import { startService } from '@sosia/testing/service/service';
import { median } from '@sosia/testing/statistics';
import sharp from 'sharp';
import { benchmark, ofTheService, missingCorpora } from '../harness/benchmark.ts';
import { elapsed, timesOf } from '../harness/timing.ts';
import { dnasOf, partitionOf } from '@sosia/testing/searching/partition';

const cut = { below: 1, most: 18 };

export default benchmark({
  title: 'Single operations on one core',
  kind: 'speed',
  about: 'Photographs of 481 x 321 pixels. Exhaustive: embeddings of 400, repeated.',
  missing: missingCorpora('photos'),
  targets: {
    'Filter over HTTP besides the description, ms': '<= 5',
    'FineComparison of two megapixel pictures, ms': '<= 400',
    'exhaustive search of a million pictures, ms': '<= 60',
    'palette of 100,000 pictures, ms': '<= 1000',
  },
  options: { pictures: 60 },
  size: ({ pictures }) => ({
    exhaustive: '1,000,000 pictures',
    palette: '100,000 pictures',
    FineComparison: '1 pair',
    '': `${pictures} pictures`,
  }),
  measures: ofTheService,
  async run({ pictures }) {
    const paths = corpusPictures('photos')!;
    const files = await Promise.all(paths.slice(0, pictures).map((path) => readFile(path)));
    const describing = await describeRows(files);
    const children = await childRow(files);
    const scanning = { ...(await rankTimes(paths, 1_000_000)), ...(await paletteTimes(paths, 100_000)) };
    const comparing = await compareTimes(paths);
    const media = describing.find(({ type }) => type === 'media-matching')!;
    return {
      figures: {
        'reference of Media Matching, decoded and described, ms': media['decode, ms'] + media['reference, ms'],
        'query of Media Matching, decoded and described, ms': media['decode, ms'] + media['query, ms'],
        'thumbnail besides, ms': children.thumbnail - children.describe,
        'Filter over HTTP besides the description, ms': children['Filter besides'],
        'FineComparison of two megapixel pictures, ms': comparing.median,
        'exhaustive search of a million pictures, ms': scanning['color_weight 0.5'].median,
        'palette of 100,000 pictures, ms': scanning['GetPalette'].median,
      },
      tables: {
        describing,
        'in a child process, ms': [children],
        'exhaustive search, ms': Object.entries(scanning).map(([work, times]) => ({ work, ...times })),
      },
    };
  },
});

async function describeRows(files: readonly Buffer[]) {
  const rows = [];
  for (const type of applicationTypes) {
    const definition = typeDefinitions[type];
    const ms: Record<'decode' | 'reference' | 'query', number[]> = { decode: [], reference: [], query: [] };
    for (const file of files) {
      const start = performance.now();
      const picture = await decodePicture(file, definition.workingSize);
      ms.decode.push(performance.now() - start);
      for (const side of ['reference', 'query'] as const)
        ms[side].push(await elapsed(async () => definition.describe(picture, side)));
    }
    const [decode, reference, query] = [ms.decode, ms.reference, ms.query].map(median) as [number, number, number];
    rows.push({ type, 'decode, ms': decode, 'reference, ms': reference, 'query, ms': query });
  }
  return rows;
}

/** Medians of interleaved work for the same picture, so that other load on the machine meets all of it. */
async function childRow(files: readonly Buffer[]) {
  const pool = await Decoder.start({ children: 1 });
  const service = await startService();
  const sosia = service.client(service.createApplication('filter'));
  const ms: number[][] = [[], [], [], []];
  try {
    for (const file of files) {
      ms[0]!.push(await elapsed(() => pool.describe(file, 'media-matching', 'reference')));
      ms[1]!.push(await elapsed(() => pool.keep(file, 'media-matching')));
      const describe = await elapsed(() => pool.describe(file, 'filter', 'query'));
      const answer = await elapsed(() => sosia.classify(file));
      ms[2]!.push(answer);
      ms[3]!.push(answer - describe);
    }
  } finally {
    await pool.close();
    await service.close();
  }
  const [describe, thumbnail, filter, beyond] = ms.map((values) => median(values.slice(values.length >> 2)));
  return { describe: describe!, thumbnail: thumbnail!, 'Filter over HTTP': filter!, 'Filter besides': beyond! };
}

async function rankTimes(paths: readonly string[], count: number) {
  const dnas = await dnasOf('image-similarity', paths, 'query');
  const partition = partitionOf('image-similarity', repeated(dnas, count));
  const tenth = selectionOf(Array.from({ length: count / 10 }, (_, i) => 10 * i));
  const rank = (colorWeight: number) => () => partition.rank(dnas[0]!, null, cut, { colorWeight });
  return timesOf({
    'color_weight 0': rank(0),
    'color_weight 0.5': rank(0.5),
    'color_weight 1': rank(1),
    'a tenth by a filter': () => partition.rank(dnas[0]!, tenth, cut, {}),
  });
}

async function paletteTimes(paths: readonly string[], count: number) {
  const dnas = await dnasOf('color-similarity', paths, 'query');
  const partition = partitionOf('color-similarity', repeated(dnas, count));
  const colours = typeDefinitions['color-similarity'].colors!.asQuery([
    { rgb: 0x1f4e8c, share: 60 },
    { rgb: 0xffffff, share: 40 },
  ]);
  return timesOf({
    GetPalette: () => {
      const grouping = grouped(partition.fill(null, []));
      return prevalent(grouping, partition.holders(null, [], grouping));
    },
    'by the colours of a photograph': () => partition.rank(dnas[0]!, null, cut, {}),
    'by two colours': () => partition.rank(colours, null, cut, {}),
  });
}

async function compareTimes(paths: readonly string[]) {
  const picture = await resized(await rasterOf(sharp(paths[0])), 1155, 866);
  const copy = await rasterOf(sharp(await sharpOf(picture).jpeg({ quality: 70 }).toBuffer()));
  return (await timesOf({ compare: () => compare(pictureOf(picture), pictureOf(copy)) })).compare;
}

/** The DNAs again and again. */
function repeated(dnas: readonly Uint8Array[], count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, i) => dnas[i % dnas.length]!);
}
