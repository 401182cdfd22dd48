import type { LocalDna } from '../../dna/local.ts';
import { Workspace } from '../../kernels/workspace.ts';
import type { Steps } from '../../steps.ts';
import { invertedCodes } from '../features/inverted.ts';
import { vocabulary } from '../features/vocabulary.ts';

/** A query feature is looked up in this many words; a reference feature has one. */
export const WORDS_PER_QUERY_FEATURE = 3;
/** Features a picture may have. */
const MAX_FEATURES = 2048;
/** Features looked up at a time. */
const FEATURES_PER_BATCH = 256;

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

/** A mirrored copy shares more features, so the core of the query is enough; see the types for others. */
export const DEFAULT_VARIANTS: Variants = { plain: 'all', mirrored: 'core' };

/** Features of a picture looked up in the vocabulary. */
export interface Entries {
  readonly features: number;
  /** A feature. */
  readonly words: number;
  /** `words` a feature: the word as uint32, how far it is as float32, the signature as uint64. */
  readonly entries: Uint8Array;
}

/** Those of a query in one variant. */
export interface QueryEntries extends Entries {
  readonly variant: Variant;
  /** Which feature of the query each is: the first times this is the second, and so on. */
  readonly every: number;
  /** So many of the first features are the core of the query; none are mirrored or inverted ones. */
  readonly core: number;
  /** A feature. */
  readonly each: number;
  /** The likeliest terms, `each` a feature. */
  readonly terms: Uint32Array;
}

/** The axes whose bits a term has, and what a term costs that differs from the feature's own; see assembly/terms.ts. */
export interface TermCosts {
  /** Axis, and what a unit of distance from the median costs. */
  readonly bits: readonly (readonly [axis: number, weight: number])[];
  /** By the place of a word: what it costs, and what a unit of further distance does. */
  readonly words: readonly (readonly [cost: number, weight: number])[];
}

/** Looks features up in the vocabulary. One instance serves a thread. */
export class LookUp {
  readonly #workspace = new Workspace();
  readonly #books: Readonly<Record<'step' | 'mirroredStep' | 'centroids' | 'norms' | 'medians' | 'odd', number>>;
  readonly #bits: number;
  readonly #nearness: number;
  readonly #codes: number;
  readonly #vectors: number;
  readonly #mirroredVectors: number;
  readonly #entries: number;
  readonly #mirroredEntries: number;

