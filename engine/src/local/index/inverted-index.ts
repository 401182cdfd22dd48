import { keypointsOf, type LocalDna } from '../../dna/local.ts';
import { negativeCodes } from '../features/inverted.ts';
import { vocabulary, WORDS } from '../features/vocabulary.ts';
import { loadKernels } from '../../kernels/kernels.ts';
import type { Steps } from '../../steps.ts';
import { type Correspondences, Gathering, packedPlaces } from './correspondences.ts';
import { type Hits, REACH } from './hits.ts';
import { Votes } from './votes.ts';

/** A query feature is looked up in this many words; a reference feature is stored in one. */
const QUERY_WORDS = 3;
/** Features a picture may have. */
const MOST_FEATURES = 2048;
/** Features looked up at a time. */
const BATCH = 256;
/** Hits in a piece. */
const PIECE = 4096;
/** Postings that are compared, merged or swept in one piece of work: less than a millisecond. */
const QUOTA = 1 << 19;
/**
 * Hits that one picture may have in one guise of a question, the first ones in the order of the entries. Pictures of the
 * benches have 28,000 at most; DNA made by hand, its features all alike, has hundreds of thousands.
 */
export const MOST_HITS = 1 << 15;
/** Hits kept of a picture or its mirror image; of one that has more the lists are walked again when they are asked for. */
const KEPT = 1 << 18;

/** Features looked up in the vocabulary. */
interface LookedUp {
  /** `words` a feature, each a word and a signature, as the kernels read them. */
  readonly entries: Uint8Array;
  readonly features: number;
  readonly words: number;
  /** What the lists were found to hold, and at which `#changes`. */
  hits?: { readonly pieces: readonly Hits[]; readonly changes: number };
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
  readonly #entries: number;
  readonly #mirroredEntries: number;
  readonly #places: number;
  readonly #cursor: number;
  readonly #hits: number;
  /** One above the highest slot ever added. */
  #end = 0;
  /** How often pictures were added or removed. */
  #changes = 0;

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
    this.#entries = kernels.claim(16 * QUERY_WORDS * MOST_FEATURES);
    this.#mirroredEntries = kernels.claim(16 * QUERY_WORDS * MOST_FEATURES);
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
    for (const _ of this.#lookUp(dna.codes, dna.count, this.#axes.step, 1));
    this.#integers(this.#places, dna.count).set(packedPlaces(keypointsOf(dna)));
    this.#kernels.insert(slot, this.#entries, this.#places, dna.count);
    this.#end = Math.max(this.#end, slot + 1);
    this.#changes++;
  }

