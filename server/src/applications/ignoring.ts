import type { Match, Matches, References, Search } from './references.ts';

/** What the ignore list of an application takes of a query. */
export interface Ignoring {
  /** Ids of the ignored pictures that the query shows. */
  readonly shown: readonly string[];
  /** The query without their places; undefined where nothing is left. */
  readonly rest: Uint8Array | undefined;
}

export interface IgnoringOptions {
  readonly ignoring: Ignoring | undefined;
  /** Whether pictures that match only by ignored ones are listed, too. */
  readonly listed?: boolean;
  /** The reference picture that is the query; it matches itself. */
  readonly itself?: string;
}

export interface MarkedMatches extends Matches {
  readonly images: readonly (Match & { readonly ignored?: true })[];
}

const MAX_RESULTS = 1_000_000;

/**
 * A search whose matches have more in common with the query than ignored pictures: each matches the rest of the query, too.
 * Scores and places are those of the whole query. Comparing boxes would not do: the box of a match is its whole overlap, wherever
 * the evidence is.
 */
export async function searchIgnoring(
  references: Pick<References, 'search'>,
  search: Search,
  { ignoring, listed = false, itself }: IgnoringOptions,
): Promise<MarkedMatches> {
  if (!ignoring) return references.search(search);
  const { ids } = search.restriction;
  const left = new Set<string>();
  if (itself !== undefined && (ids?.includes(itself) ?? true)) left.add(itself);
  if (ignoring.rest) {
    const { images } = await references.search({
      ...search,
      dna: ignoring.rest,
      explain: false,
      below: 1,
      page: { start: 0, count: MAX_RESULTS },
    });
    for (const image of images) if (!isRejection(image.resultInfo)) left.add(image.id);
  }
  if (listed) {
    const matches = await references.search(search);
    return {
      ...matches,
      images: matches.images.map((image) => (left.has(image.id) ? image : { ...image, ignored: true })),
    };
  }
  if (left.size === 0) return { found: 0, images: [] };
  return references.search({ ...search, restriction: { ...search.restriction, ids: [...left] } });
}

/** Whether the pictures have something in common that is no match. */
function isRejection(resultInfo: Match['resultInfo']): boolean {
  return resultInfo !== null && 'decision' in resultInfo && resultInfo.decision.startsWith('Rejection');
}
