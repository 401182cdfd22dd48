import { coreOf, keypointsOf, type LocalDna, type LocalKind, openLocalDna } from '../dna/local.ts';
import { digest } from '../dna/digest.ts';
import type { Correspondences } from './index/correspondences.ts';
import { type Asking, InvertedIndex, type Question } from './index/inverted-index.ts';
import { Slots } from '../partition/slots.ts';
import type { Steps } from '../steps.ts';
import { Effort } from './verify/effort.ts';
import { explained } from './match/explanation.ts';
import { mostVoted } from '../partition/shortlist.ts';
import {
  type Candidate,
  type Explanation,
  type ImageNumber,
  type Partition,
  QUESTIONS,
  type Verdict,
  type Verified,
} from '../partition/partition.ts';
import {
  exactPlacement,
  type Extent,
  type Finding,
  type Instances,
  type Judge,
  placements,
  type Sighting,
} from './match/match-pair.ts';
import { type View, viewOf } from './match/variant.ts';
import { sketchOf } from './verify/guided-matching.ts';

/** Pictures with fewer features than this get no more votes for being small. */
const FEW_FEATURES = 64;
/** Lists are swept once this many pictures, and a quarter of all, are gone. */
const SWEEP = 32;
/** Pictures whose correspondences are gathered at once where that takes another walk through the lists. */
const AHEAD = 250;

interface Asked {
  readonly dna: LocalDna;
  readonly digest: string;
  readonly question: Question;
  /** The slots it may be verified against next, most promising first. */
  promising: readonly number[];
  /** By slot, in the order of the guises; where hits are not kept. */
  gathered: ReadonlyMap<number, readonly Correspondences[]>;
}

interface Reference extends Extent {
  readonly digest: string;
}

/** How closely pictures are looked at. */
export interface Looking {
  /** Where a reference is looked for in more than one place. */
  readonly instances?: Instances;
  /** Whether a second look follows the first; it takes 14 bytes a feature of memory. */
  readonly twice?: boolean;
  /** Whether references may be seen from far aside, see `align`. */
  readonly tilted?: boolean;
  /** The guises in which references are looked for; as it is and in the mirror unless given. */
  readonly asking?: Asking;
}

/** Reference pictures found again by their local features. */
export class LocalPartition implements Partition {
  readonly #kinds: readonly LocalKind[];
  readonly #judge: Judge;
  readonly #finding: Finding;
  readonly #twice: boolean;
  readonly #asking: Asking | undefined;
  readonly #index = new InvertedIndex();
  readonly #slots = new Slots<Reference>();
  /** What the votes of a slot are divided by: the root of its features. */
  readonly #divisors: number[] = [];
  readonly #byDigest = new Map<string, Set<ImageNumber>>();
  readonly #gone: number[] = [];
  /** The last questions, the latest at the end. */
  #asked: Asked[] = [];

  /**
   * @param kinds  the reference's, and those that may be asked with
   */
  constructor(kinds: readonly LocalKind[], judge: Judge, looking: Looking = {}) {
    this.#kinds = kinds;
    this.#judge = judge;
    this.#finding = { instances: looking.instances ?? { most: 1, least: 0 }, tilted: looking.tilted ?? false };
    this.#twice = looking.twice ?? false;
    this.#asking = looking.asking;
  }

  get count(): number {
    return this.#slots.count;
  }

  get bytes(): number {
    return this.#index.bytes;
  }

