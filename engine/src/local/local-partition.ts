import { KEYPOINT, keypointsOf, type LocalKind, openLocalDna } from '../dna/local.ts';
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
import { scoreOf } from '../partition/terms.ts';
import { Slots } from '../partition/slots.ts';
import type { Steps } from '../steps.ts';
import { withInverted } from './features/inverted.ts';
import { packedPlaces } from './index/correspondences.ts';
import { correspond, type FeatureRecord, recordOf, votesOf } from './index/matching.ts';
import { TermLists } from './index/term-lists.ts';
import { lookUp, termQueryOf, termsOf } from './index/terms.ts';
import { explanation } from './match/explanation.ts';
import { matchPair, type PairMatch, type PairOptions } from './match/match-pair.ts';
import { type PreparedQuery, prepareQuery, type QueryPlan } from './match/prepared-query.ts';
import { type Reference, referenceOf } from './match/reference.ts';
import { Effort } from './verify/effort.ts';

/** Removed pictures are swept out of the index when there are this many of them, and a quarter of all. */
const SWEEP = 32;
/** References whose votes are counted in one piece of work: less than a millisecond. */
const PIECE = 250;

/** What is held of a picture. */
interface Held {
  readonly reference: Reference;
  readonly record: FeatureRecord;
  /** As in the DNA, of the features of the record. */
  readonly keypoints: Uint8Array;
}

/** Turns a match into a verdict; undefined where it is not sure enough to be listed. */
export type Decide = (match: PairMatch) => PairVerdict | undefined;

/** Reference pictures found by their local features. */
export class LocalPartition implements Partition {
  readonly #kinds: readonly LocalKind[];
  readonly #decide: Decide;
  readonly #options: PairOptions & QueryPlan;
  readonly #lists = new TermLists();
  readonly #slots = new Slots<Held>();
  /** By slot what its votes are divided by, see `ReferenceTerms`. */
  #norms = new Uint16Array(64);
  /** Bytes of the records. */
  #bytes = 0;
  readonly #byDigest = new Map<string, Set<ImageNumber>>();
  /** Slots of removed pictures that are still in the lists. */
  readonly #removed: number[] = [];
  /** The last searches, the latest at the end. */
  #searches: PreparedQuery[] = [];

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
    return this.#lists.bytes + this.#bytes;
  }

  add(image: ImageNumber, block: Uint8Array): void {
    const dna = openLocalDna(block, this.#kinds);
    const searched = dna.kind === 'brand-drawing-reference' ? withInverted(dna) : dna;
    const reference = referenceOf(dna, this.#options.guided, searched);
    const looked = lookUp().reference(searched);
    const { terms, norm } = termsOf(looked);
    const record = recordOf(looked);
    const keypoints = reference.sketch?.keypoints ?? searched.keypoints.slice();
    const slot = this.#slots.put(image, { reference, record, keypoints });
    if (slot >= this.#norms.length) {
      const norms = new Uint16Array(2 * slot);
      norms.set(this.#norms);
      this.#norms = norms;
    }
    this.#norms[slot] = norm;
    this.#lists.add(slot, terms);
    this.#bytes += record.length;
    const same = this.#byDigest.get(reference.digest);
    if (same) same.add(image);
    else this.#byDigest.set(reference.digest, new Set([image]));
  }

  *remove(image: ImageNumber): Steps<void> {
    const taken = this.#slots.take(image);
    if (!taken) return;
    const { digest } = taken.value.reference;
    this.#bytes -= taken.value.record.length;
    const same = this.#byDigest.get(digest)!;
    same.delete(image);
    if (same.size === 0) this.#byDigest.delete(digest);
    this.#removed.push(taken.slot);
    if (this.#removed.length < SWEEP || this.#removed.length < this.count / 4) return;
    yield* this.#lists.remove(this.#removed);
    this.#slots.release(this.#removed.splice(0));
  }

  *candidates(query: Uint8Array, only: Uint32Array | null, limit: number): Steps<Candidate[]> {
    const { digest, variants } = yield* this.#search(query);
    const searched = only ? this.#slots.slotsOf(only) : this.#slots.used;
    const entries = variants.map((variant) => variant.entries);
    const counted = yield* this.#lists.votes(entries.map(termQueryOf), this.#slots.end);
    const scores = new Float64Array(counted.length);
    for (const slot of searched) scores[slot] = scoreOf(counted[slot], this.#norms[slot]);
    const same = new Set(this.#slots.slotsOf(this.#byDigest.get(digest) ?? []));
    const copies = same.size > 0 ? searched.filter((slot) => same.has(slot)) : [];
    for (const slot of copies) scores[slot] = 0;
    const best = mostVoted(scores, limit);
    const others: Candidate[] = [];
    for (let start = 0; start < best.length; start += PIECE) {
      const held = Array.from(best.subarray(start, start + PIECE), (slot) => ({ slot, ...this.#slots.at(slot)! }));
      const records = held.map(({ value }) => value.record);
      votesOf(entries, records).forEach((votes, i) => {
        const { slot, image } = held[i];
        others.push({ image, votes: scoreOf(votes, this.#norms[slot]), score: scores[slot], exact: false });
      });
      yield;
    }
    others.sort((a, b) => b.votes - a.votes || a.image - b.image);
    const [first] = copies;
    if (first === undefined) return others;
    // of all copies, since their features are the same
    const votes = scoreOf(votesOf(entries, [this.#slots.at(first)!.value.record])[0], this.#norms[first]);
    return [...Array.from(copies, (slot) => ({ image: this.#slots.at(slot)!.image, votes, exact: true })), ...others];
  }

  *verify(query: Uint8Array, images: readonly ImageNumber[], { explain = false }: VerifyOptions = {}): Steps<Verified> {
    const search = yield* this.#search(query);
    const verdicts: Verdict[] = [];
    const explanations: Explained[] = [];
    let spent = 0;
    for (const image of images) {
      const slot = this.#slots.slotOf(image);
      if (slot === undefined) continue;
      const { reference, record, keypoints } = this.#slots.at(slot)!.value;
      const effort = new Effort();
      const same = reference.digest === search.digest;
      const places = packedPlaces(keypointsOf({ count: keypoints.length / KEYPOINT, keypoints }));
      const shared = same ? [] : search.variants.map(({ entries }) => correspond(entries, record, places));
      const match = yield* matchPair(search, reference, shared, this.#options, effort);
      const verdict = match && this.#decide(match);
      if (verdict) verdicts.push({ image, ...verdict });
      if (explain) explanations.push({ image, explanation: explanation(match, verdict, shared) });
      spent += effort.spent;
      yield;
    }
    return { verdicts, effort: spent, ...(explain && { explanations }) };
  }

  /** Both phases of a search bring the same query, which is prepared once. */
  *#search(query: Uint8Array): Steps<PreparedQuery> {
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
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
