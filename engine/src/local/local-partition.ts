import { type LocalKind, openLocalDna } from '../dna/local.ts';
import {
  type Candidate,
  type Explained,
  type ImageNumber,
  type Partition,
  type PairVerdict,
  PREPARED_QUERIES,
  type Verdict,
  type Verified,
  type VerifyOptions,
} from '../partition/partition.ts';
import { mostVoted } from '../partition/shortlist.ts';
import { Slots } from '../partition/slots.ts';
import type { Steps } from '../steps.ts';
import type { Correspondences } from './index/correspondences.ts';
import { withInverted } from './features/inverted.ts';
import { InvertedIndex } from './index/inverted-index.ts';
import { explanation } from './match/explanation.ts';
import { matchPair, type PairMatch, type PairOptions } from './match/match-pair.ts';
import { type PreparedQuery, prepareQuery, type QueryPlan } from './match/prepared-query.ts';
import { type Reference, referenceOf } from './match/reference.ts';
import { Effort } from './verify/effort.ts';

/** Pictures with fewer features than this get no more votes for being small: the root of their number. */
const LEAST_NORM = 8;
/** Removed pictures are swept out of the index when there are this many of them, and a quarter of all. */
const SWEEP = 32;
/** Pictures whose correspondences are gathered at once where that takes another scan of the lists. */
const AHEAD = 250;

/** A query, and what the search has found for it so far. */
interface Search extends PreparedQuery {
  /** The slots with most votes, which may be verified next, best first. */
  shortlist: readonly number[];
  /** By slot, in the order of the variants; where the index does not keep the hits. */
  gathered: ReadonlyMap<number, readonly Correspondences[]>;
}

/** Turns a match into a verdict; undefined where it is not sure enough to be listed. */
export type Decide = (match: PairMatch) => PairVerdict | undefined;

/** Reference pictures found by their local features. */
export class LocalPartition implements Partition {
  readonly #kinds: readonly LocalKind[];
  readonly #decide: Decide;
  readonly #options: PairOptions & QueryPlan;
  readonly #index = new InvertedIndex();
  readonly #slots = new Slots<Reference>();
  /** What the votes of a slot are divided by, see `burstNorm`. */
  readonly #divisors: number[] = [];
  readonly #byDigest = new Map<string, Set<ImageNumber>>();
  /** Slots of removed pictures that are still in the index. */
  readonly #removed: number[] = [];
  /** The last searches, the latest at the end. */
  #searches: Search[] = [];

  /** @param kinds  of references and of queries */
  constructor(kinds: readonly LocalKind[], decide: Decide, options: PairOptions & QueryPlan = {}) {
    this.#kinds = kinds;
    this.#decide = decide;
    this.#options = options;
  }

  get count(): number {
    return this.#slots.count;
  }

  get bytes(): number {
    return this.#index.bytes;
  }

