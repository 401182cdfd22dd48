import { keypointsOf, type LocalDna } from '../dna/local.ts';
import { negativeCodes } from '../features/negative.ts';
import { vocabulary, WORDS } from '../features/vocabulary.ts';
import { loadKernels } from '../kernels/kernels.ts';
import { type Correspondences, correspondencesOf, packedPlaces } from './correspondences.ts';
import { type Hits, REACH } from './hits.ts';
import { votesOf } from './votes.ts';

/** A query feature is looked up in this many words; a reference feature is stored in one. */
const QUERY_WORDS = 3;
/** Features a picture may have. */
const MOST_FEATURES = 2048;
/** Features looked up at a time. */
const BATCH = 256;
/** Hits told at a time. */
const PIECE = 4096;
/** Hits kept of a picture or its mirror image; of one that has more the lists are walked again when they are asked for. */
const KEPT = 1 << 18;

/** Features looked up in the vocabulary. */
interface LookedUp {
  /** Where their entries lie in the index's memory: `words` a feature, each a word and a signature. */
  readonly at: number;
  readonly features: number;
  readonly words: number;
  /** What the lists were found to hold. */
  hits?: readonly Hits[];
}

/** What may have become of a picture: it is as it was, its mirror image, or its colours are inverted. */
export type Guise = 'plain' | 'mirrored' | 'negative';

/** The features of a query that a guise is asked with; half of them, the strongest, are at least the core. */
type Share = 'core' | 'half' | 'all';

/** How much of a query each guise is asked with. Each takes as much time as the plain one does for so many features. */
export type Asking = Readonly<Partial<Record<Guise, Share>>>;

/** A query looked up in the vocabulary, by guise. */
export type Question = ReadonlyMap<Guise, LookedUp>;

/** A mirrored copy shares the more, so the core of the query is enough; see the recipes for others. */
const USUAL: Asking = { plain: 'all', mirrored: 'core' };

/**
 * An inverted index with Hamming embedding: for each word of the vocabulary the reference features that fall into it,
 * with a signature of 64 bits that tells them apart. Pictures are known by a slot, a small number.
 *
 * H. Jégou, M. Douze, C. Schmid, "Hamming embedding and weak geometric consistency for large scale image search",
 * ECCV 2008.
 */
export class InvertedIndex {
  readonly #kernels = loadKernels();
  readonly #axes: Readonly<Record<'step' | 'mirroredStep' | 'centroids' | 'norms' | 'medians' | 'odd', number>>;
  readonly #codes: number;
  readonly #vectors: number;
  readonly #mirroredVectors: number;
  readonly #entries: Readonly<Record<Guise, number>>;
  readonly #places: number;
  readonly #cursor: number;
  readonly #hits: number;
  /** One above the highest slot ever added. */
  #end = 0;