  /** Takes out pictures; walks all lists. Nothing else may be done with the index before the last step. */
  *remove(slots: Iterable<number>): Steps<void> {
    this.#changes++;
    for (let round = 0; round < 2; yield) round = this.#kernels.merge(round, QUOTA);
    const at = this.#kernels.spare(this.#end);
    const dead = this.#bytes(at, this.#end).fill(0);
    for (const slot of slots) dead[slot] = 1;
    while (!this.#kernels.sweep(at, QUOTA)) yield;
  }

  /** A question may be asked again and again, also when pictures were added or removed meanwhile. */
  *ask({ codes, count, core }: LocalDna, asking: Asking = USUAL): Steps<Question> {
    const { step, mirroredStep } = this.#axes;
    const question = new Map<Guise, LookedUp>();
    const shares = { core, half: Math.max(core, Math.ceil(count / 2)), all: count };
    const many = (share: Share): number => shares[share];
    const words = QUERY_WORDS;
    if (asking.plain === 'all' && asking.mirrored && asking.mirrored !== 'core') {
      const [plain, mirrored] = yield* this.#lookUpBothWays(codes, count);
      question.set('plain', { entries: plain, features: count, words });
      question.set('mirrored', { entries: mirrored, features: many(asking.mirrored), words });
    } else {
      for (const [guise, axes] of [['plain', step] as const, ['mirrored', mirroredStep] as const]) {
        const share = asking[guise];
        if (!share) continue;
        const features = many(share);
        question.set(guise, { entries: yield* this.#lookUp(codes, features, axes, words), features, words });
      }
    }
    if (asking.negative) {
      const features = many(asking.negative);
      const inverted = negativeCodes(codes, features);
      question.set('negative', { entries: yield* this.#lookUp(inverted, features, step, words), features, words });
    }
    return question;
  }

  /**
   * How much each slot shares with the picture in one of its guises, whichever is most.
   * @param allowed  the slots to look at; null for all
   * @param slots    how many slots there are
   */
  *votes(question: Question, allowed: Iterable<number> | null, slots: number): Steps<Uint32Array> {
    const only = allowed && new Uint8Array(slots);
    if (only) for (const slot of allowed) only[slot] = 1;
    const best = new Uint32Array(slots);
    for (const asked of question.values()) {
      const votes = new Votes(asked.words, this.#weights(asked), only, slots);
      for (const piece of this.#walk(asked)) {
        votes.count(piece);
        yield;
      }
      for (let slot = 0; slot < slots; slot++) if (votes.all[slot] > best[slot]) best[slot] = votes.all[slot];
    }
    return best;
  }

  /** What stands behind the votes of some slots, in the order of `slots`; nothing in a guise that was not asked. */
  *correspondences(question: Question, guise: Guise, slots: readonly number[]): Steps<Correspondences[]> {
    const asked = question.get(guise);
    const gathering = new Gathering(QUERY_WORDS, slots);
    for (const piece of asked ? this.#walk(asked) : []) {
      gathering.take(piece);
      yield;
    }
    return gathering.end();
  }

  /** Whether the hits of a question are kept, so that asking for correspondences walks no list. */
  keeps(question: Question): boolean {
    return [...question.values()].every(({ hits }) => hits?.changes === this.#changes);
  }

  /**
   * The hits of a question piece by piece, some of them empty; a piece may be written over once the next is taken. Only
   * one walk at a time, and pictures are neither added nor removed before its end.
   */
  *#walk(asked: LookedUp): Generator<Hits> {
    if (asked.hits?.changes === this.#changes) return yield* asked.hits.pieces;
    const kept: Hits[] = [];
    let told = 0;
    this.#bytes(this.#entries, asked.entries.length).set(asked.entries);
    this.#integers(this.#cursor, 2).fill(0);
    const given = this.#kernels.spare(4 * this.#end);
    this.#integers(given, this.#end).fill(0);
    const count = asked.features * asked.words;
    const about = [this.#cursor, given, MOST_HITS, QUOTA, this.#hits, PIECE] as const;
    while (this.#integers(this.#cursor, 1)[0] < count) {
      const n = this.#kernels.near(this.#entries, count, REACH, ...about);
      const piece = this.#integers(this.#hits, 3 * n);
      told += n;
      if (told <= KEPT) kept.push(piece.slice());
      yield piece;
    }
    if (told <= KEPT) asked.hits = { pieces: kept, changes: this.#changes };
  }

  /** For each entry how much its word weighs. */
  #weights({ entries, features, words }: LookedUp): Uint16Array {
    const { idf } = vocabulary();
    const numbers = new Uint32Array(entries.buffer);
    return Uint16Array.from({ length: features * words }, (_, i) => idf[numbers[4 * i]]);
  }

  /** Looks up the first features of some codes; their entries are left in `#entries`, too. */
  *#lookUp(codes: Uint8Array, features: number, step: number, words: number): Steps<Uint8Array> {
    if (features > MOST_FEATURES) throw new RangeError(`${features} features, expected at most ${MOST_FEATURES}`);
    const { centroids, norms, medians } = this.#axes;
    for (let start = 0; start < features; start += BATCH) {
      if (start > 0) yield;
      const n = Math.min(BATCH, features - start);
      this.#bytes(this.#codes, 32 * n).set(codes.subarray(32 * start, 32 * (start + n)));
      this.#kernels.unpack(this.#codes, n, step, this.#vectors);
      this.#kernels.words(this.#vectors, n, centroids, norms, medians, words, this.#entries + 16 * words * start);
    }
    return this.#bytes(this.#entries, 16 * words * features).slice();
  }

  /** The same for the picture and its mirror image. */
  *#lookUpBothWays(codes: Uint8Array, features: number): Steps<[Uint8Array, Uint8Array]> {
    if (features > MOST_FEATURES) throw new RangeError(`${features} features, expected at most ${MOST_FEATURES}`);
    const { step, mirroredStep, centroids, norms, medians, odd } = this.#axes;
    const vectors = [this.#vectors, this.#mirroredVectors] as const;
    const words = QUERY_WORDS;
    for (let start = 0; start < features; start += BATCH) {
      if (start > 0) yield;
      const n = Math.min(BATCH, features - start);
      const skip = 16 * words * start;
      this.#bytes(this.#codes, 32 * n).set(codes.subarray(32 * start, 32 * (start + n)));
      this.#kernels.unpack(this.#codes, n, step, vectors[0]);
      this.#kernels.unpack(this.#codes, n, mirroredStep, vectors[1]);
      const books = [centroids, norms, medians, odd] as const;
      this.#kernels.wordsBothWays(...vectors, n, ...books, words, this.#entries + skip, this.#mirroredEntries + skip);
    }
    const size = 16 * words * features;
    return [this.#bytes(this.#entries, size).slice(), this.#bytes(this.#mirroredEntries, size).slice()];
  }

  #bytes(at: number, n: number): Uint8Array {
    return new Uint8Array(this.#kernels.memory.buffer, at, n);
  }

  #integers(at: number, n: number): Uint32Array {
    return new Uint32Array(this.#kernels.memory.buffer, at, n);
  }
}