  add(image: ImageNumber, block: Uint8Array): void {
    const dna = openLocalDna(block, this.#kinds);
    const digest = digestOf(dna);
    const { width, height, originalWidth, originalHeight, count: features } = dna;
    const sketch = this.#twice ? sketchOf(dna) : undefined;
    const slot = this.#slots.put(image, { width, height, originalWidth, originalHeight, features, digest, sketch });
    this.#divisors[slot] = Math.sqrt(Math.max(FEW_FEATURES, features));
    this.#index.add(slot, dna);
    const same = this.#byDigest.get(digest);
    if (same) same.add(image);
    else this.#byDigest.set(digest, new Set([image]));
  }

  *remove(image: ImageNumber): Steps<void> {
    const taken = this.#slots.take(image);
    if (!taken) return;
    const same = this.#byDigest.get(taken.value.digest)!;
    same.delete(image);
    if (same.size === 0) this.#byDigest.delete(taken.value.digest);
    this.#gone.push(taken.slot);
    if (this.#gone.length < SWEEP || this.#gone.length < this.count / 4) return;
    yield* this.#index.remove(this.#gone);
    this.#asked = [];
    this.#slots.release(this.#gone.splice(0));
  }

  *candidates(query: Uint8Array, only: Uint32Array | null, limit: number): Steps<Candidate[]> {
    const asked = yield* this.#ask(query);
    const allowed = only && this.#slots.slotsOf(only);
    const votes = yield* this.#index.votes(asked.question, allowed, this.#slots.end);
    const looked = allowed ?? this.#slots.used;
    const promise = new Float64Array(votes.length);
    for (const slot of looked) promise[slot] = Math.floor((64 * votes[slot]) / this.#divisors[slot]);
    const told = (slot: number, exact: boolean): Candidate => {
      return { image: this.#slots.at(slot)!.image, votes: promise[slot], exact };
    };
    const same = new Set(this.#slots.slotsOf(this.#byDigest.get(asked.digest) ?? []));
    const copies = same.size > 0 ? looked.filter((slot) => same.has(slot)) : [];
    const exact = Array.from(copies, (slot) => told(slot, true));
    for (const slot of copies) promise[slot] = 0;
    const best = mostVoted(promise, limit);
    asked.promising = Array.from(best.subarray(0, limit));
    const others = Array.from(best, (slot) => told(slot, false));
    others.sort((a, b) => b.votes - a.votes || a.image - b.image);
    return [...exact, ...others];
  }

  *verify(query: Uint8Array, images: readonly ImageNumber[]): Steps<Verified> {
    const { sightings, effort } = yield* this.#look(query, images);
    const verdicts: Verdict[] = [];
    for (const image of images) {
      const sighting = sightings.get(image);
      const judged = sighting && this.#judge(sighting);
      if (judged) verdicts.push({ image, ...judged });
      if (sighting) yield;
    }
    return { verdicts, effort };
  }

  *explain(query: Uint8Array, image: ImageNumber): Steps<Explanation | undefined> {
    if (this.#slots.slotOf(image) === undefined) return undefined;
    const { sightings, views } = yield* this.#look(query, [image]);
    const sighting = sightings.get(image);
    return explained(sighting, sighting && this.#judge(sighting), views);
  }

  *#look(query: Uint8Array, images: readonly ImageNumber[]) {
    const asked = yield* this.#ask(query);
    const { dna, digest, question } = asked;
    const sightings = new Map<ImageNumber, Sighting>();
    const slots: number[] = [];
    const keypoints = keypointsOf(dna);
    const sighted = (reference: Reference, found: Sighting['placements'], exact: boolean): Sighting => {
      return { query: dna, keypoints, reference, placements: found, exact };
    };
    for (const slot of this.#slots.slotsOf(images)) {
      const { image, value } = this.#slots.at(slot)!;
      if (value.digest !== digest) slots.push(slot);
      else sightings.set(image, sighted(value, [exactPlacement(dna)], true));
    }
    const shared = yield* this.#shared(asked, slots);
    const views = Array.from(question.keys(), (guise, g): View => {
      const found = shared.map((guises) => guises[g]);
      return viewOf(dna, keypoints, guise, found, this.#twice);
    });
    let spent = 0;
    for (const [k, slot] of slots.entries()) {
      const { image, value } = this.#slots.at(slot)!;
      const effort = new Effort();
      const [best, ...further] = yield* placements(dna, value, views, k, this.#finding, effort);
      if (best) sightings.set(image, sighted(value, [best, ...further], false));
      spent += effort.spent;
      yield;
    }
    return { sightings, views, effort: spent };
  }

  /**
   * What a question has in common with some slots, guise by guise. Where its hits are not kept, the lists are walked for the
   * pictures that are likely to be asked next as well.
   */
  *#shared(asked: Asked, slots: readonly number[]): Steps<(readonly Correspondences[])[]> {
    const { question, promising, gathered } = asked;
    const missing = slots.filter((slot) => !gathered.has(slot));
    if (missing.length === 0) return slots.map((slot) => gathered.get(slot)!);
    const keeps = this.#index.keeps(question);
    const first = promising.findIndex((slot) => missing.includes(slot));
    const ahead = keeps || first < 0 ? [] : promising.slice(first, first + AHEAD);
    const wanted = [...new Set([...slots, ...ahead])];
    const found: Correspondences[][] = [];
    for (const guise of question.keys()) found.push(yield* this.#index.correspondences(question, guise, wanted));
    const shared = new Map(wanted.map((slot, k) => [slot, found.map((guise) => guise[k])]));
    if (!keeps) asked.gathered = shared;
    return slots.map((slot) => shared.get(slot)!);
  }

  /** Both halves of a search ask the same: the words are looked up once. */
  *#ask(query: Uint8Array): Steps<Asked> {
    const known = this.#asked.find(({ dna }) => sameBytes(dna.bytes, query));
    if (known) {
      this.#asked = [...this.#asked.filter((asked) => asked !== known), known];
      return known;
    }
    const dna = openLocalDna(query.slice(), this.#kinds);
    const question = yield* this.#index.ask(dna, this.#asking);
    const asked = { dna, digest: digestOf(dna), question, promising: [], gathered: new Map() };
    this.#asked = [...this.#asked, asked].slice(-QUESTIONS);
    return asked;
  }
}

/** The same for a reference and for a query made of the same picture. */
function digestOf(dna: LocalDna): string {
  return digest(coreOf(dna));
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
