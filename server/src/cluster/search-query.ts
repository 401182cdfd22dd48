import type { QueryTerms } from '@sosia/engine';
import type { Restriction } from '../applications/references.ts';
import type { VoteQuery } from './matcher.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** A term below 2^30 as the cluster stores it: five letters. */
export function termText(term: number): string {
  let text = '';
  for (let shift = 24; shift >= 0; shift -= 6) text += LETTERS[(term >>> shift) & 63];
  return text;
}

/** Leaves out the marks of deleted pictures, which have no terms, keywords or digests either. */
export const PICTURES = { exists: { field: 'id' } };

/** Conditions that a picture must meet; without scores. */
export function filtersOf({ keywords, ids }: Restriction): object[] {
  return [...keywords.map((keyword) => ({ term: { keywords: keyword } })), ...(ids ? [{ terms: { id: ids } }] : [])];
}

/** By score, then by the bytes of the ids. */
const ORDER = [{ _score: 'desc' }, { id: 'asc' }];

/** As `scoreOf` in the engine. Votes and scores are whole and below 2^24, which a float of Lucene holds exactly. */
const SCORE = "Math.floor(1024 * _score / doc['norm'].value)";

/**
 * The shortlist: the pictures with the highest scores, ties by the bytes of their ids.
 * @param query  at least one feature; exact copies are left out
 */
export function shortlistQuery({ variants, digest }: VoteQuery, restriction: Restriction, most: number): object {
  const votes = { dis_max: { queries: variants.filter(({ features }) => features > 0).map(variantQuery) } };
  const bool = { must: [votes], filter: filtersOf(restriction), must_not: [{ term: { digest } }] };
  return {
    size: most,
    min_score: 1,
    track_total_hits: false,
    _source: false,
    docvalue_fields: ['id'],
    sort: ORDER,
    query: { script_score: { query: { bool }, script: { source: SCORE } } },
  };
}

/** The pictures with the DNA of the query, by the bytes of their ids. @param after  an id */
export function copiesQuery(digest: string, restriction: Restriction, most: number, after?: string): object {
  return {
    size: most,
    track_total_hits: false,
    _source: false,
    docvalue_fields: ['id'],
    sort: [{ id: 'asc' }],
    ...(after !== undefined && { search_after: [after] }),
    query: { bool: { filter: [{ term: { digest } }, ...filtersOf(restriction)] } },
  };
}

/** A sum over the features. */
function variantQuery({ features, each, terms, gains }: QueryTerms): object {
  const should = Array.from({ length: features }, (_, feature) => {
    const byGain = new Map<number, string[]>();
    for (let i = each * feature; i < each * (feature + 1); i++) {
      const known = byGain.get(gains[i]!);
      if (known) known.push(termText(terms[i]!));
      else byGain.set(gains[i]!, [termText(terms[i]!)]);
    }
    const queries = Array.from(byGain, ([boost, texts]) => ({
      constant_score: { filter: { terms: { terms: texts } }, boost },
    }));
    return queries.length === 1 ? queries[0]! : { dis_max: { queries } };
  });
  return { bool: { should } };
}
