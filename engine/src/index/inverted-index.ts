import type { LocalDna } from '../dna/local.ts';
import { keypointsOf } from '../dna/local.ts';
import { vocabulary, WORDS } from '../features/vocabulary.ts';
import { loadKernels } from '../kernels/kernels.ts';

/** A query feature is looked up in this many words; a reference feature is stored in one. */
const QUERY_WORDS = 3;
/** The mirror image is asked with the core of the query only, in fewer words: it would double the time, and a mirrored copy shares the more. */
const MIRRORED_WORDS = 3;
/** Largest Hamming distance, of 64, at which two features may be the same. */
const REACH = 20;
/** Postings kept of one picture in `correspondences`. */
const ROOM = 1500;
/** Pictures `correspondences` takes at a time. */
const BATCH = 64;
/** Features a query may have. */
const MOST_FEATURES = 2048;

/** Two features that look alike, one of the query and one of a reference. */
export interface Correspondences {
  readonly count: number;
  /** Number of the query's feature. */
  readonly feature: Uint16Array;
  /** Hamming distance, 0 to 22. */
  readonly distance: Uint8Array;
  /** Of the reference's feature, in pixels of its frame, to half a pixel. */
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** In 1/256 turn, even numbers only. */
  readonly turn: Uint8Array;
  readonly level: Uint8Array;
}

/** Features looked up in the vocabulary. */
interface LookedUp {
  /** Where the words lie in the index's memory. */
  readonly entries: number;
  readonly features: number;
  /** Words a feature. */
  readonly words: number;
}

/** A query looked up in the vocabulary, ready for the lists: the picture and its mirror image. */
export interface Question {
  readonly straight: LookedUp;
  readonly mirrored: LookedUp;
}

/**
 * An inverted index with Hamming embedding: for each word of the vocabulary the reference features that fall into it,
 * with a signature of 64 bits that tells them apart. Pictures are known by a slot, a small number.
 *
 * H. Jégou, M. Douze, C. Schmid, "Hamming embedding and weak geometric consistency for large scale image search",
 * ECCV 2008.
 */
export class InvertedIndex {
  readonly #kernels = loadKernels();
  readonly #axes: { step: number; mirroredStep: number; centroids: number; norms: number; medians: number };
  readonly #idf: number;
  readonly #weights: number;
  readonly #codes: number;
  readonly #vectors: number;
  readonly #question: { straight: number; mirrored: number };
  readonly #places: number;
  readonly #found: number;
  readonly #counts: number;
  /** For each slot: only (1 byte), rank (2), votes (4), seen (8). */
  #slots = { capacity: 0, only: 0, ranks: 0, votes: 0, seen: 0 };

