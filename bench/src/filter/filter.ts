import { basename, dirname, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { looksOf, profileScoreOf, train } from '@sosia/engine';
import sharp from 'sharp';
import { machine } from '../machine.ts';
import { corpusPictures } from '../pictures/corpus.ts';
import { rasterOf } from '../pictures/raster.ts';
import { mean } from '../statistics.ts';
import { figure, table } from '../table.ts';

type Looks = Uint8Array;

/** Where the histogram of colours stands in the looks: the baseline sees nothing else. */
const COLOURS = [512, 1024] as const;

const { values: options } = parseArgs({ options: { task: { type: 'string', default: '' } } });
const tasks = [
  { folder: 'styles', kinds: ['photo'], most: Infinity, reach: 'balanced accuracy ≥ 0.92' },
  { folder: 'cats_dogs', kinds: ['cats'], most: 150, reach: 'balanced accuracy ≥ 0.74' },
  { folder: 'clothing', kinds: null, most: Infinity, reach: 'area under the curve ≥ 0.94' },
];

console.log(`Filter · ${machine()}\n`);
const rows: (string | number)[][] = [];
for (const task of tasks.filter(({ folder }) => folder.includes(options.task))) {
  const paths = corpusPictures(task.folder);
  if (!paths) {
    console.log(`filter: skipped ${task.folder}, ../shared/corpora/${task.folder} is absent`);
    continue;
  }
  const looks = await byKind(paths, task.most);
  const kinds = task.kinds ?? [...looks.train.keys()];
  for (const [what, seen] of [
    ['all looks', (all: Looks) => all],
    ['colours alone', (all: Looks) => all.map((byte, k) => (k >= COLOURS[0] && k < COLOURS[1] ? byte : 0))],
  ] as const) {
    const judged = kinds.map((kind) => judge(looks, kind, seen));
    const accuracy = mean(judged.map(({ accuracy }) => accuracy));
    const area = mean(judged.map(({ area }) => area));
    rows.push([
      `${task.folder}, ${kinds.length > 1 ? 'each kind' : kinds[0]}: ${what}`,
      task.reach,
      figure(accuracy, 3),
      figure(area, 3),
    ]);
  }
}
console.log(table(['task (chance: 0.5)', 'reach', 'balanced accuracy, test', 'area under the curve, test'], rows));

interface Split {
  readonly train: Map<string, Looks[]>;
  readonly test: Map<string, Looks[]>;
}

/** Paths end in split/kind/file. @param most  pictures of a kind to train on */
async function byKind(paths: readonly string[], most: number): Promise<Split> {
  const split: Split = { train: new Map(), test: new Map() };
  for (const path of paths) {
    const kind = basename(dirname(path));
    const half = path.split(sep).at(-3) === 'train' ? split.train : split.test;
    const list = half.get(kind) ?? [];
    half.set(kind, list);
    if (half === split.train && list.length >= most) continue;
    const picture = await rasterOf(sharp(path).resize(1024, 1024, { fit: 'inside', withoutEnlargement: true }));
    list.push(looksOf({ ...picture, originalWidth: picture.width, originalHeight: picture.height }));
  }
  return split;
}

function judge(looks: Split, kind: string, seen: (all: Looks) => Looks): { accuracy: number; area: number } {
  const parts = (half: Map<string, Looks[]>): [Looks[], Looks[]] => [
    half.get(kind)!.map(seen),
    [...half].filter(([other]) => other !== kind).flatMap(([, list]) => list.map(seen)),
  ];
  const { profile } = train('bench', ...parts(looks.train));
  const [fitting, others] = parts(looks.test).map((list) => list.map((each) => profileScoreOf(profile, each)));
  const share = (scores: number[], right: (score: number) => boolean): number =>
    scores.filter(right).length / scores.length;
  return {
    accuracy: (share(fitting!, (score) => score > 0) + share(others!, (score) => score <= 0)) / 2,
    area: mean(
      fitting!.map(
        (score) => share(others!, (other) => other < score) + share(others!, (other) => other === score) / 2,
      ),
    ),
  };
}
