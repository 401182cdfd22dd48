import type { Answers, Condition, Image, Metadata, Origin, ResultInfo } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import { foldedPage } from '../applications/folding.ts';
import type { Folded, FoldedMatches } from '../applications/folding.ts';
import { searchIgnoring } from '../applications/ignoring.ts';
import type { IgnoringOptions, MarkedMatches } from '../applications/ignoring.ts';
import type { Match, Page, Restriction, Search } from '../applications/references.ts';
import { wantedOf } from '../applications/metadata-terms.ts';

/** The parameters that restrict an operation to some of the pictures. */
interface Selection {
  readonly keywords: readonly string[];
  readonly ids_list?: readonly string[];
  readonly where?: readonly Condition[];
}

/** The parameters that choose a part of a list. */
interface Paging {
  readonly starting_index: number;
  readonly nb_results?: number;
}

interface Query extends Selection, Paging {
  readonly fold: number;
  readonly explain: number;
  readonly similarity: number;
  readonly verdicts: number;
  readonly ignored?: number;
  /** Per cent. */
  readonly color_weight?: number;
}

type Explained = Answers['enginequery']['SearchImageByUpload'];

/**
 * Common to all searches with a picture.
 * @param itself  id of the reference picture that is the query
 */
export async function search(
  application: Application,
  dna: Uint8Array,
  query: Query,
  itself?: string,
): Promise<Explained> {
  const except =
    query.verdicts === 1 ? await application.apartFrom(itself ?? application.nameOf(dna)) : new Set<string>();
  const ignoring = await application.ignoring(dna);
  const options = { ignoring, listed: query.ignored === 1, ...(itself !== undefined && { itself }) };
  const wanted = { ...searchOf(application, dna, query), ...(itself !== undefined && { first: itself }) };
  const found = await resultsOf(application, wanted, query.fold, (page) =>
    foundExcept(application, { ...wanted, page }, except, options),
  );
  const listed = found.images.flatMap(withCopies);
  if (itself === undefined) application.countMatches(listed.filter(({ ignored }) => !ignored));
  const answer: Explained = {
    ...(await wirePage(application, found, query.similarity === 1)),
    ...(found.truncated && { truncated: true }),
    ...(ignoring && { ignored: [...ignoring.shown] }),
  };
  const why = query.explain === 1 && (await whyNot(application, dna, query, answer));
  return why ? { ...answer, why_not: why } : answer;
}

/** @param list  gives a part of all matches */
export async function resultsOf(
  application: Application,
  wanted: Search,
  fold: number,
  list: (page: Page) => Promise<MarkedMatches>,
): Promise<FoldedMatches> {
  return fold === 1 ? foldedPage(application, wanted, list) : list(wanted.page);
}

function withCopies(match: Folded): Folded[] {
  return [match, ...(match.copies ?? [])];
}

/** Why the only selected picture did not match; undefined where it did, or there is no such picture. */
async function whyNot(
  application: Application,
  dna: Uint8Array,
  query: Query,
  answer: Explained,
): Promise<Explained['why_not']> {
  const [id, ...others] = query.ids_list ?? [];
  if (id === undefined || others.length > 0 || answer.nb_results_found > 0) return undefined;
  const why = await application.references.explain(dna, id);
  if (!why) return undefined;
  const alone = searchOf(application, dna, { ...query, explain: 0, starting_index: 0 });
  const onlyIgnored = answer.ignored && (await application.references.search(alone)).found > 0;
  return { id, ...why, ...(onlyIgnored && { reason: IGNORED_REASON }) };
}

/** A match alone, but not among the other results. */
const WEAKER_REASON = 'another reference has far more evidence at the same place';

const IGNORED_REASON = 'the pictures have only a picture of the ignore list in common';

