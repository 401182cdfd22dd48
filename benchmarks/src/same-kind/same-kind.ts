import type { ApplicationType } from '@sosia/engine';
import { printsShownIn } from '@sosia/testing/pictures/covers';
import { groupsOf, share } from '@sosia/testing/statistics';
import { benchmark, ofPictures, missingCorpora, type Row } from '../harness/benchmark.ts';
import { type Half, halfOf, halves } from '../harness/halves.ts';
import { type Judged, judgedOf, rowsOf } from '../negatives/negatives.ts';

const kinds = {
  produce: ['produce'],
  'things on plain ground': ['packshots'],
  garments: ['clothing'],
  cartons: ['shelves/reference'],
  labels: ['labels/reference'],
  covers: ['covers/reference', 'covers/distractor'],
  'film posters': ['posters'],
};

const types: readonly ApplicationType[] = ['media-matching', 'mobile-matching', 'brand-monitoring'];

export default benchmark({
  title: 'False matches among pictures of the same kind',
  kind: 'accuracy',
  about: 'Each picture is searched among others of its kind: share with a Match or Clone. Unseen half.',
  missing: missingCorpora('produce', 'packshots', 'clothing', 'shelves', 'labels', 'covers', 'posters'),
  targets: {
    'media-matching, garments: false matches': '<= 0.002',
    'media-matching, cartons: false matches': '<= 0.03',
    'mobile-matching, produce: false matches': '<= 0.01',
    'mobile-matching, cartons: false matches': '<= 0.03',
    'brand-monitoring, produce: false matches': '<= 0.02',
  },
  options: { pictures: 60 },
  size: ({ pictures }) => `${pictures} queries a kind at most; 8 cartons, 30 labels`,
  measures: [...ofPictures, 'benchmarks/src/negatives'],
  async run({ pictures }) {
    const [figures, tables]: [Record<string, number>, Record<string, Row[]>] = [{}, {}];
    for (const type of types) {
      const judged: Judged[] = [];
      for (const half of halves)
        for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
          const all = ofKind(kind, half).slice(0, pictures);
          judged.push(...(await judgedOf(type, half, { references: all, queries: all })));
        }
      tables[type] = rowsOf(judged);
      const unseen = judged.filter(({ half }) => half === 'unseen');
      for (const [kind, group] of groupsOf(unseen, ({ kind }) => kind))
        figures[`${type}, ${kind}: false matches`] = share(group, ({ wrong }) => /Clone|Match/.test(wrong));
    }
    return { figures, tables };
  },
});

function ofKind(kind: keyof typeof kinds, half: Half) {
  return kinds[kind].flatMap((folder) =>
    halfOf(half, folder).map((path) => ({ kind, path, shows: [...printsShownIn(path), path] })),
  );
}
