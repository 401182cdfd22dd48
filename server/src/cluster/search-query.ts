import type { Page, Restriction } from '../applications/references.ts';
import type { TermQuery } from './matcher.ts';

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
export function filtersOf({ keywords, ids, ranges = [] }: Restriction): object[] {
  return [
    ...keywords.map((keyword) => ({ term: { keywords: keyword } })),
    ...ranges.map(([gte, lt]) => ({ range: { keywords: { gte, lt } } })),
    ...(ids ? [{ terms: { id: ids } }] : []),
  ];
}

/** By score, then by the bytes of the ids. */
const ORDER = [{ _score: 'desc' }, { id: 'asc' }];

/** That of `TermRule` in the engine. Votes and scores are whole and below 2^24, which a float of Lucene holds exactly. */
const SCORE = "Math.floor(65536 * _score / doc['norm'].value)";

/** Reads no stored field: the ids are values of the sort. */
const IDS = { track_total_hits: false, _source: false, stored_fields: '_none_' };

/** The score of an exact copy: above all others. */
export const COPY_SCORE = 1 << 24;

/**
 * The exact copies, then the pictures with the highest scores; ties by the bytes of their ids.
 * @param query  has terms
 */
export function bestQuery(terms: TermQuery, restriction: Restriction, most: number): object {
  const copies = { bool: { filter: [{ term: { digest: terms.digest } }, ...filtersOf(restriction)] } };
  const query = {
    bool: { should: [scored(terms, restriction), { constant_score: { filter: copies, boost: COPY_SCORE } }] },
  };
  return { ...IDS, size: most, min_score: 1, sort: ORDER, query };
}

/**
 * The pictures with the highest scores, ties by the bytes of their ids; exact copies are left out.
 * @param query  has terms
 * @param page   of the order
 */
export function shortlistQuery(terms: TermQuery, restriction: Restriction, page: Page): object {
  return { ...IDS, from: page.start, size: page.count, min_score: 1, sort: ORDER, query: scored(terms, restriction) };
}

function scored({ variants, digest }: TermQuery, restriction: Restriction): object {
  const votes = { dis_max: { queries: variants.filter((terms) => terms.length > 0).map(variantQuery) } };
  const bool = { must: [votes], filter: filtersOf(restriction), must_not: [{ term: { digest } }] };
  return { script_score: { query: { bool }, script: { source: SCORE } } };
}

/** The pictures with the DNA of the query, by the bytes of their ids. @param after  an id */
export function copiesQuery(digest: string, restriction: Restriction, most: number, after?: string): object {
  return {
    ...IDS,
    size: most,
    sort: [{ id: 'asc' }],
    search_after: after === undefined ? undefined : [after],
    query: { bool: { filter: [{ term: { digest } }, ...filtersOf(restriction)] } },
  };
}

/** Pictures of any score, by the bytes of their ids; exact copies are left out. */
export function wholeQuery(digest: string, restriction: Restriction, most: number): object {
  const bool = { filter: [PICTURES, ...filtersOf(restriction)], must_not: [{ term: { digest } }] };
  return { ...IDS, size: most, sort: [{ id: 'asc' }], query: { bool } };
}

/** The query with what the votes of its pictures are counted by. */
export function withVotes(query: object): object {
  return { ...query, docvalue_fields: ['norm'], ...bytesOf('beginning') };
}

/** What pictures are compared by, in any order. */
export function recordsQuery(ids: readonly string[]): object {
  const fields = { docvalue_fields: ['id', 'digest'], ...bytesOf('beginning', 'rest') };
  return { ...IDS, size: ids.length, ...fields, query: { bool: { filter: [{ terms: { id: ids } }] } } };
}

/** The values of binary fields. A script gives them as bytes, where `docvalue_fields` would encode them. */
function bytesOf(...fields: string[]): object {
  const scripts = fields.map((field) => [field, { script: `doc['${field}'].value` }] as const);
  return { script_fields: Object.fromEntries(scripts) };
}

/** The number of the terms that a picture has: each counts 1. */
function variantQuery(terms: Uint32Array): object {
  return { match: { terms: Array.from(terms, termText).join(' ') } };
}

/** The last picture that was added or changed first. */
export const ORDER_BY_CHANGE = [{ changed: 'desc' }, { id: 'asc' }];

/** The pictures of one shard whose sequence numbers are behind the first, up to the last one. */
export function changedQuery(first: number, last: number, most: number): object {
  return {
    size: most,
    track_total_hits: false,
    seq_no_primary_term: true,
    _source: ['id'],
    sort: [{ _seq_no: 'asc' }],
    query: { bool: { filter: [PICTURES, { range: { _seq_no: { gt: first, lte: last } } }] } },
  };
}

/** The documents of one shard behind a sequence number, marks of deleted pictures too, with what an index of this process needs. */
export function dnaQuery(behind: number, most: number): object {
  return {
    size: most,
    track_total_hits: false,
    seq_no_primary_term: true,
    _source: ['id', 'keywords'],
    stored_fields: ['dna'],
    sort: [{ _seq_no: 'asc' }],
    query: { range: { _seq_no: { gt: behind } } },
  };
}