async function foundExcept(
  { references }: Application,
  search: Search,
  except: ReadonlySet<string>,
  options: IgnoringOptions,
): Promise<MarkedMatches> {
  const run = (part: Partial<Search>) => searchIgnoring(references, { ...search, ...part }, options);
  if (except.size === 0) return run({});
  const { start, count } = search.page;
  const all = await run({ page: { start: 0, count: start + count + except.size } });
  const ids = [...except].filter((id) => search.restriction.ids?.includes(id) ?? true);
  const excepted = ids.length > 0 ? (await run({ restriction: { ...search.restriction, ids } })).found : 0;
  const images = all.images.filter(({ id }) => !except.has(id)).slice(start, start + count);
  return { ...all, found: all.found - excepted, images };
}

/** The search parameters of a query, with the defaults of the application. */
export function searchOf(
  application: Application,
  dna: Uint8Array,
  query: Selection & Paging & { readonly color_weight?: number; readonly explain?: number },
): Search {
  const { defaults, traits } = application;
  const weight = (traits.colorWeight ? query.color_weight : undefined) ?? defaults.colorWeight;
  return {
    dna,
    restriction: restriction(query),
    page: pageOf(application, query),
    below: defaults.retrievalThreshold,
    colorWeight: weight / 100,
    explain: query.explain === 1,
  };
}

export function restriction({ keywords, ids_list, where = [] }: Selection): Restriction {
  return { ...wantedOf(keywords, where), ids: ids_list ?? null };
}

export function pageOf({ defaults }: Application, query: Paging): Page {
  return { start: query.starting_index, count: query.nb_results ?? defaults.nbResults };
}

/** @param scored  whether each picture shall have its similarity */
export async function wirePage(
  application: Application,
  { found, images }: FoldedMatches,
  scored = false,
): Promise<Pick<Explained, 'nb_results_found' | 'images'>> {
  const annotations = await annotationsOf(application, images.flatMap(withCopies));
  const shown = ({ copies, scene, ...match }: Folded): Explained['images'][number] => ({
    ...wireImage(match, annotations, scene),
    ...(scored && { similarity: application.similarityOf(match) }),
    ...explained(match),
    ...(copies && { copies: copies.map(shown) }),
  });
  return { nb_results_found: found, images: images.map(shown) };
}

/** Origins and metadata of pictures, by id. */
interface Annotations {
  readonly origins: ReadonlyMap<string, Origin>;
  readonly metadata: ReadonlyMap<string, Metadata>;
}

export async function annotationsOf(application: Application, matches: readonly Match[]): Promise<Annotations> {
  const having = matches.filter(({ hasMetadata }) => hasMetadata).map(({ id }) => id);
  const [origins, metadata] = await Promise.all([
    application.originsOf(matches.map(({ id }) => id)),
    having.length > 0 ? application.references.metadata(having) : new Map<string, Metadata>(),
  ]);
  return { origins, metadata };
}

/** A picture under the names of the interface. */
export function wireImage(
  match: MarkedMatches['images'][number],
  annotations: Annotations,
  interval?: Folded['scene'],
): Image {
  const { id, score, keywords, resultInfo, ignored } = match;
  const info = resultInfo ? textOf(resultInfo) : '';
  const [origin, metadata] = [annotations.origins.get(id), annotations.metadata.get(id)];
  return {
    keywords,
    score,
    id,
    ...(ignored && { ignored }),
    ...(origin && { origin: interval ? { ...origin, interval } : origin }),
    ...(metadata && { metadata }),
    result_info: info,
  };
}

function explained({ explanation, resultInfo }: MarkedMatches['images'][number]) {
  if (!explanation) return {};
  const isMatch = resultInfo && 'decision' in resultInfo && /^(Clone|Match)$/.test(resultInfo.decision);
  return { explanation: { ...explanation, reason: explanation.reason || (isMatch ? '' : WEAKER_REASON) } };
}

/** The engine's structures must equal those of the contract; clients expect them as JSON text. */
function textOf(resultInfo: ResultInfo): string {
  return JSON.stringify(resultInfo);
}
