import { loadKernels } from '@sosia/engine/kernels/kernels';
import { Postings } from '@sosia/engine/kernels/postings';
import { words, type Word } from '@sosia/engine/kernels/words';
import type { Vocabulary } from '@sosia/engine/vocabulary';
import { randomFor } from '../pictures/random.ts';
import type { Case } from './cases.ts';

const REACH = 22;
const PICTURES = 30;

/** A picture's features looked up among those of many, which are its own with bits of the signatures turned by chance. */
export function voting(vectors: readonly Float32Array[], trained: Vocabulary): Case {
  const query = vectors.map((vector) => words(vector, trained, 4));
  const stored = query.map(([first]) => first!);
  const weights = Array.from({ length: REACH + 1 }, (_, distance) => 256 - distance);
  const lists = new Lists(query.flat(), weights, trained);
  const twin = new Postings();
  const random = randomFor('voting');
  for (let picture = 0; picture < PICTURES; picture++) {
    const noisy = stored.map(({ word, signature }, place) => ({ word, place, signature: signature ^ noise(random()) }));
    lists.insert(picture, noisy);
    twin.insert(picture, noisy);
  }
  lists.ask(query.flat());
  const idf = [...trained.idf];
  return {
    name: 'vote',
    work: `${query.length} features, 4 words each, among ${PICTURES} pictures`,
    wasm: () => lists.vote(query.length),
    twin: () => twin.vote(query, REACH, weights, idf, null),
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
  readonly #weights: number;
  readonly #idf: number;
  readonly #votes: number;

  constructor(query: readonly Word[], weights: readonly number[], { idf }: Vocabulary) {
    const { memory } = this.#kernels;
    this.#kernels.openLists(idf.length);
    const claim = (bytes: number): number => this.#kernels.claim(bytes);
    this.#entries = claim(16 * query.length);
    this.#places = claim(4 * query.length);
    this.#weights = claim(2 * weights.length);
    this.#idf = claim(idf.byteLength);
    this.#votes = claim(12 * PICTURES);
    new Uint16Array(memory.buffer, this.#weights, weights.length).set(weights);
    new Uint16Array(memory.buffer, this.#idf, idf.length).set(idf);
  }

  insert(picture: number, features: readonly (Word & { place: number })[]): void {
    this.ask(features);
    const places = new Uint32Array(this.#kernels.memory.buffer, this.#places, features.length);
    places.set(features.map(({ place }) => place));
    this.#kernels.insert(picture, this.#entries, this.#places, features.length);
  }

  ask(features: readonly Word[]): void {
    const entries = new BigUint64Array(this.#kernels.memory.buffer, this.#entries, 2 * features.length);
    features.forEach(({ word, signature }, i) => entries.set([BigInt(word), signature], 2 * i));
  }

  vote(features: number): void {
    new Uint32Array(this.#kernels.memory.buffer, this.#votes, 3 * PICTURES).fill(0);
    const seen = this.#votes + 4 * PICTURES;
    this.#kernels.vote(this.#entries, features, 4, REACH, this.#weights, this.#idf, 0, this.#votes, seen);
  }
}
