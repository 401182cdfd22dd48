import type { Answers, Explanation, WireImage } from './operations.ts';
import type { ResultInfo } from './result-info.ts';

/** A reference picture, as a search or a list shows it. */
export interface Image {
  readonly id: string;
  readonly keywords: readonly string[];
  /** In [0, 1]; 0 is the same picture, and what is no search's result. */
  readonly score: number;
  /** How the picture matches, by type of the application; null where the type has no structure, and outside searches. */
  readonly resultInfo: ResultInfo | null;
  /** Where it was asked for and the type has one. */
  readonly explanation?: Explanation;
}

export interface Found {
  /** All matches, not only those of this page. */
  readonly total: number;
  /** Best first. */
  readonly images: readonly Image[];
  /** With `explain`, when `ids` names one picture alone and it is no match. */
  readonly whyNot?: Explanation & { readonly id: string };
}

/** Narrows what is looked at. */
export interface Narrowing {
  /** Only pictures with all of these. */
  readonly keywords?: readonly string[];
  /** Only among these, at most 10,000. */
  readonly ids?: readonly string[];
}

/** Which part of a long list is wanted. */
export interface Page {
  readonly start?: number;
  /** At most 1,000; the application's default unless given. */
  readonly count?: number;
}

export interface SearchOptions extends Narrowing, Page {
  /** 0 to 100, form to colour; for Image Similarity applications. */
  readonly colorWeight?: number;
  /** Asks for the correspondences behind each result. */
  readonly explain?: boolean;
}

/** A search that restricts itself to no picture has no answer on the wire: there, an empty list is no list. */
export const nothing: Found = { total: 0, images: [] };

export function wireNarrowing({ keywords, ids }: Narrowing) {
  return { keywords, ids_list: ids?.join(';') };
}

export function wireSearch({ colorWeight, explain, start, count, ...narrowing }: SearchOptions) {
  return {
    ...wireNarrowing(narrowing),
    color_weight: colorWeight,
    explain: explain ? 1 : undefined,
    starting_index: start,
    nb_results: count,
  };
}

export function imageOf(image: WireImage & { readonly explanation?: Explanation }): Image {
  const { id, keywords, score, result_info, explanation } = image;
  const resultInfo = result_info === '' ? null : (JSON.parse(result_info) as ResultInfo);
  return { id, keywords, score, resultInfo, ...(explanation && { explanation }) };
}

/** @param answer  of any search: one without a picture explains nothing */
export function foundOf(answer: Answers['query']['SearchImageByUpload']): Found {
  const { nb_results_found: total, images, why_not: whyNot } = answer;
  return { total, images: images.map(imageOf), ...(whyNot && { whyNot }) };
}
