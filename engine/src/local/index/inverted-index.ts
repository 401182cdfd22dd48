import { keypointsOf, type LocalDna } from '../../dna/local.ts';
import { loadKernels } from '../../kernels/kernels.ts';
import { finished, type Steps } from '../../steps.ts';
import { invertedCodes } from '../features/inverted.ts';
import { vocabulary, WORDS } from '../features/vocabulary.ts';
import { burstNorm, occurrences } from './bursts.ts';
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
 * Hits that one picture may have in one variant of a query, the first ones in the order of the entries. Pictures of the
 * benchmarks have 28,000 at most; DNA made by hand, its features all alike, has hundreds of thousands.
 */
export const MOST_HITS = 1 << 15;
/** Hits kept of one variant; where there are more, the lists are read again. */
const KEPT = 1 << 18;

/** Features of a query looked up in the vocabulary. */
interface Entries {
  /** `words` a feature, each a word and a signature, as the kernels read them. */
  readonly entries: Uint8Array;
  readonly features: number;
  readonly words: number;
  /** Which feature of the query each is: the first times this is the second, and so on. */
  readonly every: number;
  /** The hits in the lists, with the value of `#changes` for which they hold. */
  hits?: { readonly pieces: readonly Hits[]; readonly changes: number };
}

/** How a picture may differ from its reference: not at all, mirrored, or with inverted colors. */
export type Variant = 'plain' | 'mirrored' | 'inverted';

/**
 * The features of a query that are looked up for a variant; half of them, the strongest, are at least the core. A third of the core,
 * from all levels and places, is enough for copies of the whole.
 */
type Portion = 'third of core' | 'core' | 'half' | 'all';

/**
 * The portion of a query for each variant. The inverted one takes as much time as the plain one does for so many features, the
 * mirrored one hardly any.
 */
export type Variants = Readonly<{ plain: 'all'; mirrored?: Portion; inverted?: Portion }>;

/** A query looked up in the vocabulary, by variant. */
export type IndexQuery = ReadonlyMap<Variant, Entries>;

/** A mirrored copy shares more features, so the core of the query is enough; see the types for others. */
const USUAL: Variants = { plain: 'all', mirrored: 'core' };

