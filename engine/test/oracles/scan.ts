import { digest } from '../../src/dna/digest.ts';
import { keypointsOf, type LocalDna } from '../../src/dna/local.ts';
import { vocabulary } from '../../src/local/features/vocabulary.ts';
import { type Correspondences, MAX_KEPT_HITS } from '../../src/local/index/correspondences.ts';
import { DEFAULT_VARIANTS, type Variant, type Variants } from '../../src/local/index/look-up.ts';
import {
  type Batch,
  correspond,
  type FeatureRecord,
  recordBytes,
  recordOf,
  votesOf,
} from '../../src/local/index/matching.ts';
import { type LocalQuery, lookUp, entriesOf } from '../../src/local/index/terms.ts';
import { finished } from '../../src/steps.ts';
import { type Near, Postings } from './hits.ts';
import { unpack, type Word, words } from './words.ts';

const MAX_HAMMING_DISTANCE = 20;
const WORDS_PER_QUERY_FEATURE = 3;
const WORDS_PER_MIRRORED_FEATURE = 3;
const HAMMING_WEIGHTS = Array.from({ length: MAX_HAMMING_DISTANCE + 1 }, (_, d) =>
  Math.round(256 * (1 - (d / 22) ** 2) ** 4),
);

/** A correspondence as the index returns it; the place to half a pixel, the angle to 1/128. */
export interface Seen {
  readonly feature: number;
  readonly distance: number;
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  readonly level: number;
}

/** The records of pictures by slot, compared by the kernels. */
export class Records {
  readonly #records: (FeatureRecord | undefined)[] = [];
  readonly #keypoints: Uint8Array[] = [];

  add(slot: number, dna: LocalDna): void {
    this.#records[slot] = recordOf(lookUp().reference(dna));
    this.#keypoints[slot] = dna.keypoints;
  }

  remove(slots: Iterable<number>): void {
    for (const slot of slots) this.#records[slot] = undefined;
  }

  lookUp(dna: LocalDna, variants: Variants = DEFAULT_VARIANTS): LocalQuery[] {
    return finished(entriesOf(dna, variants));
  }

  votes(query: readonly LocalQuery[], allowed: readonly number[] | null, slots: number): number[] {
    return Array.from({ length: slots }, (_, slot) => {
      const record = this.#records[slot];
      return record && (allowed?.includes(slot) ?? true) ? votesOf(query, alone(record))[0] : 0;
    });
  }

  /** None in a variant that was not looked up. */
  correspondences(query: readonly LocalQuery[], variant: Variant, slots: readonly number[]): Correspondences[] {
    const own = query.find((each) => each.variant === variant);
    return own ? slots.map((slot) => correspond(own, this.#records[slot]!, this.#keypoints[slot])) : [];
  }
}

function alone(record: FeatureRecord): Batch {
  return { features: Uint16Array.of(record.length / recordBytes(1)), head: 0, read: (into) => into.set(record) };
}

/** The exhaustive scan that the kernels must equal: every feature of every picture, with plain twins alone. */
export class Scan {
  readonly #postings = new Postings();
  readonly #places: Omit<Seen, 'feature' | 'distance'>[] = [];

  add(slot: number, dna: LocalDna): void {
    const { x, y, angle, level } = keypointsOf(dna);
    const features = wordsOf(dna, false, 1).map(([word], i) => {
      const half = (v: number): number => Math.min(511.5, Math.round(2 * v) / 2);
      const near = { x: half(x[i]), y: half(y[i]), angle: (2 * Math.ceil(angle[i] / 2)) & 255, level: level[i] };
      return { ...word, place: this.#places.push(near) - 1 };
    });
    this.#postings.insert(slot, features);
  }

  remove(slots: Iterable<number>): void {
    this.#postings.sweep(new Set(slots));
  }

  /** For each slot the votes of the picture or of its mirror image, whichever are more. */
  votes(query: LocalDna, allowed: readonly number[] | null, slots: number): number[] {
    const [straight, mirrored] = [false, true].map((mirror) => this.#votes(query, mirror));
    const isAllowed = (slot: number): boolean => !allowed || allowed.includes(slot);
    return Array.from({ length: slots }, (_, slot) =>
      isAllowed(slot) ? Math.max(straight.get(slot) ?? 0, mirrored.get(slot) ?? 0) : 0,
    );
  }

  correspondences(query: LocalDna, mirror: boolean, slot: number): Seen[] {
    const all = this.#near(query, mirror)
      .filter(({ picture }) => picture === slot)
      .map(({ feature, distance, place }, order) => ({ feature, distance, order, ...this.#places[place] }));
    const nearest = all.toSorted((a, b) => a.distance - b.distance).slice(0, MAX_KEPT_HITS);
    return nearest.sort((a, b) => a.order - b.order).map(({ order: _, ...seen }) => seen);
  }

  /** Each feature gives each picture its best posting's weight, once; a word weighs less by the times that the query has it. */
  #votes(query: LocalDna, mirror: boolean): Map<number, number> {
    const all = searchedWords(query, mirror).flat();
    const times = new Map(all.map(({ word }) => [word, all.filter((other) => other.word === word).length]));
    const best = new Map<string, { picture: number; gain: number }>();
    for (const { feature, word, distance, picture } of this.#near(query, mirror)) {
      const gain = Math.round(vocabulary().idf[word] / times.get(word)!) * HAMMING_WEIGHTS[distance];
      const key = `${feature} ${picture}`;
      if (gain > (best.get(key)?.gain ?? 0)) best.set(key, { picture, gain });
    }
    const votes = new Map<number, number>();
    for (const { picture, gain } of best.values()) votes.set(picture, gain + (votes.get(picture) ?? 0));
    return votes;
  }

  #near(query: LocalDna, mirror: boolean): (Near & { feature: number; word: number })[] {
    const entries = searchedWords(query, mirror).flatMap((words, feature) =>
      words.map((word) => ({ ...word, feature })),
    );
    return this.#postings.near(entries, MAX_HAMMING_DISTANCE).map((near) => ({ ...near, ...entries[near.entry] }));
  }
}

/** All features of the picture, or the core of its mirror image. */
function searchedWords(query: LocalDna, mirror: boolean): Word[][] {
  return mirror
    ? wordsOf(query, true, WORDS_PER_MIRRORED_FEATURE).slice(0, query.core)
    : wordsOf(query, false, WORDS_PER_QUERY_FEATURE);
}

const known = new Map<string, Word[][]>();

/** The words of a DNA's features or of their mirror images. Looked up once, because plain code takes its time. */
export function wordsOf(dna: LocalDna, mirror: boolean, most: number): Word[][] {
  const key = `${digest(dna.bytes)} ${mirror} ${most}`;
  const found = known.get(key);
  if (found) return found;
  const books = vocabulary();
  const step = mirror ? books.mirroredStep : books.step;
  const code = (i: number): Uint8Array => dna.codes.subarray(32 * i, 32 * i + 32);
  const looked = Array.from({ length: dna.count }, (_, i) => words(unpack(code(i), step), books, most));
  known.set(key, looked);
  return looked;
}
