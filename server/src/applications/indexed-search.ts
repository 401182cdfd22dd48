import { isAmong } from '@sosia/engine';
import type { Shards } from '../shards/shards.ts';
import type { Catalogue, Entry } from './catalogue/catalogue.ts';
import { ownKeywords } from './metadata-terms.ts';
import type { Match, Matches, Search } from './references.ts';

/** Pictures that this process compares. A picture that is in the shards but not, or no longer, in the catalogue is never shown. */
export interface IndexedPictures {
  /** Their number in the shards. */
  readonly application: number;
  readonly shards: Shards;
  readonly catalogue: Catalogue;
}

/** A page of all matches, as `References.search` gives it. */
export async function searchIndexed(
  { application, shards, catalogue }: IndexedPictures,
  { dna, restriction, page, below, colorWeight, explain = false, first }: Search,
): Promise<Matches> {
  const only = catalogue.select(restriction);
  const itself = first === undefined ? undefined : catalogue.withId(first);
  const isSelected = itself && (only === null || isAmong(only, itself.number));
  const { found, hits, truncated } = await shards.search({
    application,
    query: dna,
    only,
    pictures: only?.count ?? catalogue.size,
    compare: catalogue.compare,
    first: isSelected ? itself.number : undefined,
    exists: (image) => catalogue.has(image),
    window: { ...page, below },
    explain,
    options: { colorWeight },
  });
  const images = hits.flatMap(({ image, score, resultInfo, explanation }) => {
    const entry = catalogue.withNumber(image);
    return entry ? [{ ...matchOf(entry, score, resultInfo), ...(explanation && { explanation }) }] : [];
  });
  return { found, images, ...(truncated && { truncated }) };
}

/** @param picture  as it is stored */
export function matchOf(
  { id, keywords }: Pick<Entry, 'id' | 'keywords'>,
  score = 0,
  resultInfo: Match['resultInfo'] = null,
): Match {
  const own = ownKeywords(keywords);
  return { id, keywords: own, score, resultInfo, ...(own.length < keywords.length && { hasMetadata: true }) };
}
