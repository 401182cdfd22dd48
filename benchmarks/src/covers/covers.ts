import { basename, join } from 'node:path';
import type { QuadMatch } from '@sosia/engine';
import { heldInGlare, moved, type Condition } from '@sosia/testing/pictures/conditions';
import { corpusPictures, corpusTable } from '@sosia/testing/pictures/corpus';
import { otherPrints, shownToo } from '@sosia/testing/pictures/covers';
import { randomFor } from '@sosia/testing/pictures/random';
import { rasterOf, sharpOf } from '@sosia/testing/pictures/raster';
import { dnasOf, partitionOfFiles } from '@sosia/testing/searching/partition';
import { isMatch, search, type Hit } from '@sosia/testing/searching/search';
import { groupsOf, recallsOf, type Scored, share } from '@sosia/testing/statistics';
import sharp from 'sharp';
import { benchmark, ofPictures, missingCorpora } from '../harness/benchmark.ts';
import { inTemporaryFolder } from '../harness/temporary.ts';

const TYPE = 'mobile-matching';

const conditions: Readonly<Record<string, Condition>> = {
  'hand and glare': heldInGlare,
  'motion of 15/640': moved(15 / 640),
};

/** A phone photograph of a cover or of a package. */
interface Photograph {
  readonly path: string;
  readonly name: string;
  /** The names of the pictures that are found as Match or Clone: of the first hit, and of all. */
  readonly first: string | null;
  readonly matches: readonly string[];
  /** The pictures of all answers with their scores. */
  readonly answers: readonly { readonly name: string; readonly score: number }[];
  readonly box?: QuadMatch['query']['matchingBox'] | undefined;
  readonly cover: string;
}

export default benchmark({
  title: 'Mobile Matching: covers, packages and labels',
  kind: 'accuracy',
  about: 'Photographs of covers, cartons and labels.',
  missing: missingCorpora('covers', 'photos', 'shelves', 'labels'),
  targets: {
    right: '>= 0.97',
    'right, worst camera': '>= 0.93',
    'photographs with a false match': '<= 0.01',
    'hand and glare': '>= 0.8',
    'motion of 15/640': '>= 0.85',
    'packages, right': '>= 0.9',
    'packages, another one matched': '<= 0.1',
    'labels, right': '>= 0.97',
    'labels, another one matched': '<= 0.03',
    'labels, recall at 0.9': '>= 0.95',
  },
  options: {},
  size: () => ({
    packages: '150 photographs',
    labels: '61 photographs',
    'right, worst': '50 photographs a camera',
    hand: '100 photographs',
    motion: '100 photographs',
    '': '200 photographs',
  }),
  measures: ofPictures,
  run: () =>
    inTemporaryFolder(async (folder) => {
      const references = ['covers/reference', 'covers/distractor', 'photos'].flatMap((name) => corpusPictures(name)!);
      const findCovers = await finder(references, 'covers');
      const photographs = await findCovers(corpusPictures('covers/query')!);
      const rows = [...groupsOf(photographs, cameraOf)].map(([camera, group]) => rowOf(camera, group));
      const all = rowOf('all', photographs);
      const even = photographs.filter(({ cover, box }) => Number(cover) % 2 === 0 && box);
      const hard: ReturnType<typeof rowOf>[] = [];
      for (const [title, condition] of Object.entries(conditions)) {
        const paths: string[] = [];
        for (const one of even) paths.push(await spoiled(one, title, condition, folder));
        hard.push(rowOf(title, await findCovers(paths)));
      }
      const products = [];
      for (const [title, corpus] of [
        ['packages', 'shelves'],
        ['labels', 'labels'],
      ] as const) {
        const find = await finder(corpusPictures(`${corpus}/reference`)!, corpus);
        products.push(rowOf(title, await find(corpusPictures(`${corpus}/query`)!)));
      }
      return {
        figures: {
          right: all.right,
          'right, worst camera': Math.min(...rows.map(({ right }) => right)),
          'right, where a twin of the cover counts': all['right or twin'],
          'photographs with a false match': all['not shown'],
          ...Object.fromEntries(hard.map((row) => [row.photographs, row['right or twin']])),
          ...Object.fromEntries(
            products.flatMap((row): [string, unknown][] => [
              [`${row.photographs}, right`, row.right],
              [`${row.photographs}, another one matched`, row['another matched']],
              ...Object.entries(row)
                .filter(([name]) => name.startsWith('recall'))
                .map(([recall, value]): [string, unknown] => [`${row.photographs}, ${recall}`, value]),
            ]),
          ),
        },
        tables: {
          photographs: [...rows, all, ...hard, ...products],
          'false matches': photographs.flatMap((one) => notShown(one).map((match) => ({ query: one.name, match }))),
        },
      };
    }),
});

/** Searches among references. @param corpus  the folder that has the ground truth */
async function finder(references: readonly string[], corpus: string) {
  const partition = await partitionOfFiles(TYPE, references);
  const truth = Object.entries(corpusTable(`${corpus}/groundtruth.json`) as Record<string, string>);
  const covers = new Map(truth.map(([query, cover]) => [nameOf(query), nameOf(cover)]));
  return async (paths: readonly string[]): Promise<Photograph[]> => {
    const photographs: Photograph[] = [];
    for (const [i, query] of (await dnasOf(TYPE, paths, 'query')).entries()) {
      const [path, name] = [paths[i]!, nameOf(paths[i]!)];
      const found = (await search(partition, query)).hits;
      const hits: Hit[] = found.filter(isMatch);
      const answers = found.map(({ image, score }) => ({ name: nameOf(references[image]!), score }));
      const matches = hits.map(({ image }) => nameOf(references[image]!));
      const box = (hits[0]?.info as QuadMatch | undefined)?.query.matchingBox;
      photographs.push({ path, name, cover: covers.get(name)!, first: matches[0] ?? null, matches, answers, box });
    }
    return photographs;
  };
}

/** The photograph under a condition, as a file. */
async function spoiled({ path, name, box }: Photograph, title: string, condition: Condition, folder: string) {
  const picture = await rasterOf(sharp(path));
  const outline = box!.points.map(([x, y]) => [x * picture.width, y * picture.height] as const);
  const changed = join(folder, `${name}.jpg`);
  await sharpOf(await condition(picture, outline, randomFor(title, name)))
    .jpeg({ quality: 85 })
    .toFile(changed);
  return changed;
}

function nameOf(path: string): string {
  return basename(path, '.jpg');
}

function cameraOf({ name }: Photograph): string {
  return name.split('_')[0]!;
}

function rowOf(title: string, photographs: readonly Photograph[]) {
  const scored = photographs.flatMap(({ answers, cover }): Scored[] =>
    answers.map(({ name, score }) => ({ score, right: name === cover })),
  );
  return {
    photographs: title,
    number: photographs.length,
    right: share(photographs, ({ first, cover }) => first === cover),
    'right or twin': share(
      photographs,
      ({ first, cover }) => first && [cover, otherPrints.get(cover)?.twin].includes(first),
    ),
    'another matched': share(photographs, (one) => one.matches.some((name) => name !== one.cover)),
    'not shown': share(photographs, (one) => notShown(one).length > 0),
    ...recallsOf(scored, photographs.length),
  };
}

/** Matches of pictures of which no part is in the photograph. */
function notShown({ name, cover, matches }: Photograph): string[] {
  const { twin, relative } = otherPrints.get(cover) ?? {};
  const known = [cover, twin, relative, ...(shownToo.get(name) ?? [])];
  return matches.filter((match) => !known.includes(match));
}
