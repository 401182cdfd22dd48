import { basename, dirname, sep } from 'node:path';
import { embeddingOf, profileScoreOf, train } from '@sosia/engine';
import { corpusPictures } from '@sosia/testing/pictures/corpus';
import { pictureOf, rasterOf } from '@sosia/testing/pictures/raster';
import { groupsOf, mean, share } from '@sosia/testing/statistics';
import sharp from 'sharp';
import { benchmark, ofPictures, missingCorpora, type Row } from '../harness/benchmark.ts';
import { balancedAccuracy, shippedRows } from './shipped.ts';

type Embedding = Uint8Array;

interface Labelled {
  readonly kind: string;
  readonly split: string;
  readonly embedding: Embedding;
}

/** Pictures of `folder`: one kind or each kind against the others. The figure is a balanced accuracy or the area under the curve. */
const tasks = [
  { folder: 'styles', kinds: ['photo'], most: Infinity, figure: 'photographs against drawings, balanced accuracy' },
  { folder: 'cats_dogs', kinds: ['cats'], most: 150, figure: 'cats against dogs, balanced accuracy' },
  { folder: 'clothing', kinds: null, most: Infinity, figure: 'ten kinds of clothing, area under the curve' },
] as const;

export default benchmark({
  title: 'Filter: profiles',
  kind: 'accuracy',
  about: 'Unseen pictures. Chance gives 0.5.',
  missing: missingCorpora('styles', 'cats_dogs', 'clothing', 'photos', 'covers'),
  targets: { [tasks[0].figure]: '>= 0.92', [tasks[1].figure]: '>= 0.74', [tasks[2].figure]: '>= 0.94' },
  options: {},
  size: () => ({
    'photographs against': '160 pictures',
    cats: '150 pictures',
    ten: '179 pictures',
    '': '885 pictures',
  }),
  measures: ofPictures,
  async run() {
    const rows: Row[] = [];
    const figures: [string, number][] = [];
    for (const { folder, kinds, most, figure } of tasks) {
      const pictures = await pictureFiles(folder, most);
      const judged = (kinds ?? [...new Set(pictures.map(({ kind }) => kind))]).map((kind) => judge(pictures, kind));
      const means = {
        'accuracy, cross-validated': mean(judged.map(({ validated }) => validated)),
        accuracy: mean(judged.map(({ accuracy }) => accuracy)),
        area: mean(judged.map(({ area }) => area)),
      };
      rows.push({ task: folder, ...means });
      figures.push([figure, figure.includes('area') ? means.area : means.accuracy]);
    }
    const shipped = await shippedRows();
    return {
      figures: {
        ...Object.fromEntries(figures),
        'shipped profile of photographs, balanced accuracy': balancedAccuracy(shipped, 'photograph'),
        'shipped profile of documents, balanced accuracy': balancedAccuracy(shipped, 'document'),
      },
      tables: { trained: rows, shipped },
    };
  },
});

/** Paths end in split/kind/file. @param most  pictures of a kind to train on */
async function pictureFiles(folder: string, most: number) {
  const files = corpusPictures(folder)!.map((path) => ({
    path,
    kind: basename(dirname(path)),
    split: path.split(sep).at(-3)!,
  }));
  const groups = [...groupsOf(files, ({ kind, split }) => `${split}/${kind}`).values()];
  const chosen = groups.flatMap((group) => group.slice(0, group[0]!.split === 'train' ? most : Infinity));
  const size = { width: 1024, height: 1024, fit: 'inside', withoutEnlargement: true } as const;
  return Promise.all(
    chosen.map(async ({ path, ...labels }): Promise<Labelled> => {
      const raster = await rasterOf(sharp(path).resize(size));
      return { ...labels, embedding: embeddingOf(pictureOf(raster)) };
    }),
  );
}

function judge(pictures: readonly Labelled[], wanted: string) {
  const of = (test: boolean, fits: boolean): Embedding[] =>
    pictures
      .filter(({ split, kind }) => (split === 'test') === test && (kind === wanted) === fits)
      .map(({ embedding }) => embedding);
  const { profile, report } = train('benchmark', of(false, true), of(false, false));
  const scores = (fits: boolean) => of(true, fits).map((embedding) => profileScoreOf(profile, embedding));
  const [fitting, others] = [scores(true), scores(false)];
  const area = (score: number) =>
    share(others, (other) => other < score) + share(others, (other) => other === score) / 2;
  return {
    validated: report.balancedAccuracy,
    accuracy: (share(fitting, (score) => score > 0) + share(others, (score) => score <= 0)) / 2,
    area: mean(fitting.map(area)),
  };
}
