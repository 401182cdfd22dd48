/** A reference picture, as a search or a list shows it. */
export interface Image {
  readonly id: string;
  readonly keywords: readonly string[];
  /** In [0, 1]; 0 is the same picture, and what is no search's result. */
  readonly score: number;
  /** What the type of the application tells of a match; null where it tells nothing. */
  readonly resultInfo: unknown;
  /** Where it was asked for and the type has one. */
  readonly explanation?: Explanation;
}

/** What stands behind a match, or the lack of one. */
export interface Explanation {
  /** Empty for a match, else why it is none. */
  readonly reason: string;
  /** Features that look alike, wherever they lie. */
  readonly alike: number;
  /** Those that agree on where the reference lies; places are fractions of width and height. */
  readonly correspondences: readonly {
    readonly query: readonly [x: number, y: number];
    readonly reference: readonly [x: number, y: number];
    /** 0 to 22 bits of 64. */
    readonly distance: number;
  }[];
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

interface WireImage {
  readonly id: string;
  readonly keywords: string[];
  readonly score: number;
  readonly result_info: string;
  readonly explanation?: Explanation;
}

export function imageOf({ id, keywords, score, result_info, explanation }: WireImage): Image {
  const resultInfo: unknown = result_info === '' ? null : JSON.parse(result_info);
  return { id, keywords, score, resultInfo, ...(explanation && { explanation }) };
}

export function foundOf(answer: {
  nb_results_found: number;
  images: WireImage[];
  why_not?: Explanation & { id: string };
}): Found {
  const { nb_results_found: total, images, why_not: whyNot } = answer;
  return { total, images: images.map(imageOf), ...(whyNot && { whyNot }) };
}
