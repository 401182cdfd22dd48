import type { BoxMatch } from '@sosia/engine';
import { describeAll } from '@sosia/testing/describing/describing';
import { attackedFile } from '@sosia/testing/pictures/attacked';
import { attacks } from '@sosia/testing/pictures/attacks';
import { oneOf, randomFor, shuffled } from '@sosia/testing/pictures/random';
import { partitionOf } from '@sosia/testing/searching/partition';
import { search } from '@sosia/testing/searching/search';
import { mean, share } from '@sosia/testing/statistics';
import { benchmark, ofPictures, missingCorpora } from '../harness/benchmark.ts';
import { type Half, halves, halfOf } from '../harness/halves.ts';
import { inTemporaryFolder } from '../harness/temporary.ts';
import { type Negative, negativesOf } from '../negatives/pictures.ts';

const TYPE = 'media-matching';
/** Bounds of the stated probability, within which answers are counted together. */
const BOUNDS = [0, 0.005, 0.02, 0.05, 0.1, 0.5, 0.9, 1.01];

/** What was stated of one answer, and whether it was wrong. */
interface Stated {
  readonly half: Half;
  readonly probability: number;
  readonly wrong: boolean;
}

export default benchmark({
  title: 'How often an answer is wrong that states so',
  kind: 'accuracy',
  about:
    'Wrong answers by the `false_match_probability` they state, for copies of what is stored and for others. Unseen half.',
  missing: missingCorpora(
    'photos',
    'photos_small',
    'cats_dogs',
    'styles',
    'posters',
    'clothing',
    'covers',
    'packshots',
  ),
  options: { drawn: 25, references: 500 },
  size: ({ references }) => `${references} references, ${2 * references} queries a half`,
  measures: ofPictures,
  run: (options) =>
    inTemporaryFolder(async (folder) => {
      const stated: Stated[] = [];
      for (const half of halves) stated.push(...(await statedIn(half, options, folder)));
      const tables = Object.fromEntries(
        halves.map((half) => [half, rowsOf(stated.filter((each) => each.half === half))]),
      );
      const [lowest] = tables['unseen']!;
      const figures = { 'stated below 0.005: mean': lowest!.mean, 'stated below 0.005: wrong': lowest!.wrong };
      return { figures, tables };
    }),
});

async function statedIn(
  half: Half,
  { drawn, references: count }: { drawn: number; references: number },
  folder: string,
): Promise<Stated[]> {
  const all = shuffled(randomFor('calibration', 'pictures', half), await negativesOf(half, drawn, folder));
  const references = all.filter((_, i) => i % 2 === 0).slice(0, count);
  const strangers = all.filter((_, i) => i % 2 === 1).slice(0, count);
  const queries = [...strangers, ...(await editedCopies(half, references))];
  const described = async (of: readonly Negative[], side: 'reference' | 'query') =>
    (await describeAll(of.map(({ path }) => ({ path, type: TYPE, side })))).map(({ dna }) => dna);
  const partition = partitionOf(TYPE, await described(references, 'reference'));
  const dnas = await described(queries, 'query');
  const stated: Stated[] = [];
  for (const [i, query] of queries.entries()) {
    const dna = dnas[i];
    for (const { image, info } of dna ? (await search(partition, dna)).hits : []) {
      const wrong = !references[image]!.shows.some((name) => query.shows.includes(name));
      stated.push({ half, probability: (info as BoxMatch).false_match_probability, wrong });
    }
  }
  return stated;
}

/** Each reference under an attack by chance. */
async function editedCopies(half: Half, references: readonly Negative[]): Promise<Negative[]> {
  const random = randomFor('calibration', half);
  const hosts = halfOf(half, 'packshots'); // which are not stored
  const copies: Negative[] = [];
  for (const { kind, path, shows } of references) {
    const edited = await attackedFile(path, oneOf(random, attacks), hosts, 1);
    copies.push({ kind, path: edited.path, shows });
  }
  return copies;
}

function rowsOf(stated: readonly Stated[]) {
  return BOUNDS.slice(1).map((to, i) => {
    const from = BOUNDS[i]!;
    const within = stated.filter(({ probability }) => probability >= from && probability < to);
    return {
      stated: to > 1 ? `${from} and more` : `${from} to ${to}`,
      answers: within.length,
      mean: within.length === 0 ? 0 : mean(within.map(({ probability }) => probability)),
      wrong: within.length === 0 ? 0 : share(within, ({ wrong }) => wrong),
    };
  });
}
