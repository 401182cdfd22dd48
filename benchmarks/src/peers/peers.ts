import { attackedFile } from '@sosia/testing/pictures/attacked';
import { attackNamed, cropTo } from '@sosia/testing/pictures/attacks';
import { corpusPictures } from '@sosia/testing/pictures/corpus';
import type { Attack } from '@sosia/testing/pictures/attack';
import { randomFor, shuffled } from '@sosia/testing/pictures/random';
import { share } from '@sosia/testing/statistics';
import { benchmark, countOf, missingCorpora, ofPictures } from '../harness/benchmark.ts';
import { installedPeers, missingPython, type Answers } from './installed.ts';
import { answersOfSosia } from './sosia.ts';
import { judged, type Query } from './threshold.ts';

/** What a picture went through, as the table names it. */
const kinds: Readonly<Record<string, Attack>> = {
  recompressed: attackNamed('jpeg 8'),
  'cropped to 50 %': attackNamed('crop 50 %'),
  'cropped to 25 %': { ...attackNamed('crop 50 %'), name: 'crop 25 %', apply: cropTo(0.25) },
  'rotated by 15 degrees': attackNamed('rotate 15'),
  'rotated by 90 degrees': attackNamed('rotate 90'),
  mirrored: attackNamed('mirrored'),
  'with captions': attackNamed('text overlay'),
  'photographed print': attackNamed('scene 40 %'),
  'tenth of another picture': attackNamed('paste 10 %'),
};
/** The share of the references that is of a folder. */
const shares = { photos: 0.3, posters: 0.4, photos_small: 0.3 } as const;
/** Queries are made from references of these folders; others of their pictures are queries that must find nothing. */
const queried = ['photos', 'posters'] as const;

export default benchmark({
  title: 'Sosia beside other programs',
  kind: 'accuracy',
  about: 'Clone or Match; of others a threshold from the other half.',
  missing: missingCorpora(...Object.keys(shares)) ?? missingPython(),
  options: { references: 1000, queries: 60, strangers: 100, seed: 1 },
  size: ({ references, queries, strangers }) =>
    `${countOf(references)} references, ${queries} queries a kind, ${strangers} that show no reference`,
  measures: ofPictures,
  async run({ references, queries: number, strangers, seed }) {
    const { stored, queries } = await setsOf(references, number, strangers, seed);
    const paths = queries.map(({ path }) => path);
    const all = [await answersOfSosia(stored, paths), ...(await installedPeers(stored, paths))];
    return tableOf(queries, all);
  },
});

/** References, and queries in an order in which halves alternate. */
async function setsOf(
  references: number,
  number: number,
  strangers: number,
  seed: number,
): Promise<{ stored: string[]; queries: Query[] }> {
  const order = (folder: string) => shuffled(randomFor('peers', folder, seed), corpusPictures(folder)!);
  const countIn = (folder: keyof typeof shares) => Math.round(shares[folder] * references);
  const folders = Object.keys(shares) as (keyof typeof shares)[];
  const stored = folders.flatMap((folder) => order(folder).slice(0, countIn(folder)));
  const hosts = order('photos').slice(countIn('photos'));
  const sources = queried.flatMap((folder) => order(folder).slice(0, countIn(folder)));
  const queries: Query[] = [];
  for (const [kind, attack] of Object.entries(kinds)) {
    for (const source of shuffled(randomFor('peers', kind, seed), sources).slice(0, number)) {
      const { path } = await attackedFile(source, attack, hosts, seed);
      queries.push({ kind, path, shows: stored.indexOf(source) });
    }
  }
  const unknown = queried.flatMap((folder) => order(folder).slice(countIn(folder), countIn(folder) + strangers / 2));
  return { stored, queries: [...queries, ...unknown.map((path) => ({ kind: 'none', path, shows: -1 }))] };
}

/** Rows for what is found, and for what it costs, with a column a program. */
function tableOf(queries: readonly Query[], all: readonly Answers[]) {
  const programs = all.map((answers) => ({ ...answers, outcomes: judged(queries, answers) }));
  type Program = (typeof programs)[number];
  const [sosia, ...others] = programs;
  const columns = (value: (program: Program) => number): Record<string, number> =>
    Object.fromEntries(programs.map((program) => [program.name, value(program)]));
  const found = (kind?: string) => (program: Program) =>
    share(
      program.outcomes.filter((_, i) => queries[i]!.shows >= 0 && (kind ?? queries[i]!.kind) === queries[i]!.kind),
      (outcome) => outcome === 'right',
    );
  const wrong = ({ outcomes }: Program) => outcomes.filter((outcome) => outcome === 'wrong').length;
  const costs = {
    'wrong answers': columns(wrong),
    'adding a picture, ms of one core': columns(({ addMs }) => addMs),
    'searching, ms of one core': columns(({ searchMs }) => searchMs),
    'description, bytes': columns(({ bytes }) => bytes),
  };
  return {
    figures: {
      Sosia: found()(sosia!),
      'best other program': Math.max(...others.map(found())),
    },
    tables: {
      found: Object.keys(kinds).map((kind) => ({ found: kind, ...columns(found(kind)) })),
      costs: Object.entries(costs).map(([figure, row]) => ({ figure, ...row })),
    },
  };
}
