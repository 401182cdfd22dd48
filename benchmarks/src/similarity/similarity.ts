import { parseArgs } from 'node:util';
import { AtOnce, recipes, type Recipe } from '@sosia/engine';
import { describeAll } from '@sosia/testing/describing/describing';
import { machine } from '@sosia/testing/machine';
import { attackedFile } from '@sosia/testing/pictures/attacked';
import { attackNamed } from '@sosia/testing/pictures/attacks';
import { corpusPictures } from '@sosia/testing/pictures/corpus';
import { randomFor, shuffled } from '@sosia/testing/pictures/random';
import { mean, median } from '@sosia/testing/statistics';
import { figure, table, type Cell } from '@sosia/testing/table';
import { baselines } from './baselines.ts';
import { labelled, nearestByDistance, nearestByRank, precision, type Precision } from './precision.ts';
import { filled, memoryRead, palette, timed } from './scanning.ts';

const SEED = 1;
const WEIGHTS = [0, 50, 100];
const GEOMETRY = ['crop 70 %', 'mirrored', 'border, text, contrast', 'rotate 15', 'crop 50 %'];
const PLAIN = ['jpeg 8', 'quarter size', 'half size', 'blur 3', 'grey, gamma 1.8', 'brightness 0.6', 'brightness 1.4'];

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    pictures: { type: 'string', default: '100' },
    scanned: { type: 'string', default: '1000000' },
    palettes: { type: 'string', default: '100000' },
  },
});
const looks = recipes['image-similarity'];
const colors = recipes['color-similarity'];

console.log(`## Similarity\n\n${machine()}\n`);
for (const [name, part] of Object.entries({ clothing, duplicates, scan }))
  if (name.includes(options.only)) await part();

async function clothing(): Promise<void> {
  const paths = corpusPictures('clothing');
  if (!paths) return console.log('similarity: skipped, ../shared/corpora/clothing is absent');
  const pictures = labelled(paths);
  const rows: [string, Precision][] = [];
  for (const { name, describe, distance } of baselines) {
    const described = await Promise.all(paths.map(describe));
    rows.push([name, precision(pictures, nearestByDistance(described, distance))]);
  }
  const plain = rows.map(([, figures]) => figures);
  const dnas = await dnasOf(looks, paths);
  const partition = filled(AtOnce.of(looks), dnas, dnas.length);
  for (const weight of WEIGHTS)
    rows.push([
      `image-similarity, color_weight ${weight}`,
      precision(pictures, nearestByRank(partition, dnas, weight / 100)),
    ]);
  const unseen = pictures.filter(({ seen }) => !seen).length;
  console.log(`### ${pictures.length} garments of 10 kinds: how many of the 10 nearest are of the same kind\n
"all": each among all others. "unseen": the ${unseen} that the axes were not trained on, among all others. "apart": these among themselves, where a kind
has 12 to 20. In brackets: times the better of the two baselines.\n`);
  const ways = ['all', 'unseen', 'apart'] as const;
  const cells = rows.map(([name, figures]): Cell[] => [
    name,
    ...ways.map((way) => {
      const better = Math.max(...plain.map((each) => each[way]));
      return `${figure(figures[way], 3)} (${figure(figures[way] / better, 2)})`;
    }),
  ]);
  console.log(table(['', ...ways], cells) + '\n');
}

async function duplicates(): Promise<void> {
  const paths = corpusPictures('photos');
  if (!paths) return console.log('similarity: skipped, ../shared/corpora/photos is absent');
  const dnas = await dnasOf(looks, paths);
  const partition = filled(AtOnce.of(looks), dnas, dnas.length);
  const asked = shuffled(randomFor('duplicates', SEED), [...paths.keys()]).slice(0, Number(options.pictures));
  const rows: Cell[][] = [];
  for (const name of [...PLAIN, ...GEOMETRY]) {
    const files = [];
    for (const i of asked) files.push(await attackedFile(paths[i]!, attackNamed(name), paths, SEED));
    const queries = await dnasOf(
      looks,
      files.map(({ path }) => path),
    );
    const first = (colorWeight: number): Cell => {
      const right = queries.filter(
        (query, k) =>
          partition.rank(query, null, { below: 1, most: 1 }, { colorWeight }).images[0] === asked[k] &&
          query.length > 0,
      );
      return figure(right.length / queries.length, 3);
    };
    rows.push([name, ...WEIGHTS.map((weight) => first(weight / 100))]);
  }
  console.log(`### ${asked.length} of ${paths.length} photographs, changed: the original at rank 1\n`);
  console.log(table(['change', ...WEIGHTS.map((weight) => `color_weight ${weight}`)], rows) + '\n');
}

async function scan(): Promise<void> {
  const paths = corpusPictures('photos');
  if (!paths) return console.log('similarity: skipped, ../shared/corpora/photos is absent');
  const [n, many] = [Number(options.scanned), Number(options.palettes)];
  const dnas = await dnasOf(looks, paths);
  const partition = filled(AtOnce.of(looks), dnas, n);
  const rows: Cell[][] = [];
  const report = (what: string, { best, median }: { best: number; median: number }, bytes = NaN): void =>
    void rows.push([what, figure(best, 1), figure(median, 1), figure(bytes / best / 1e6, 1)]);
  const cut = { below: 1, most: 18 };
  for (const weight of WEIGHTS) {
    const bytes = weight === 0 ? 208 * n : weight === 100 ? 176 * n : partition.bytes;
    const rank = () => partition.rank(dnas[0]!, null, cut, { colorWeight: weight / 100 });
    report(`rank ${n.toLocaleString('en')} looks, color_weight ${weight}`, timed(rank), bytes);
  }
  const some = Uint32Array.from({ length: n / 10 }, (_, i) => 10 * i);
  report(
    'the same, a tenth of them by a filter',
    timed(() => partition.rank(dnas[0]!, some, cut, {})),
  );
  report(`read ${partition.bytes.toLocaleString('en')} bytes`, memoryRead(partition.bytes), partition.bytes);

  const palettes = await dnasOf(colors, paths);
  const list = filled(AtOnce.of(colors), palettes, many);
  report(
    `palette of ${many.toLocaleString('en')} pictures`,
    timed(() => palette(list), 5),
  );
  report(
    `rank them by the colours of a photograph`,
    timed(() => list.rank(palettes[0]!, null, cut, {}), 5),
  );
  const asked = colors.colors!.asQuery([
    { rgb: 0x1f4e8c, share: 60 },
    { rgb: 0xffffff, share: 40 },
  ]);
  report(
    'rank them by two colours',
    timed(() => list.rank(asked, null, cut, {}), 5),
  );
  console.log('### Exact search on one core, ms\n');
  console.log(table(['', 'best', 'median', 'GB/s at best'], rows) + '\n');
}

async function dnasOf(recipe: Recipe, paths: readonly string[]): Promise<Uint8Array[]> {
  const described = await describeAll(paths.map((path) => ({ path, type: recipe.type, side: 'query' as const })));
  const times = described.map(({ describeMs }) => describeMs);
  if (paths.length >= 400)
    console.log(
      `${recipe.type}: ${figure(median(times), 1)} ms a picture, ${figure(mean(described.map(({ dna }) => dna?.length ?? 0)), 0)} bytes\n`,
    );
  return described.map(({ dna }, i) => {
    if (!dna) throw new Error(`${paths[i]} holds too little to be described`);
    return dna;
  });
}