  constructor(costs: TermCosts) {
    const workspace = this.#workspace;
    const { step, mirroredStep, centroids, norms, medians } = vocabulary();
    this.#books = {
      step: workspace.put(step),
      mirroredStep: workspace.put(mirroredStep),
      centroids: workspace.put(centroids),
      norms: workspace.put(norms),
      medians: workspace.put(medians),
      odd: workspace.put(Uint8Array.from(mirroredStep, (width) => Number(width < 0))),
    };
    this.#bits = workspace.put(pairs(costs.bits));
    this.#nearness = workspace.put(pairs(costs.words));
    this.#codes = workspace.take(32 * FEATURES_PER_BATCH);
    this.#vectors = workspace.take(256 * FEATURES_PER_BATCH);
    this.#mirroredVectors = workspace.take(256 * FEATURES_PER_BATCH);
    this.#entries = workspace.take(16 * WORDS_PER_QUERY_FEATURE * FEATURES_PER_BATCH);
    this.#mirroredEntries = workspace.take(16 * WORDS_PER_QUERY_FEATURE * FEATURES_PER_BATCH);
  }

  /** The features of a reference, one word each. */
  reference({ codes, count }: LocalDna): Entries {
    const entries = new Uint8Array(16 * count);
    const { step, centroids, norms, medians } = this.#books;
    const { kernels } = this.#workspace;
    for (const { start, n } of batches(count)) {
      this.#unpack(codes, start, n, step, this.#vectors);
      kernels.words(this.#vectors, n, centroids, norms, medians, 1, this.#entries);
      entries.set(this.#workspace.bytes(this.#entries, 16 * n), 16 * start);
    }
    return { features: count, words: 1, entries };
  }

  /** @param each  terms of a feature */
  *query({ codes, count, core }: LocalDna, variants: Variants, each: number): Steps<QueryEntries[]> {
    const portions = {
      'third of core': Math.ceil(core / 3),
      core,
      half: Math.max(core, Math.ceil(count / 2)),
      all: count,
    };
    const plain = { ...room('plain', count, 1, each), core };
    const mirrored = room('mirrored', variants.mirrored ? portions[variants.mirrored] : 0, 1, each);
    yield* this.#lookUp(codes, plain, mirrored);
    const all = mirrored.features > 0 ? [plain, mirrored] : [plain];
    if (!variants.inverted) return all;
    const every = variants.inverted === 'third of core' ? 3 : 1;
    const inverted = room('inverted', portions[variants.inverted], every, each);
    const invertedOnes = invertedCodes(sampled(codes, inverted.features, every), inverted.features);
    yield* this.#lookUp(invertedOnes, inverted);
    return [...all, inverted];
  }

  /** Fills `plain`, and `mirrored` for as many features as it has: the words of both are computed at once. */
  *#lookUp(codes: Uint8Array, plain: QueryEntries, mirrored = room('mirrored', 0, 1, plain.each)): Steps<void> {
    const { kernels } = this.#workspace;
    const { step, mirroredStep, centroids, norms, medians, odd } = this.#books;
    const both = mirrored.features;
    const [vectors, mirroredVectors] = [this.#vectors, this.#mirroredVectors];
    const [entries, mirroredEntries] = [this.#entries, this.#mirroredEntries];
    for (const { start, n } of [...batches(both), ...batches(plain.features, both)]) {
      this.#unpack(codes, start, n, step, vectors);
      if (start < both) {
        this.#unpack(codes, start, n, mirroredStep, mirroredVectors);
        const books = [centroids, norms, medians, odd] as const;
        kernels.wordsBothWays(vectors, mirroredVectors, n, ...books, WORDS_PER_QUERY_FEATURE, entries, mirroredEntries);
        this.#take(mirrored, start, n, mirroredVectors, mirroredEntries);
      } else {
        kernels.words(vectors, n, centroids, norms, medians, WORDS_PER_QUERY_FEATURE, entries);
      }
      this.#take(plain, start, n, vectors, entries);
      yield;
    }
  }

  #take({ entries, terms, each }: QueryEntries, start: number, n: number, vectors: number, from: number): void {
    const workspace = this.#workspace;
    const length = 16 * WORDS_PER_QUERY_FEATURE * n;
    entries.set(workspace.bytes(from, length), 16 * WORDS_PER_QUERY_FEATURE * start);
    if (each === 0) return;
    const mark = workspace.mark();
    const out = workspace.take(4 * each * n);
    workspace.kernels.terms(vectors, n, from, this.#books.medians, this.#bits, this.#nearness, each, out);
    terms.set(workspace.integers(out, each * n), each * start);
    workspace.release(mark);
  }

  #unpack(codes: Uint8Array, start: number, n: number, step: number, to: number): void {
    this.#workspace.bytes(this.#codes, 32 * n).set(codes.subarray(32 * start, 32 * (start + n)));
    this.#workspace.kernels.unpack(this.#codes, n, step, to);
  }
}

function room(variant: Variant, features: number, every: number, each: number): QueryEntries {
  if (features > MAX_FEATURES) throw new RangeError(`${features} features, expected at most ${MAX_FEATURES}`);
  const entries = new Uint8Array(16 * WORDS_PER_QUERY_FEATURE * features);
  const terms = new Uint32Array(each * features);
  return { variant, features, words: WORDS_PER_QUERY_FEATURE, entries, every, core: 0, each, terms };
}

function batches(end: number, from = 0): { start: number; n: number }[] {
  const all = [];
  for (let start = from; start < end; start += FEATURES_PER_BATCH)
    all.push({ start, n: Math.min(FEATURES_PER_BATCH, end - start) });
  return all;
}

/** As the kernels read them: a whole number and a float. */
function pairs(rows: readonly (readonly [number, number])[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(8 * rows.length));
  rows.forEach(([whole, weight], i) => {
    view.setUint32(8 * i, whole, true);
    view.setFloat32(8 * i + 4, weight, true);
  });
  return new Uint8Array(view.buffer);
}

/** The codes of so many features, the first and then each so many places further. */
function sampled(codes: Uint8Array, features: number, every: number): Uint8Array {
  if (every === 1) return codes;
  const some = new Uint8Array(32 * features);
  for (let i = 0; i < features; i++) some.set(codes.subarray(32 * every * i, 32 * (every * i + 1)), 32 * i);
  return some;
}

/** The words of all entries. */
export function wordsOf({ entries, features, words }: Entries): Uint32Array {
  const numbers = new Uint32Array(entries.buffer);
  const all = new Uint32Array(features * words);
  for (let i = 0; i < all.length; i++) all[i] = numbers[4 * i];
  return all;
}
