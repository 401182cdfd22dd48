import { basename, dirname, sep } from 'node:path';
import { EMBEDDING_LENGTH, embeddingOf, profileScoreOf, train } from '@sosia/engine';
import { corpusPictures } from '@sosia/testing/pictures/corpus';
import { pictureOf, type Raster, rasterOf } from '@sosia/testing/pictures/raster';
import { groupsOf, mean, share } from '@sosia/testing/statistics';
import sharp from 'sharp';
import { benchmark, missingCorpora, type Row } from '../harness/benchmark.ts';
import { colourHistogram } from '../searching/histogram.ts';
import { balancedAccuracy, shippedRows } from './shipped.ts';

type Embedding = Uint8Array;

interface Labelled {
  readonly kind: string;
  readonly split: string;
  readonly embedding: Embedding;
}

const tasks = [
  {
    folder: 'styles',
    kinds: ['photo'],
    most: Infinity,
    figure: 'photographs against drawings, balanced accuracy',
    of: 'accuracy',
  },
  {
    folder: 'cats_dogs',
    kinds: ['cats'],
    most: 150,
    figure: 'cats against dogs, balanced accuracy',
    of: 'accuracy',
  },
  {
    folder: 'clothing',
    kinds: null,
    most: Infinity,
    figure: 'ten kinds of clothing, area under the curve',
    of: 'area',
  },
] as const;

/** What a profile is trained on: the embedding of a picture, or nothing but its colours. */
const embeddings: Readonly<Record<string, (picture: Raster) => Embedding>> = {
  embedding: (picture) => embeddingOf(pictureOf(picture)),
  'histogram of colours': (picture) => {
    const bytes = new Uint8Array(EMBEDDING_LENGTH).fill(128);
    colourHistogram(picture).forEach((part, i) => (bytes[i] = 128 + Math.round(127 * Math.sqrt(part))));
    return bytes;
  },
};

export default benchmark({
  title: 'Filter: profiles',
  kind: 'accuracy',
  about:
    'Profiles are trained on the training halves of three corpora and judged on the test halves, where chance gives 0.5. The shipped profiles are judged on pictures that they were not trained on.',
  missing: missingCorpora('styles', 'cats_dogs', 'clothing', 'photos', 'covers'),
  targets: { [tasks[0].figure]: '>= 0.92', [tasks[1].figure]: '>= 0.74', [tasks[2].figure]: '>= 0.94' },
  options: {},
  async run() {
    const rows: Row[] = [];
    const figures: [string, number][] = [];
    for (const { folder, kinds, most, figure, of } of tasks) {
      const pictures = await pictureFiles(folder, most);
      for (const [name, embeddingOf] of Object.entries(embeddings)) {
        const labelled = pictures.map(({ raster, ...labels }) => ({ ...labels, embedding: embeddingOf(raster) }));
        const names = kinds ?? [...new Set(labelled.map(({ kind }) => kind))];
        const judged = names.map((kind) => judge(labelled, kind));
        const means = {
          'accuracy, cross-validated': mean(judged.map(({ validated }) => validated)),
          accuracy: mean(judged.map(({ accuracy }) => accuracy)),
          area: mean(judged.map(({ area }) => area)),
        };
        rows.push({ task: `${folder}, ${name}`, ...means });
        if (name === 'embedding') figures.push([figure, means[of]]);
      }
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
  return Promise.all(chosen.map(async (file) => ({ ...file, raster: await rasterOf(sharp(file.path).resize(size)) })));
}

function judge(pictures: readonly Labelled[], wanted: string) {
  const of = (training: boolean): [Embedding[], Embedding[]] => {
    const half = pictures.filter(({ split }) => (split === 'train') === training);
    return [true, false].map((fits) =>
      half.filter(({ kind }) => (kind === wanted) === fits).map(({ embedding }) => embedding),
    ) as [Embedding[], Embedding[]];
  };
  const { profile, report } = train('benchmark', ...of(true));
  const [fitting, others] = of(false).map((list) => list.map((each) => profileScoreOf(profile, each))) as [
    number[],
    number[],
  ];
  const area = (score: number) =>
    share(others, (other) => other < score) + share(others, (other) => other === score) / 2;
  return {
    validated: report.balancedAccuracy,
    accuracy: (share(fitting, (score) => score > 0) + share(others, (score) => score <= 0)) / 2,
    area: mean(fitting.map(area)),
  };
}
