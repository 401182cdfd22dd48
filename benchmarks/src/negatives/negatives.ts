import { type ApplicationType, selectionOf } from '@sosia/engine';
import { describeAll } from '@sosia/testing/describing/describing';
import { cutOut } from '@sosia/testing/pictures/logos';
import { partitionOf } from '@sosia/testing/searching/partition';
import { search } from '@sosia/testing/searching/search';
import { groupsOf, upperBound } from '@sosia/testing/statistics';
import { type Half, halves } from '../harness/halves.ts';
import { benchmark, ofPictures, missingCorpora, type Row } from '../harness/benchmark.ts';
import { inTemporaryFolder } from '../harness/temporary.ts';
import { type Negative, negativesOf, phonePhotographs } from './pictures.ts';

const decisions = ['Clone', 'Match', 'Similar'] as const;

/** The surest decision for a picture that does not show. */
export interface Judged extends Negative {
  readonly half: Half;
  readonly wrong: (typeof decisions)[number] | 'none';
}

/** References and queries of a type. A picture may be both. */
type Sets = Readonly<Record<'references' | 'queries', readonly Negative[]>>;

export default benchmark({
  title: 'False matches, by kind of picture',
  kind: 'accuracy',
  about:
    'Each picture is searched among others of all kinds that do not show in it. Shares with a Match or Clone, and their upper bounds with 95 % confidence. Unseen half.',
  missing: missingCorpora('photos', 'photos_small', 'cats_dogs', 'styles', 'posters', 'clothing', 'covers', 'logos'),
  options: { drawn: 25, types: 'media-matching,mobile-matching,brand-monitoring' },
  size: ({ drawn }) => `${drawn} drawn pictures a kind, and photographs`,
  measures: ofPictures,
  run: ({ drawn, types }) =>
    inTemporaryFolder(async (folder) => {
      const [figures, tables]: [Record<string, number>, Record<string, Row[]>] = [{}, {}];
      for (const type of types.split(',') as ApplicationType[]) {
        const judged: Judged[] = [];
        for (const half of halves)
          judged.push(...(await judgedOf(type, half, await setsOf(type, half, drawn, folder))));
        tables[type] = rowsOf(judged);
        const unseen = judged.filter(({ half }) => half === 'unseen');
        figures[`${type}: queries`] = unseen.length;
        figures[`${type}: false matches`] = unseen.filter(({ wrong }) => /Clone|Match/.test(wrong)).length;
      }
      return { figures, tables };
    }),
});

async function setsOf(type: ApplicationType, half: Half, drawn: number, folder: string): Promise<Sets> {
  const all = await negativesOf(half, drawn, folder);
  if (type === 'media-matching') return { references: all.filter((_, i) => i % 2 === 0), queries: all };
  // describing and searching take several times as long as for Media Matching
  const some = all.filter((_, i) => i % 10 === 1);
  const printed = all.filter(({ kind }, i) => i % 2 === 0 && /posters|packshots|frames/.test(kind));
  if (type === 'mobile-matching') return { references: printed, queries: [...some, ...phonePhotographs(half)] };
  const logos = (await cutOut(folder)).map(({ brand, path }) => ({ kind: 'logos', path, shows: [brand] }));
  return { references: logos, queries: some };
}

/** Each query is searched among the references that do not show in it. */
export async function judgedOf(type: ApplicationType, half: Half, { references, queries }: Sets): Promise<Judged[]> {
  const described = async (of: readonly Negative[], side: 'reference' | 'query') =>
    (await describeAll(of.map(({ path }) => ({ path, type, side })))).map(({ dna }) => dna);
  const partition = partitionOf(type, await described(references, 'reference'));
  const dnas = await described(queries, 'query');
  const judged: Judged[] = [];
  for (const [i, query] of queries.entries()) {
    const dna = dnas[i];
    const others = references.flatMap(({ shows }, image) =>
      shows.some((name) => query.shows.includes(name)) ? [] : [image],
    );
    const hits = dna ? (await search(partition, dna, selectionOf(others))).hits : [];
    const surest = decisions.find((decision) => hits.some(({ info }) => info.decision === decision));
    judged.push({ ...query, half, wrong: surest ?? 'none' });
  }
  return judged;
}

export function rowsOf(judged: readonly Judged[]): Row[] {
  return [...groupsOf(judged, ({ kind, half }) => `${kind}, ${half}`)].map(([kind, of]) => {
    const count = (decision: string) => of.filter(({ wrong }) => wrong === decision).length;
    const matched = count('Clone') + count('Match');
    const counts = Object.fromEntries(decisions.map((decision) => [decision, count(decision)]));
    return { kind, queries: of.length, ...counts, 'false matches at most': upperBound(matched, of.length) };
  });
}