  constructor() {
    const kernels = this.#kernels;
    const { step, mirroredStep, centroids, norms, medians, idf } = vocabulary();
    kernels.openLists(WORDS);
    const put = (array: Float32Array | Uint16Array): number => {
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
    };
    this.#idf = put(idf);
    this.#weights = put(distanceWeights());
    this.#codes = kernels.claim(32 * MOST_FEATURES);
    this.#vectors = kernels.claim(256 * MOST_FEATURES);
    this.#question = {
      straight: kernels.claim(16 * QUERY_WORDS * MOST_FEATURES),
      mirrored: kernels.claim(16 * QUERY_WORDS * MOST_FEATURES),
    };
    this.#places = kernels.claim(4 * MOST_FEATURES);
    this.#found = kernels.claim(8 * ROOM * BATCH);
    this.#counts = kernels.claim(4 * BATCH);
  }

  get bytes(): number {
    return this.#kernels.usedBytes();
  }

  add(slot: number, dna: LocalDna): void {
    this.#makeRoom(slot + 1);
    this.#lookUp(dna, dna.count, this.#axes.step, 1, this.#question.straight);
    this.#integers(this.#places, dna.count).set(packedPlaces(dna));
    this.#kernels.insert(slot, this.#question.straight, this.#places, dna.count);
  }

  /** Takes out pictures; walks all lists. */
  remove(slots: Iterable<number>): void {
    const { only, capacity } = this.#slots;
    const dead = this.#bytes(only, capacity).fill(0);
    for (const slot of slots) dead[slot] = 1;
    this.#kernels.sweep(only);
  }

  /** Only the last question asked can be used. */
  ask(dna: LocalDna): Question {
    const { straight, mirrored } = this.#question;
    this.#lookUp(dna, dna.count, this.#axes.step, QUERY_WORDS, straight);
    this.#lookUp(dna, dna.core, this.#axes.mirroredStep, MIRRORED_WORDS, mirrored);
    return {
      straight: { entries: straight, features: dna.count, words: QUERY_WORDS },
      mirrored: { entries: mirrored, features: dna.core, words: MIRRORED_WORDS },
    };
  }

  /**
   * How much each slot shares with the picture or with its mirror image, whichever is more.
   * @param allowed  the slots to look at; null for all
   * @param slots    how many slots there are
   */
  votes(question: Question, allowed: Iterable<number> | null, slots: number): Uint32Array {
    this.#makeRoom(slots);
    const { only, votes, seen, capacity } = this.#slots;
    if (allowed) {
      const flags = this.#bytes(only, capacity).fill(0);
      for (const slot of allowed) flags[slot] = 1;
    }
    const best = new Uint32Array(slots);
    for (const { entries, features, words } of [question.straight, question.mirrored]) {
      this.#integers(votes, slots).fill(0);
      this.#integers(seen, 2 * slots).fill(0);
      this.#kernels.vote(entries, features, words, REACH, this.#weights, this.#idf, allowed ? only : 0, votes, seen);
      const counted = this.#integers(votes, slots);
      for (let slot = 0; slot < slots; slot++) if (counted[slot] > best[slot]) best[slot] = counted[slot];
    }
    return best;
  }

  /** What stands behind the votes of some slots, in the order of `slots`. */
  correspondences(question: Question, mirrored: boolean, slots: readonly number[]): Correspondences[] {
    const { ranks, capacity } = this.#slots;
    const all: Correspondences[] = [];
    for (let start = 0; start < slots.length; start += BATCH) {
      const batch = slots.slice(start, start + BATCH);
      const rankOf = this.#halves(ranks, capacity).fill(0xffff);
      batch.forEach((slot, rank) => (rankOf[slot] = rank));
      this.#integers(this.#counts, BATCH).fill(0);
      const { entries, features, words } = mirrored ? question.mirrored : question.straight;
      this.#kernels.collect(entries, features, words, REACH, ranks, this.#found, ROOM, this.#counts);
      const counts = this.#integers(this.#counts, BATCH);
      batch.forEach((_, rank) => all.push(unpacked(this.#integers(this.#found + 8 * ROOM * rank, 2 * counts[rank]))));
    }
    return all;
  }

  /** Looks up the first features of a DNA. */
  #lookUp(dna: LocalDna, features: number, step: number, most: number, out: number): void {
    if (features > MOST_FEATURES) throw new RangeError(`${features} features, expected at most ${MOST_FEATURES}`);
    this.#bytes(this.#codes, 32 * features).set(dna.codes.subarray(0, 32 * features));
    this.#kernels.unpack(this.#codes, features, step, this.#vectors);
    const { centroids, norms, medians } = this.#axes;
    this.#kernels.words(this.#vectors, features, centroids, norms, medians, most, out);
  }

  #makeRoom(slots: number): void {
    if (slots <= this.#slots.capacity) return;
    const capacity = Math.max(1024, 2 * this.#slots.capacity, slots);
    const claim = (bytes: number): number => this.#kernels.claim(bytes);
    this.#slots = {
      capacity,
      only: claim(capacity),
      ranks: claim(2 * capacity),
      votes: claim(4 * capacity),
      seen: claim(8 * capacity),
    };
  }

  #bytes(at: number, n: number): Uint8Array {
    return new Uint8Array(this.#kernels.memory.buffer, at, n);
  }

  #halves(at: number, n: number): Uint16Array {
    return new Uint16Array(this.#kernels.memory.buffer, at, n);
  }

  #integers(at: number, n: number): Uint32Array {
    return new Uint32Array(this.#kernels.memory.buffer, at, n);
  }
}

/** The weight of a Hamming distance: 256 at 0, falling with its square to 1/10 of that at the reach. */
function distanceWeights(): Uint16Array {
  return Uint16Array.from({ length: REACH + 1 }, (_, d) => Math.round(256 * (1 - (0.9 * d * d) / (REACH * REACH))));
}

/** x and y in half pixels (10 bits each), turn in 1/128 (7 bits), level (5 bits). */
function packedPlaces(dna: LocalDna): Uint32Array {
  const { x, y, turn, level } = keypointsOf(dna);
  return Uint32Array.from(x, (px, i) => {
    const half = (v: number): number => Math.min(1023, Math.round(2 * v));
    const places = half(px) | (half(y[i]) << 10) | ((((turn[i] + 1) >> 1) & 127) << 20);
    return (places | (level[i] << 27)) >>> 0;
  });
}

function unpacked(found: Uint32Array): Correspondences {
  const count = found.length / 2;
  const all = {
    count,
    feature: new Uint16Array(count),
    distance: new Uint8Array(count),
    x: new Float32Array(count),
    y: new Float32Array(count),
    turn: new Uint8Array(count),
    level: new Uint8Array(count),
  };
  for (let i = 0; i < count; i++) {
    const [head, place] = [found[2 * i], found[2 * i + 1]];
    all.feature[i] = head & 0xffff;
    all.distance[i] = head >>> 16;
    all.x[i] = (place & 1023) / 2;
    all.y[i] = ((place >>> 10) & 1023) / 2;
    all.turn[i] = ((place >>> 20) & 127) * 2;
    all.level[i] = place >>> 27;
  }
  return all;
}