  constructor() {
    const kernels = this.#kernels;
    const { step, mirroredStep, centroids, norms, medians } = vocabulary();
    const put = (array: Float32Array | Uint8Array): number => {
      const at = kernels.claim(array.byteLength);
      this.#bytes(at, array.byteLength).set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
      return at;
    };
    this.#axes = {
      step: put(step),
      mirroredStep: put(mirroredStep),
      centroids: put(centroids),
      norms: put(norms),
      medians: put(medians),
      odd: put(Uint8Array.from(mirroredStep, (width) => Number(width < 0))),
    };
    this.#codes = kernels.claim(32 * BATCH);
    this.#vectors = kernels.claim(256 * BATCH);
    this.#mirroredVectors = kernels.claim(256 * BATCH);
    const entries = (): number => kernels.claim(16 * QUERY_WORDS * MOST_FEATURES);
    this.#entries = { plain: entries(), mirrored: entries(), negative: entries() };
    this.#places = kernels.claim(4 * MOST_FEATURES);
    this.#cursor = kernels.claim(8);
    this.#hits = kernels.claim(12 * PIECE);
    kernels.openLists(WORDS);
  }

  /** What the lists take, with room to work. */
  get bytes(): number {
    return this.#kernels.usedBytes();
  }

  add(slot: number, dna: LocalDna): void {
    const { at } = this.#lookUp(dna.codes, dna.count, this.#axes.step, 1, this.#entries.plain);
    this.#integers(this.#places, dna.count).set(packedPlaces(keypointsOf(dna)));
    this.#kernels.insert(slot, at, this.#places, dna.count);
    this.#end = Math.max(this.#end, slot + 1);
  }

  /** Takes out pictures; walks all lists. */
  remove(slots: Iterable<number>): void {
    this.#kernels.merge();
    const at = this.#kernels.spare(this.#end);
    const dead = this.#bytes(at, this.#end).fill(0);
    for (const slot of slots) dead[slot] = 1;
    this.#kernels.sweep(at);
  }

  /** A question holds until the next one is asked and until pictures are added or removed. */
  ask({ codes, count, core }: LocalDna, asking: Asking = USUAL): Question {
    const { step, mirroredStep } = this.#axes;
    const { plain, mirrored, negative } = this.#entries;
    const question = new Map<Guise, LookedUp>();
    const shares = { core, half: Math.max(core, Math.ceil(count / 2)), all: count };
    const many = (share: Share): number => shares[share];
    if (asking.plain === 'all' && asking.mirrored && asking.mirrored !== 'core') {
      const both = this.#lookUpBothWays(codes, count, plain, mirrored);
      question.set('plain', both[0]).set('mirrored', { ...both[1], features: many(asking.mirrored) });
    } else {
      if (asking.plain) question.set('plain', this.#lookUp(codes, many(asking.plain), step, QUERY_WORDS, plain));
      if (asking.mirrored)
        question.set('mirrored', this.#lookUp(codes, many(asking.mirrored), mirroredStep, QUERY_WORDS, mirrored));
    }
    if (asking.negative) {
      const features = many(asking.negative);
      const inverted = negativeCodes(codes, features);
      question.set('negative', this.#lookUp(inverted, features, step, QUERY_WORDS, negative));
    }
    return question;
  }

  /**
   * How much each slot shares with the picture in one of its guises, whichever is most.
   * @param allowed  the slots to look at; null for all
   * @param slots    how many slots there are
   */
  votes(question: Question, allowed: Iterable<number> | null, slots: number): Uint32Array {
    const only = allowed && new Uint8Array(slots);
    if (only) for (const slot of allowed) only[slot] = 1;
    const best = new Uint32Array(slots);
    for (const asked of question.values()) {
      const votes = votesOf(this.#walk(asked), asked.words, this.#weights(asked), only, slots);
      for (let slot = 0; slot < slots; slot++) if (votes[slot] > best[slot]) best[slot] = votes[slot];
    }
    return best;
  }

  /** What stands behind the votes of some slots, in the order of `slots`; nothing in a guise that was not asked. */
  correspondences(question: Question, guise: Guise, slots: readonly number[]): Correspondences[] {
    const asked = question.get(guise);
    return correspondencesOf(asked ? this.#walk(asked) : [], QUERY_WORDS, slots);
  }

  /** The hits of a question piece by piece; a piece may be written over once the next is taken. */
  *#walk(asked: LookedUp): Generator<Hits> {
    if (asked.hits) return yield* asked.hits;
    const kept: Hits[] = [];
    let told = 0;
    this.#integers(this.#cursor, 2).fill(0);
    for (let n = PIECE; n === PIECE; told += n) {
      n = this.#kernels.near(asked.at, asked.features * asked.words, REACH, this.#cursor, this.#hits, PIECE);
      const piece = this.#integers(this.#hits, 3 * n);
      if (told <= KEPT) kept.push(piece.slice());
      yield piece;
    }
    if (told <= KEPT) asked.hits = kept;
  }

  /** For each entry how much its word weighs. */
  #weights({ at, features, words }: LookedUp): Uint16Array {
    const { idf } = vocabulary();
    const entries = this.#integers(at, 4 * features * words);
    return Uint16Array.from({ length: features * words }, (_, i) => idf[entries[4 * i]]);
  }

  /** Looks up the first features of some codes. */
  #lookUp(codes: Uint8Array, features: number, step: number, words: number, at: number): LookedUp {
    if (features > MOST_FEATURES) throw new RangeError(`${features} features, expected at most ${MOST_FEATURES}`);
    const { centroids, norms, medians } = this.#axes;
    for (let start = 0; start < features; start += BATCH) {
      const n = Math.min(BATCH, features - start);
      this.#bytes(this.#codes, 32 * n).set(codes.subarray(32 * start, 32 * (start + n)));
      this.#kernels.unpack(this.#codes, n, step, this.#vectors);
      this.#kernels.words(this.#vectors, n, centroids, norms, medians, words, at + 16 * words * start);
    }
    return { at, features, words };
  }

  /** The same for the picture and its mirror image. */
  #lookUpBothWays(codes: Uint8Array, features: number, at: number, mirroredAt: number): [LookedUp, LookedUp] {
    if (features > MOST_FEATURES) throw new RangeError(`${features} features, expected at most ${MOST_FEATURES}`);
    const { step, mirroredStep, centroids, norms, medians, odd } = this.#axes;
    const vectors = [this.#vectors, this.#mirroredVectors] as const;
    const words = QUERY_WORDS;
    for (let start = 0; start < features; start += BATCH) {
      const n = Math.min(BATCH, features - start);
      const skip = 16 * words * start;
      this.#bytes(this.#codes, 32 * n).set(codes.subarray(32 * start, 32 * (start + n)));
      this.#kernels.unpack(this.#codes, n, step, vectors[0]);
      this.#kernels.unpack(this.#codes, n, mirroredStep, vectors[1]);
      const books = [centroids, norms, medians, odd] as const;
      this.#kernels.wordsBothWays(...vectors, n, ...books, words, at + skip, mirroredAt + skip);
    }
    return [
      { at, features, words },
      { at: mirroredAt, features, words },
    ];
  }

  #bytes(at: number, n: number): Uint8Array {
    return new Uint8Array(this.#kernels.memory.buffer, at, n);
  }

  #integers(at: number, n: number): Uint32Array {
    return new Uint32Array(this.#kernels.memory.buffer, at, n);
  }
}
