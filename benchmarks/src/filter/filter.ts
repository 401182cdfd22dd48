import { basename, dirname, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { embeddingOf, profileScoreOf, train } from '@sosia/engine';
import sharp from 'sharp';
import { machine } from '@sosia/testing/machine';
import { corpusPictures } from '@sosia/testing/pictures/corpus';
import { type Raster, rasterOf } from '@sosia/testing/pictures/raster';
import { mean } from '@sosia/testing/statistics';
import { figure, table } from '@sosia/testing/table';
import { answering } from './answering.ts';
import { histogramOf } from './histogram.ts';
import { shipped } from './shipped.ts';

type Looks = Uint8Array;
type View = 'looks' | 'colours';

/** What is seen of a picture: all of its looks, or the baseline. */
const views: Readonly<Record<View, (picture: Raster) => Looks>> = {
  looks: (picture) => embeddingOf({ ...picture, originalWidth: picture.width, originalHeight: picture.height }),
  colours: histogramOf,
};
const { values: options } = parseArgs({ options: { task: { type: 'string', default: '' } } });
const tasks = [
  { folder: 'styles', kinds: ['photo'], most: Infinity, reach: 'balanced accuracy ≥ 0.92' },
  { folder: 'cats_dogs', kinds: ['cats'], most: 150, reach: 'balanced accuracy ≥ 0.74' },
  { folder: 'clothing', kinds: null, most: Infinity, reach: 'area under the curve ≥ 0.94' },
];
/** Pictures whose answers are timed. */
const TIMED = 60;

console.log(`Filter · ${machine()}\n`);
const rows: (string | number)[][] = [];
for (const task of tasks.filter(({ folder }) => folder.includes(options.task))) {
  const paths = corpusPictures(task.folder);
  if (!paths) {
    console.log(`filter: skipped ${task.folder}, ../shared/corpora/${task.folder} is absent`);
    continue;
  }
  const seen = await byKind(paths, task.most);
  const kinds = task.kinds ?? [...seen.looks.train.keys()];
  for (const [view, name] of [
    ['looks', 'looks'],
    ['colours', 'histogram of colours'],
  ] as const) {
    const judged = kinds.map((kind) => judge(seen[view], kind));
    rows.push([
      `${task.folder}, ${kinds.length > 1 ? 'each kind' : kinds[0]}: ${name}`,
      task.reach,
      ...(['told', 'accuracy', 'area'] as const).map((what) => figure(mean(judged.map((each) => each[what])), 3)),
    ]);
  }
}
const columns = ['balanced accuracy, cross-validated', 'balanced accuracy, test', 'area under the curve, test'];
if (rows.length > 0) console.log(table(['task (chance: 0.5)', 'reach', ...columns], rows));
if (options.task === '' || options.task === 'shipped') console.log(`\n${await shipped()}`);
if (options.task === '') await time(corpusPictures('cats_dogs'));

interface Split {
  readonly train: Map<string, Looks[]>;
  readonly test: Map<string, Looks[]>;
}

/** Paths end in split/kind/file. @param most  pictures of a kind to train on */
async function byKind(paths: readonly string[], most: number): Promise<Record<View, Split>> {
  const seen = {
    looks: { train: new Map(), test: new Map() },
    colours: { train: new Map(), test: new Map() },
  } as Record<View, Split>;
  for (const path of paths) {
    const kind = basename(dirname(path));
    const half = path.split(sep).at(-3) === 'train' ? 'train' : 'test';
    if (half === 'train' && (seen.looks.train.get(kind)?.length ?? 0) >= most) continue;
    const picture = await rasterOf(sharp(path).resize(1024, 1024, { fit: 'inside', withoutEnlargement: true }));
    for (const view of ['looks', 'colours'] as const) {
      const list = seen[view][half].get(kind) ?? [];
      seen[view][half].set(kind, list);
      list.push(views[view](picture));
    }
  }
  return seen;
}

function judge(looks: Split, kind: string): { told: number; accuracy: number; area: number } {
  const parts = (half: Map<string, Looks[]>): [Looks[], Looks[]] => [
    half.get(kind)!,
    [...half].filter(([other]) => other !== kind).flatMap(([, list]) => list),
  ];
  const { profile, report } = train('bench', ...parts(looks.train));
  const [fitting, others] = parts(looks.test).map((list) => list.map((each) => profileScoreOf(profile, each)));
  const share = (scores: number[], right: (score: number) => boolean): number =>
    scores.filter(right).length / scores.length;
  return {
    told: report.balancedAccuracy,
    accuracy: (share(fitting!, (score) => score > 0) + share(others!, (score) => score <= 0)) / 2,
    area: mean(
      fitting!.map(
        (score) => share(others!, (other) => other < score) + share(others!, (other) => other === score) / 2,
      ),
    ),
  };
}

async function time(paths: readonly string[] | null): Promise<void> {
  if (!paths) return;
  const { describe, answer, more } = await answering(paths.slice(0, TIMED));
  console.log(
    `\n${TIMED} pictures one after another, medians: decoding and describing ${figure(describe, 1)} ms, Filter over HTTP ` +
      `${figure(answer, 1)} ms, ${figure(more, 1)} ms more (≤ 5 aimed at)`,
  );
}