/**
 * An inverted index with Hamming embedding: for each word of the vocabulary the reference features that fall into it,
 * with a signature of 64 bits that distinguishes them. Pictures are known by a slot, a small number.
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

  /** Memory of the lists and of the work on them. */
  get bytes(): number {
    return this.#kernels.usedBytes();
  }

  /** @returns the norm of the picture's words, see `burstNorm` */
  add(slot: number, dna: LocalDna): number {
    const entries = finished(this.#entriesOf(dna.codes, dna.count, 1));
    this.#integers(this.#places, dna.count).set(packedPlaces(keypointsOf(dna)));
    this.#kernels.insert(slot, this.#entries, this.#places, dna.count);
    this.#end = Math.max(this.#end, slot + 1);
    this.#changes++;
    return burstNorm(wordsOf(entries));
  }

  /** Removes pictures; reads all lists. Nothing else may be done with the index before the last step. */
  *remove(slots: Iterable<number>): Steps<void> {
    this.#changes++;
    for (let round = 0; round < 2; yield) round = this.#kernels.merge(round, QUOTA);
    const at = this.#kernels.spare(this.#end);
    const dead = this.#bytes(at, this.#end).fill(0);
    for (const slot of slots) dead[slot] = 1;
    while (!this.#kernels.sweep(at, QUOTA)) yield;
  }

  /** The result stays valid when pictures are added or removed. */
  *lookUp({ codes, count, core }: LocalDna, variants: Variants = USUAL): Steps<IndexQuery> {
    const query = new Map<Variant, Entries>();
    const portions = {
      'third of core': Math.ceil(core / 3),
      core,
      half: Math.max(core, Math.ceil(count / 2)),
      all: count,
    };
    const words = QUERY_WORDS;
    const both = variants.mirrored ? portions[variants.mirrored] : 0;
    const [first, mirrored] = yield* this.#entriesBothWays(codes, both);
    const rest = yield* this.#entriesOf(codes.subarray(32 * both), count - both, words);
    const plain = new Uint8Array(first.length + rest.length);
    plain.set(first);
    plain.set(rest, first.length);
    query.set('plain', { entries: plain, features: count, words, every: 1 });
    if (both > 0) query.set('mirrored', { entries: mirrored, features: both, words, every: 1 });
    if (variants.inverted) {
      const features = portions[variants.inverted];
      const every = variants.inverted === 'third of core' ? 3 : 1;
      const inverted = invertedCodes(sampled(codes, features, every), features);
      const entries = yield* this.#entriesOf(inverted, features, words);
      query.set('inverted', { entries, features, words, every });
    }
    return query;
  }

  /**
   * How much each slot shares with the query in the variant in which that is most.
   * @param allowed  the slots to count; null for all
   * @param slots    the number of slots
   */
  *votes(query: IndexQuery, allowed: Iterable<number> | null, slots: number): Steps<Uint32Array> {
    const only = allowed && new Uint8Array(slots);
    if (only) for (const slot of allowed) only[slot] = 1;
    const best = new Uint32Array(slots);
    for (const entries of query.values()) {
      const votes = new Votes(entries.words, this.#weights(entries), only, slots);
      for (const piece of this.#hitsOf(entries)) {
        votes.count(piece);
        yield;
      }
      for (let slot = 0; slot < slots; slot++) if (votes.all[slot] > best[slot]) best[slot] = votes.all[slot];
    }
    return best;
  }

  /** The hits behind the votes of some slots, in the order of `slots`; none in a variant that was not looked up. */
  *correspondences(query: IndexQuery, variant: Variant, slots: readonly number[]): Steps<Correspondences[]> {
    const entries = query.get(variant);
    const gathering = new Gathering(QUERY_WORDS, slots);
    for (const piece of entries ? this.#hitsOf(entries) : []) {
      gathering.take(piece);
      yield;
    }
    const found = gathering.end();
    if (!entries || entries.every === 1) return found;
    return found.map((each) => ({ ...each, feature: each.feature.map((f) => entries.every * f) }));
  }

  /** Whether the hits of a query are kept, so that `correspondences` reads no list. */
  keeps(query: IndexQuery): boolean {
    return [...query.values()].every(({ hits }) => hits?.changes === this.#changes);
  }

  /**
   * The hits of one variant piece by piece, some of them empty; a piece may be overwritten once the next is taken. Only
   * one scan at a time, and pictures are neither added nor removed before its end.
   */
  *#hitsOf(query: Entries): Generator<Hits> {
    if (query.hits?.changes === this.#changes) return yield* query.hits.pieces;
    const kept: Hits[] = [];
    let total = 0;
    this.#bytes(this.#entries, query.entries.length).set(query.entries);
    this.#integers(this.#cursor, 2).fill(0);
    const given = this.#kernels.spare(4 * this.#end);
    this.#integers(given, this.#end).fill(0);
    const count = query.features * query.words;
    const about = [this.#cursor, given, MOST_HITS, QUOTA, this.#hits, PIECE] as const;
    while (this.#integers(this.#cursor, 1)[0] < count) {
      const n = this.#kernels.near(this.#entries, count, REACH, ...about);
      const piece = this.#integers(this.#hits, 3 * n);
      total += n;
      if (total <= KEPT) kept.push(piece.slice());
      yield piece;
    }
    if (total <= KEPT) query.hits = { pieces: kept, changes: this.#changes };
  }

  /** For each entry how much its word weighs: less where the query has it more often. */
  #weights({ entries, features, words }: Entries): Uint16Array {
    const { idf } = vocabulary();
    const own = wordsOf(entries).subarray(0, features * words);
    return occurrences(own).map((times, i) => Math.round(idf[own[i]] / times));
  }

  /** Looks up the first features of some codes; their entries are left in `#entries`, too. */
  *#entriesOf(codes: Uint8Array, features: number, words: number): Steps<Uint8Array> {
    if (features > MOST_FEATURES) throw new RangeError(`${features} features, expected at most ${MOST_FEATURES}`);
    const { step, centroids, norms, medians } = this.#axes;
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
  *#entriesBothWays(codes: Uint8Array, features: number): Steps<[Uint8Array, Uint8Array]> {
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

/** The words of entries, as the kernels write them. */
function wordsOf(entries: Uint8Array): Uint32Array {
  const numbers = new Uint32Array(entries.buffer, entries.byteOffset, entries.byteLength / 4);
  const words = new Uint32Array(numbers.length / 4);
  for (let i = 0; i < words.length; i++) words[i] = numbers[4 * i];
  return words;
}

/** The codes of so many features, the first and then each so many places further. */
function sampled(codes: Uint8Array, features: number, every: number): Uint8Array {
  if (every === 1) return codes;
  const some = new Uint8Array(32 * features);
  for (let i = 0; i < features; i++) some.set(codes.subarray(32 * every * i, 32 * (every * i + 1)), 32 * i);
  return some;
}
