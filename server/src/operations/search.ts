import type { Answers, Image, ResultInfo } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import type { Match, Matches, Page, Restriction, Search } from '../applications/references.ts';

/** The parameters that restrict an operation to some of the pictures. */
interface Selection {
  readonly keywords: readonly string[];
  readonly ids_list?: readonly string[];
}

/** The parameters that choose a part of a list. */
interface Paging {
  readonly starting_index: number;
  readonly nb_results?: number;
}

interface Query extends Selection, Paging {
  readonly explain: number;
  /** Per cent. */
  readonly color_weight?: number;
}

type Found = Answers['enginequery']['SearchImageByKeywords'];
type Explained = Answers['enginequery']['SearchImageByUpload'];

/** Common to all searches with a picture. */
export async function search(application: Application, dna: Uint8Array, query: Query): Promise<Explained> {
  const found = await application.references.search(searchOf(application, dna, query));
  const answer: Explained = { ...wirePage(found), ...(found.truncated && { truncated: true }) };
  return query.explain === 1 ? explained(application, dna, query.ids_list, answer) : answer;
}

/**
 * The same answer with the correspondences of each picture of the page, and the reason if the only selected picture did
 * not match.
 */
async function explained(
  application: Application,
  dna: Uint8Array,
  ids: readonly string[] | undefined,
  answer: Explained,
): Promise<Explained> {
  const images: Explained['images'][number][] = [];
  for (const image of answer.images) {
    const explanation = await application.references.explain(dna, image.id);
    const reason = explanation?.reason || (isRejection(image) ? WEAKER : '');
    images.push({ ...image, ...(explanation && { explanation: { ...explanation, reason } }) });
  }
  const [id, ...others] = ids ?? [];
  const missed = id !== undefined && others.length === 0 && answer.nb_results_found === 0;
  const why = missed && (await application.references.explain(dna, id));
  return { ...answer, images, ...(why && { why_not: { id, ...why } }) };
}

/** A match alone, but not among the other results. */
const WEAKER = 'another reference has far more evidence at the same place';

function isRejection({ result_info }: Image): boolean {
  return result_info.includes('"decision":"Rejection');
}

/** The search parameters of a query, with the defaults of the application. */
export function searchOf(
  application: Application,
  dna: Uint8Array,
  query: Selection & Paging & { readonly color_weight?: number },
): Search {
  const { defaults, traits } = application;
  const weight = (traits.colorWeight ? query.color_weight : undefined) ?? defaults.colorWeight;
  return {
    dna,
    restriction: restriction(query),
    page: pageOf(application, query),
    below: defaults.retrievalThreshold,
    colorWeight: weight / 100,
  };
}

export function restriction({ keywords, ids_list }: Selection): Restriction {
  return { keywords, ids: ids_list ?? null };
}

export function pageOf({ defaults }: Application, query: Paging): Page {
  return { start: query.starting_index, count: query.nb_results ?? defaults.nbResults };
}

export function wirePage({ found, images }: Matches): Found {
  return { nb_results_found: found, images: images.map(wireImage) };
}

/** A picture under the names of the interface. */
export function wireImage({ id, score, keywords, resultInfo }: Match): Image {
  return { keywords, score, id, result_info: resultInfo ? textOf(resultInfo) : '' };
}

/** The engine's structures must equal those of the contract; clients expect them as JSON text. */
function textOf(resultInfo: ResultInfo): string {
  return JSON.stringify(resultInfo);
}
