import type { Answers, Explanation, WireImage } from './operations.generated.ts';
import type { Metadata } from './metadata.ts';
import type { ResultInfo } from './result-info.generated.ts';

/** A reference picture in a search result or a list. */
export interface Image {
  readonly id: string;
  readonly keywords: readonly string[];
  /** In [0, 1]; 0 is the same picture, and the value outside of searches. */
  readonly score: number;
  /** What it shares with the query in per cent, 100 for the same picture; only in results of searches with a picture or colours. */
  readonly similarity?: number;
  /**
   * How the picture matches, by type of the application; null for types without a structure, and outside of searches.
   */
  readonly resultInfo: ResultInfo | null;
  /** Whether the picture matches only by one of the ignore list; such pictures are listed only if requested. */
  readonly ignored?: true;
  /** Where the picture lies, if a source brought it. */
  readonly origin?: NonNullable<WireImage['origin']>;
  /** Absent if the picture has none. */
  readonly metadata?: Metadata;
  /** If requested, and if the type has one. */
  readonly explanation?: Explanation;
  /** With `fold`, the further matches that are copies of it, if there are any. */
  readonly copies?: readonly Image[];
}

export interface Found {
  /** All matches, not only those of this page; `copies` count. */
  readonly total: number;
  /** Best first. */
  readonly images: readonly Image[];
  /** Ids of the pictures of the ignore list that the query shows, if it shows any. */
  readonly ignored?: readonly string[];
  /** With `explain`, if `ids` has one picture only and it does not match. */
  readonly whyNot?: Explanation & { readonly id: string };
}

/** Restrictions of a search or a list. */
export interface Narrowing {
  /** Only pictures with all of these. */
  readonly keywords?: readonly string[];
  /** Only these, at most 10,000. */
  readonly ids?: readonly string[];
  /** Only pictures whose metadata match all of these conditions, such as `year>=2020`; see docs/search.md. */
  readonly where?: readonly string[];
}

/** The requested part of a long list. */
export interface Page {
  readonly start?: number;
  /** At most 1,000; the application's default if missing. */
  readonly count?: number;
}

export interface SearchOptions extends Narrowing, Page {
  /** 0 to 100, shape to colour; for Image Similarity applications. */
  readonly colorWeight?: number;
  /** Requests the correspondences behind each result. */
  readonly explain?: boolean;
  /** Leaves out pictures that a review judged not to match this query. */
  readonly verdicts?: boolean;
  /** Lists pictures that match only by one of the ignore list, too, each with `ignored`. */
  readonly ignored?: boolean;
  /** Requests `similarity` in each result. */
  readonly similarity?: boolean;
  /** Lists copies of one picture as one result, the further ones in its `copies`; `start` and `count` count results, at most the first 1,000. */
  readonly fold?: boolean;
}

/** The result of a search in no picture. It needs no request, because the interface ignores an empty list. */
export const nothing: Found = { total: 0, images: [] };

export function wireNarrowing({ keywords, ids, where }: Narrowing) {
  return { keywords, ids_list: ids?.join(';'), where };
}

export function wireSearch({
  colorWeight,
  explain,
  similarity,
  fold,
  verdicts: _verdicts,
  ignored: _ignored,
  start,
  count,
  ...narrowing
}: SearchOptions) {
  return {
    ...wireNarrowing(narrowing),
    color_weight: colorWeight,
    explain: explain ? 1 : undefined,
    similarity: similarity ? 1 : undefined,
    fold: fold ? 1 : undefined,
    starting_index: start,
    nb_results: count,
  };
}

/** Of searches with a picture. */
export function wireVerdicts({ verdicts, ignored }: SearchOptions) {
  return { verdicts: verdicts ? 1 : undefined, ignored: ignored ? 1 : undefined };
}

type WireResult = WireImage & { readonly explanation?: Explanation; readonly copies?: readonly WireResult[] };

export function imageOf(image: WireResult): Image {
  const { id, keywords, score, similarity, ignored, origin, metadata, result_info, explanation, copies } = image;
  const resultInfo = result_info === '' ? null : (JSON.parse(result_info) as ResultInfo);
  return {
    id,
    keywords,
    score,
    resultInfo,
    ...(similarity !== undefined && { similarity }),
    ...(ignored && { ignored }),
    ...(origin && { origin }),
    ...(metadata && { metadata }),
    ...(explanation && { explanation }),
    ...(copies && { copies: copies.map(imageOf) }),
  };
}

/** @param answer  of any search; a search without a picture explains nothing */
export function foundOf(answer: Answers['query']['SearchImageByUpload']): Found {
  const { nb_results_found: total, images, ignored, why_not: whyNot } = answer;
  return { total, images: images.map(imageOf), ...(ignored && { ignored }), ...(whyNot && { whyNot }) };
}
