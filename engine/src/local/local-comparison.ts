import { type LocalKind, openLocalDna } from '../dna/local.ts';
import {
  type Explained,
  type PairVerdict,
  PREPARED_QUERIES,
  type Verdict,
  type Verified,
  type VerifyOptions,
} from '../partition/partition.ts';
import { type RecordComparison, scoreOf, type StoredReference, type VotedReferences } from '../partition/terms.ts';
import type { Steps } from '../steps.ts';
import { correspond, recordBytes, votesOf } from './index/matching.ts';
import { termsOf } from './index/terms.ts';
import { explanation } from './match/explanation.ts';
import { matchPair, type PairMatch, type PairOptions } from './match/match-pair.ts';
import { type PreparedQuery, prepareQuery, type QueryPlan } from './match/prepared-query.ts';
import { HEAD_BYTES, openRecord } from './match/reference-record.ts';
import { Effort } from './verify/effort.ts';

/** Makes of a match a verdict; undefined where it is not sure enough to be listed. */
export type Decide = (match: PairMatch) => PairVerdict | undefined;

/** Queries, and the records of references compared with them. */
export class LocalComparison implements RecordComparison {
  readonly #kinds: readonly LocalKind[];
  readonly #decide: Decide;
  readonly #options: PairOptions & QueryPlan;
  /** The last searches, the latest at the end. */
  #searches: PreparedQuery[] = [];

  /** @param kinds  of references and of queries */
  constructor(kinds: readonly LocalKind[], decide: Decide, options: PairOptions & QueryPlan) {
    this.#kinds = kinds;
    this.#decide = decide;
    this.#options = options;
  }

  /** All phases of a search bring the same query, which is prepared once. */
  *search(query: Uint8Array): Steps<PreparedQuery> {
    const known = this.#searches.find(({ dna }) => sameBytes(dna.bytes, query));
    if (known) {
      this.#searches = [...this.#searches.filter((search) => search !== known), known];
      return known;
    }
    const dna = openLocalDna(query.slice(), this.#kinds);
    const search = yield* prepareQuery(dna, this.#options);
    this.#searches = [...this.#searches, search].slice(-PREPARED_QUERIES);
    return search;
  }

  *terms(query: Uint8Array): Steps<readonly Uint32Array[]> {
    return (yield* this.search(query)).looked.map(termsOf);
  }

  *votes(query: Uint8Array, { beginnings, lengths, norms }: VotedReferences): Steps<Float64Array> {
    const { looked } = yield* this.search(query);
    const features = Uint16Array.from(lengths, (length) => (length - HEAD_BYTES) / recordBytes(1));
    const read = (into: Uint8Array): void => into.set(beginnings);
    return votesOf(looked, { features, head: HEAD_BYTES, read }).map((votes, i) => scoreOf(votes, norms[i]));
  }

  *verify(
    query: Uint8Array,
    references: Iterable<StoredReference>,
    { explain = false }: VerifyOptions = {},
  ): Steps<Verified> {
    const search = yield* this.search(query);
    const verdicts: Verdict[] = [];
    const explanations: Explained[] = [];
    let spent = 0;
    for (const { image, record, digest } of references) {
      const { reference, features, keypoints } = openRecord(record, image, digest);
      const effort = new Effort();
      const same = digest === search.digest;
      const shared = same ? [] : search.looked.map((entries) => correspond(entries, features, keypoints));
      const match = yield* matchPair(search, reference, shared, this.#options, effort);
      const verdict = match && this.#decide(match);
      if (verdict) verdicts.push({ image, ...verdict });
      if (explain) explanations.push({ image, explanation: explanation(match, verdict, shared) });
      spent += effort.spent;
      yield;
    }
    return { verdicts, effort: spent, ...(explain && { explanations }) };
  }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
