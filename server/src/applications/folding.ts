import { fail, isFailure } from '../errors.ts';
import type { Application } from './application.ts';
import type { MarkedMatches } from './ignoring.ts';
import type { Match, Page, Search } from './references.ts';

/** Matches that take part: those behind them are not listed. */
const MAX_MATCHES = 10_000;
/** Folded results that can be listed, since each may take a search. */
export const MAX_FOLDED = 1000;
/** Scores below this are duplicates on types without decisions; another picture begins at about 0.4. */
export const MAX_DUPLICATE_SCORE = 0.1;

type Marked = MarkedMatches['images'][number];

/** Seconds between two stills of one scene of a film. */
const MAX_GAP = 10;

type Compared = Pick<Application, 'references' | 'apartFrom' | 'originsOf'>;

/** Seconds of the first and the last still of a film that match, of those that follow each other. */
type Scene = [from: number, to: number];

/** A match with the further ones that are copies of it. */
export type Folded = Marked & { readonly copies?: readonly Marked[]; readonly scene?: Readonly<Scene> };

export interface FoldedMatches extends MarkedMatches {
  readonly images: readonly Folded[];
}

/**
 * A page of the matches without those that are copies of a better one, or of its scene in a film, which has them inside. It depends on no other page: results
 * are made from the best match on, until the page ends.
 * @param list  gives a part of all matches
 */
export async function foldedPage(
  application: Compared,
  { page, colorWeight }: Pick<Search, 'page' | 'colorWeight'>,
  list: (page: Page) => Promise<MarkedMatches>,
): Promise<FoldedMatches> {
  const end = page.start + page.count;
  if (end > MAX_FOLDED) throw fail('BAD_PARAMETER', `expected a page of the first ${MAX_FOLDED} results, with fold`);
  const { images, ...matches } = await list({ start: 0, count: MAX_MATCHES });
  const scenes = await scenesAmong(application, images);
  const results: Folded[] = [];
  for (let left = images; left.length > 0 && results.length < end;) {
    const [first, ...others] = left;
    const same = await copiesAmong(application, first!, others, colorWeight);
    const scene = scenes.get(first!.id);
    const isFolded = ({ id }: Marked): boolean => same.has(id) || (scene !== undefined && scenes.get(id) === scene);
    const copies = others.filter(isFolded);
    results.push({ ...first!, ...(copies.length > 0 && { copies }), ...(scene && { scene }) });
    left = others.filter((each) => !isFolded(each));
  }
  return { ...matches, images: results.slice(page.start) };
}

/** Of the stills of films among the matches, which have the beginning of a time in their id, unless that is too long. */
async function scenesAmong(application: Compared, matches: readonly Match[]): Promise<ReadonlyMap<string, Scene>> {
  const ids = matches.map(({ id }) => id).filter((id) => id.includes('#t='));
  const stills = [...(await application.originsOf(ids))].flatMap(([id, { source, path, time }]) =>
    time === undefined ? [] : [{ id, film: `${source} ${path}`, time }],
  );
  stills.sort((a, b) => (a.film === b.film ? a.time - b.time : a.film < b.film ? -1 : 1));
  const scenes = new Map<string, Scene>();
  let [scene, last]: [Scene, string] = [[0, 0], ''];
  for (const { id, film, time } of stills) {
    if (film !== last || time - scene[1] > MAX_GAP) scene = [time, time];
    [scene[1], last] = [time, film];
    scenes.set(id, scene);
  }
  return scenes;
}

/** Those of other matches of a search that are copies, unless people judged them as different. */
async function copiesAmong(
  application: Compared,
  { id }: Match,
  others: readonly Match[],
  colorWeight: number,
): Promise<ReadonlySet<string>> {
  const { references } = application;
  const apart = await application.apartFrom(id);
  const ids = others.map((each) => each.id).filter((each) => !apart.has(each));
  if (ids.length === 0) return new Set();
  try {
    const search = { dna: await references.dna(id), restriction: { keywords: [], ids }, below: 1, colorWeight };
    const { images } = await references.search({ ...search, page: { start: 0, count: ids.length } });
    return new Set(images.filter(isCopy).map((each) => each.id));
  } catch (cause) {
    if (isFailure(cause, 'UNKNOWN_IMAGE')) return new Set(); // removed meanwhile
    throw cause;
  }
}

/** Whether each picture lies in the other one, or hardly differs from it on types that compare wholes. */
function isCopy({ resultInfo, score }: Match): boolean {
  if (resultInfo !== null && 'decision' in resultInfo) return resultInfo.relation === 'copy';
  return score < MAX_DUPLICATE_SCORE;
}
