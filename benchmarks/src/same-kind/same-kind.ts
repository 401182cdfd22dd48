import { join } from 'node:path';
import type { ApplicationType } from '@sosia/engine';
import { corporaFolder, corpusTable } from '@sosia/testing/pictures/corpus';
import { printsShownIn } from '@sosia/testing/pictures/covers';
import { cutOut } from '@sosia/testing/pictures/logos';
import { groupsOf, share } from '@sosia/testing/statistics';
import { benchmark, ofPictures, missingCorpora, type Row } from '../harness/benchmark.ts';
import { type Half, halfOf, halves } from '../harness/halves.ts';
import { inTemporaryFolder } from '../harness/temporary.ts';
import { type Judged, judgedOf, rowsOf } from '../negatives/negatives.ts';
import type { Negative } from '../negatives/pictures.ts';

const kinds = {
  produce: ['produce'],
  'things on plain ground': ['packshots'],
  garments: ['clothing'],
  cartons: ['shelves/reference'],
  labels: ['labels/reference'],
  covers: ['covers/reference', 'covers/distractor'],
  'film posters': ['posters'],
};
type Kind = keyof typeof kinds;

/** Photographs of a kind, by their folder, and what they show. */
const photographs = { 'photographs of cartons': 'shelves', 'photographs of labels': 'labels' } as const;

const types: readonly ApplicationType[] = ['media-matching', 'mobile-matching', 'brand-monitoring'];

export default benchmark({
  title: 'False matches among pictures of the same kind',
  kind: 'accuracy',
  about: 'Brand monitoring: with logos, too. Unseen half.',
  missing: missingCorpora('produce', 'packshots', 'clothing', 'shelves', 'labels', 'covers', 'posters', 'logos'),
  targets: {
    'media-matching, garments': '<= 0.002',
    'media-matching, cartons': '<= 0.03',
    'media-matching, photographs of cartons': '<= 0.03',
    'mobile-matching, produce': '<= 0.01',
    'mobile-matching, things on plain ground': '<= 0.01',
    'mobile-matching, cartons': '<= 0.03',
    'mobile-matching, photographs of cartons': '<= 0.03',
    'mobile-matching, photographs of labels': '<= 0.03',
    'brand-monitoring, produce': '<= 0.02',
    'brand-monitoring, things on plain ground': '<= 0.02',
  },
  options: { pictures: 75 },
  size: ({ pictures }) => `${pictures} queries a kind at most; 7 cartons, 30 labels and photographs of them`,
  measures: [...ofPictures, 'benchmarks/src/negatives'],
  run: ({ pictures }) =>
    inTemporaryFolder(async (folder) => {
      const logos = (await cutOut(folder)).map(({ brand, path }) => ({ kind: 'logos', path, shows: [brand] }));
      const [figures, tables]: [Record<string, number>, Record<string, Row[]>] = [{}, {}];
      for (const type of types) {
        const further = type === 'brand-monitoring' ? logos : [];
        const judged: Judged[] = [];
        for (const half of halves)
          for (const { references, queries } of setsOf(half, pictures))
            judged.push(...(await judgedOf(type, half, { references: [...references, ...further], queries })));
        tables[type] = rowsOf(judged);
        const unseen = judged.filter(({ half }) => half === 'unseen');
        for (const [kind, group] of groupsOf(unseen, ({ kind }) => kind))
          figures[`${type}, ${kind}`] = share(group, ({ wrong }) => /Clone|Match/.test(wrong));
      }
      return { figures, tables };
    }),
});

function setsOf(half: Half, pictures: number) {
  const alone = Object.keys(kinds).map((kind) => {
    const all = ofKind(kind as Kind, half).slice(0, pictures);
    return { references: all, queries: all };
  });
  const shown = Object.entries(photographs).map(([kind, corpus]) => {
    const truth = corpusTable(`${corpus}/groundtruth.json`) as Record<string, string>;
    const shows = new Map(
      Object.entries(truth).map((pair) => pair.map((name) => join(corporaFolder, corpus, name)) as [string, string]),
    );
    const queries = halfOf(half, `${corpus}/query`).map((path) => ({ kind, path, shows: [shows.get(path)!] }));
    const references = [...new Set(shows.values())].map((path) => ({ kind, path, shows: [path] }));
    return { references, queries: queries.slice(0, pictures) };
  });
  return [...alone, ...shown];
}

function ofKind(kind: Kind, half: Half): Negative[] {
  return kinds[kind].flatMap((folder) =>
    halfOf(half, folder).map((path) => ({ kind, path, shows: [...printsShownIn(path), ...heapShownIn(path), path] })),
  );
}

/** Photographs of one product in a shop show one heap of it, by eye. */
function heapShownIn(path: string): string[] {
  const [, product] = /\/produce\/shop\/(?:.*\/)?([^/]+)_\d+\.\w+$/.exec(path) ?? [];
  return product ? [product] : [];
}
