import { SynchronousPartition, typeDefinitions, type Side } from '@sosia/engine';
import { edits } from '@sosia/testing/pictures/edits';
import { photographs } from '@sosia/testing/pictures/corpus';
import { pageOf } from '@sosia/testing/pictures/pages';
import { patternKinds, patternOf, type PatternKind } from '@sosia/testing/pictures/patterns';
import { randomFor } from '@sosia/testing/pictures/random';
import { pictureOf, rasterOf, type Raster } from '@sosia/testing/pictures/raster';
import { desktop, meme } from '@sosia/testing/pictures/shown';
import { isMatch, search } from '@sosia/testing/searching/search';
import { groupsOf, mean, share } from '@sosia/testing/statistics';
import sharp from 'sharp';
import { benchmark, ofPictures, missingCorpora } from '../harness/benchmark.ts';

const SEED = 7;
const definition = typeDefinitions['media-matching'];
const pages = ['scanned page', 'table', 'receipt', 'white on black'] as const;
const showing = { desktop, meme };

export default benchmark({
  title: 'Media Matching: text and patterns',
  kind: 'accuracy',
  about: 'Desktops and memes among pages of text; edited patterns. Found: at rank 1.',
  missing: missingCorpora('photos'),
  targets: {
    'lost by pages of text': '<= 0.01',
    'patterns found, recompressed, resized or cropped': '>= 0.95',
    'other patterns matched': '<= 0',
  },
  options: { references: 100, pictures: 30, pages: 250, patterns: 4 },
  size: ({ references, pictures, pages, patterns }) => ({
    lost: `${2 * pictures} queries, ${references + pages} references`,
    'patterns found, turned': `${10 * patterns} queries`,
    patterns: `${15 * patterns} queries`,
    other: `${25 * patterns} queries`,
  }),
  measures: ofPictures,
  async run({ references, pictures, pages, patterns }) {
    const text = await textRows(references, pictures, pages);
    const judged = await judgedPatterns(patterns);
    const [straight, turned] = [false, true].map((way) => judged.filter(({ turned }) => turned === way));
    return {
      figures: {
        'lost by pages of text': mean(text.map((row) => row['without pages'] - row['with pages'])),
        'patterns found, recompressed, resized or cropped': share(straight!, ({ found }) => found),
        'patterns found, turned': share(turned!, ({ found }) => found),
        'other patterns matched': share(judged, ({ another }) => another),
      },
      tables: { text, patterns: patternRows(judged) },
    };
  },
});

/** Share of the photographs that are found, by what shows them. */
async function textRows(references: number, count: number, most: number) {
  const corpus = photographs(references, SEED)!;
  const partition = SynchronousPartition.of(definition);
  const rasters: Raster[] = [];
  for (const path of corpus.references) rasters.push(await rasterOf(sharp(path)));
  rasters.forEach((raster, image) => partition.add(image, described(raster, 'reference')));
  const queries: { kind: keyof typeof showing; image: number; dna: Uint8Array }[] = [];
  for (const kind of ['desktop', 'meme'] as const)
    for (const [image, raster] of rasters.slice(0, count).entries()) {
      const shown = await showing[kind](raster, randomFor(kind, image, SEED));
      queries.push({ kind, image, dna: described(shown, 'query') });
    }
  const foundOf = () => Promise.all(queries.map(async ({ image, dna }) => (await first(partition, dna)) === image));
  const without = await foundOf();
  for (let number = 0; number < most; number++) {
    const page = await pageOf(pages[number % pages.length]!, 9000 + number, rasters[0]!);
    partition.add(references + number, described(page, 'reference'));
  }
  const among = await foundOf();
  const judged = queries.map(({ kind }, i) => ({ kind, without: without[i]!, among: among[i]! }));
  return [...groupsOf(judged, ({ kind }) => kind)].map(([kind, all]) => ({
    kind,
    'without pages': share(all, ({ without }) => without),
    'with pages': share(all, ({ among }) => among),
  }));
}

interface JudgedPattern {
  readonly kind: PatternKind;
  readonly turned: boolean;
  readonly found: boolean;
  readonly another: boolean;
}

/** Each pattern is searched edited, and is searched for among others of its kind. */
async function judgedPatterns(count: number): Promise<JudgedPattern[]> {
  const grounds = photographs(count, SEED)!.references;
  const judged: JudgedPattern[] = [];
  for (const kind of Object.keys(patternKinds) as PatternKind[]) {
    const partition = SynchronousPartition.of(definition);
    const all: Raster[] = [];
    for (let number = 0; number < count; number++)
      all.push(await patternOf(kind, 9000 + number, await rasterOf(sharp(grounds[number]))));
    all.forEach((raster, image) => partition.add(image, described(raster, 'reference')));
    for (const [image, raster] of all.entries())
      for (const [name, edit] of Object.entries(edits)) {
        const { hits } = await search(partition, described(await edit(raster), 'query'));
        const another = hits.some((hit) => hit.image !== image && isMatch(hit));
        judged.push({ kind, turned: name.includes('turned'), found: hits[0]?.image === image, another });
      }
  }
  return judged;
}

function patternRows(judged: readonly JudgedPattern[]) {
  const nameOf = ({ kind, turned }: JudgedPattern) =>
    `${kind}, ${turned ? 'turned' : 'recompressed, resized or cropped'}`;
  return [...groupsOf(judged, nameOf)].map(([pattern, of]) => ({
    pattern,
    queries: of.length,
    found: share(of, ({ found }) => found),
    'another matched': share(of, ({ another }) => another),
  }));
}

function described(raster: Raster, side: Side): Uint8Array {
  return definition.describe(pictureOf(raster), side);
}

async function first(partition: SynchronousPartition, dna: Uint8Array): Promise<number | undefined> {
  return (await search(partition, dna)).hits[0]?.image;
}