  add(image: ImageNumber, block: Uint8Array): void {
    const dna = openLocalDna(block, this.#kinds);
    const searched = dna.kind === 'brand-drawing-reference' ? withInverted(dna) : dna;
    const reference = referenceOf(dna, this.#options.guided, searched);
    const slot = this.#slots.put(image, reference);
    this.#divisors[slot] = Math.max(LEAST_NORM, this.#index.add(slot, searched));
    const same = this.#byDigest.get(reference.digest);
    if (same) same.add(image);
    else this.#byDigest.set(reference.digest, new Set([image]));
  }

  *remove(image: ImageNumber): Steps<void> {
    const taken = this.#slots.take(image);
    if (!taken) return;
    const { digest } = taken.value;
    const same = this.#byDigest.get(digest)!;
    same.delete(image);
    if (same.size === 0) this.#byDigest.delete(digest);
    this.#removed.push(taken.slot);
    if (this.#removed.length < SWEEP || this.#removed.length < this.count / 4) return;
    yield* this.#index.remove(this.#removed);
    this.#searches = [];
    this.#slots.release(this.#removed.splice(0));
  }

  *candidates(query: Uint8Array, only: Uint32Array | null, limit: number): Steps<Candidate[]> {
    const search = yield* this.#search(query);
    const allowed = only && this.#slots.slotsOf(only);
    const counted = yield* this.#index.votes(search.entries, allowed, this.#slots.end);
    const searched = allowed ?? this.#slots.used;
    const votes = new Float64Array(counted.length);
    for (const slot of searched) votes[slot] = Math.floor((64 * counted[slot]) / this.#divisors[slot]);
    const candidate = (slot: number, exact: boolean): Candidate => {
      return { image: this.#slots.at(slot)!.image, votes: votes[slot], exact };
    };
    const same = new Set(this.#slots.slotsOf(this.#byDigest.get(search.digest) ?? []));
    const copies = same.size > 0 ? searched.filter((slot) => same.has(slot)) : [];
    const exact = Array.from(copies, (slot) => candidate(slot, true));
    for (const slot of copies) votes[slot] = 0;
    const best = mostVoted(votes, limit);
    search.shortlist = Array.from(best.subarray(0, limit));
    const others = Array.from(best, (slot) => candidate(slot, false));
    others.sort((a, b) => b.votes - a.votes || a.image - b.image);
    return [...exact, ...others];
  }

  *verify(query: Uint8Array, images: readonly ImageNumber[], { explain = false }: VerifyOptions = {}): Steps<Verified> {
    const search = yield* this.#search(query);
    const held = images.flatMap((image) => {
      const slot = this.#slots.slotOf(image);
      return slot === undefined ? [] : [{ image, slot, reference: this.#slots.at(slot)!.value }];
    });
    const compared = held.filter(({ reference }) => reference.digest !== search.digest).map(({ slot }) => slot);
    const found = yield* this.#correspondences(search, compared);
    const verdicts: Verdict[] = [];
    const explanations: Explained[] = [];
    let spent = 0;
    for (const { image, slot, reference } of held) {
      const effort = new Effort();
      const shared = found.get(slot) ?? [];
      const match = yield* matchPair(search, reference, shared, this.#options, effort);
      const verdict = match && this.#decide(match);
      if (verdict) verdicts.push({ image, ...verdict });
      if (explain) explanations.push({ image, explanation: explanation(match, verdict, shared) });
      spent += effort.spent;
      yield;
    }
    return { verdicts, effort: spent, ...(explain && { explanations }) };
  }

  /**
   * What a query has in common with some slots, variant by variant. Where the index does not keep the hits, they are
   * gathered for the next of the shortlist as well.
   */
  *#correspondences(search: Search, slots: readonly number[]): Steps<Search['gathered']> {
    const { entries, variants, shortlist, gathered } = search;
    const missing = slots.filter((slot) => !gathered.has(slot));
    if (missing.length === 0) return gathered;
    const keeps = this.#index.keeps(entries);
    const first = shortlist.findIndex((slot) => missing.includes(slot));
    const ahead = keeps || first < 0 ? [] : shortlist.slice(first, first + AHEAD);
    const wanted = [...new Set([...slots, ...ahead])];
    const found: Correspondences[][] = [];
    for (const { variant } of variants) found.push(yield* this.#index.correspondences(entries, variant, wanted));
    const shared = new Map(wanted.map((slot, k) => [slot, found.map((each) => each[k])]));
    if (!keeps) search.gathered = shared;
    return shared;
  }

  /** Both phases of a search bring the same query, which is prepared once. */
  *#search(query: Uint8Array): Steps<Search> {
    const known = this.#searches.find(({ dna }) => sameBytes(dna.bytes, query));
    if (known) {
      this.#searches = [...this.#searches.filter((search) => search !== known), known];
      return known;
    }
    const dna = openLocalDna(query.slice(), this.#kinds);
    const prepared = yield* prepareQuery(dna, this.#index, this.#options);
    const search = { ...prepared, shortlist: [], gathered: new Map() };
    this.#searches = [...this.#searches, search].slice(-PREPARED_QUERIES);
    return search;
  }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
