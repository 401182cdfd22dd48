import { loadKernels } from '@sosia/engine/kernels/kernels';
import { Postings } from '@sosia/engine/oracles/postings';
import { words, type Word } from '@sosia/engine/oracles/words';
import { WORDS, type Vocabulary } from '@sosia/engine/vocabulary';
import { randomFor } from '@sosia/testing/pictures/random';
import type { Case } from './cases.ts';

const REACH = 22;
const PICTURES = 30;
const ROOM = 4096;

/** A picture's features looked up among those of many, which are its own with bits of the signatures turned by chance. */
export function looking(vectors: readonly Float32Array[], trained: Vocabulary): Case {
  const query = vectors.map((vector) => words(vector, trained, 4));
  const stored = query.map(([first]) => first!);
  const entries = query.flat();
  const lists = new Lists(entries.length);
  const twin = new Postings();
  const random = randomFor('looking');
  for (let picture = 0; picture < PICTURES; picture++) {
    const noisy = stored.map(({ word, signature }, place) => ({ word, place, signature: signature ^ noise(random()) }));
    lists.insert(picture, noisy);
    twin.insert(picture, noisy);
  }
  lists.merge();
  lists.ask(entries);
  return {
    name: 'near',
    work: `${query.length} features, 4 words each, among ${PICTURES} pictures`,
    wasm: () => lists.near(entries.length),
    twin: () => twin.near(entries, REACH),
  };
}

/** Up to 24 bits, anywhere. */
function noise(chance: number): bigint {
  return BigInt(Math.floor(chance * 2 ** 24)) << BigInt(Math.floor(chance * 40));
}

/** The lists in WebAssembly, with room for one query. */
class Lists {
  readonly #kernels = loadKernels();
  readonly #entries: number;
  readonly #places: number;
  readonly #cursor: number;
  readonly #out: number;
  readonly #given: number;

  constructor(most: number) {
    const claim = (bytes: number): number => this.#kernels.claim(bytes);
    this.#entries = claim(16 * most);
    this.#places = claim(4 * most);
    this.#cursor = claim(8);
    this.#out = claim(12 * ROOM);
    this.#given = claim(4 * PICTURES);
    this.#kernels.openLists(WORDS);
  }

  insert(picture: number, features: readonly (Word & { place: number })[]): void {
    this.ask(features);
    const places = new Uint32Array(this.#kernels.memory.buffer, this.#places, features.length);
    places.set(features.map(({ place }) => place));
    this.#kernels.insert(picture, this.#entries, this.#places, features.length);
  }

  merge(): void {
    for (let round = 0; round < 2;) round = this.#kernels.merge(round, 1 << 30);
  }

  ask(features: readonly Word[]): void {
    const entries = new BigUint64Array(this.#kernels.memory.buffer, this.#entries, 2 * features.length);
    features.forEach(({ word, signature }, i) => entries.set([BigInt(word), signature], 2 * i));
  }

  near(entries: number): void {
    new Uint32Array(this.#kernels.memory.buffer, this.#cursor, 2).fill(0);
    new Uint32Array(this.#kernels.memory.buffer, this.#given, PICTURES).fill(0);
    const about = [this.#cursor, this.#given, 1 << 15, 1 << 19, this.#out, ROOM] as const;
    while (new Uint32Array(this.#kernels.memory.buffer, this.#cursor, 1)[0]! < entries) {
      this.#kernels.near(this.#entries, entries, REACH, ...about);
    }
  }
}
