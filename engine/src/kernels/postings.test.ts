import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { loadKernels } from './kernels.ts';
import { type Found, Postings } from './postings.ts';
import type { Word } from './words.ts';

const WORDS = 5;
const PICTURES = 12;
const REACH = 4;
const WEIGHTS = [256, 200, 150, 70, 30];
const IDF = [1, 300, 7, 0, 1000];
const ROOM = 6;

type Feature = Word & { place: number };

/** The lists in WebAssembly, asked the way their twin is. */
class Lists {
  readonly #kernels = loadKernels();
  readonly #room: { entries: number; places: number; weights: number; idf: number; slots: number; out: number };

  constructor() {
    this.#kernels.openLists(WORDS);
    const claim = (bytes: number): number => this.#kernels.claim(bytes);
    this.#room = {
      entries: claim(16 * 1000),
      places: claim(4 * 1000),
      weights: claim(2 * WEIGHTS.length),
      idf: claim(2 * WORDS),
      slots: claim(16 * PICTURES),
      out: claim(8 * ROOM * PICTURES + 4 * PICTURES),
    };
    this.#view(Uint16Array, this.#room.weights, WEIGHTS.length).set(WEIGHTS);
    this.#view(Uint16Array, this.#room.idf, WORDS).set(IDF);
  }

  insert(picture: number, features: readonly Feature[]): void {
    this.#write(features);
    this.#view(Uint32Array, this.#room.places, features.length).set(features.map(({ place }) => place));
    this.#kernels.insert(picture, this.#room.entries, this.#room.places, features.length);
  }

  sweep(dead: ReadonlySet<number>): void {
    this.#flag(dead);
    this.#kernels.sweep(this.#room.slots);
  }

  vote(query: readonly (readonly Word[])[], only: ReadonlySet<number> | null): number[] {
    this.#write(query.flat());
    const { entries, weights, idf, slots } = this.#room;
    if (only) this.#flag(only);
    const votes = slots + PICTURES;
    this.#view(Uint32Array, votes, 3 * PICTURES).fill(0);
    const most = query[0]?.length ?? 1;
    const flags = only ? slots : 0;
    this.#kernels.vote(entries, query.length, most, REACH, weights, idf, flags, votes, votes + 4 * PICTURES);
    return [...this.#view(Uint32Array, votes, PICTURES)];
  }

  /** What stands behind the votes of some pictures, one list a picture. */
  collect(query: readonly (readonly Word[])[], pictures: readonly number[]): Found[][] {
    this.#write(query.flat());
    const { entries, slots, out } = this.#room;
    const ranks = this.#view(Uint16Array, slots, PICTURES).fill(0xffff);
    pictures.forEach((picture, rank) => (ranks[picture] = rank));
    const counts = out + 8 * ROOM * PICTURES;
    this.#view(Uint32Array, counts, PICTURES).fill(0);
    const most = query[0]?.length ?? 1;
    this.#kernels.collect(entries, query.length, most, REACH, slots, out, ROOM, counts);
    return pictures.map((_, rank) => {
      const found = this.#view(Uint32Array, out + 8 * ROOM * rank, 2 * ROOM);
      return Array.from({ length: this.#view(Uint32Array, counts, PICTURES)[rank] }, (_, i) => {
        return { feature: found[2 * i] & 0xffff, distance: found[2 * i] >>> 16, place: found[2 * i + 1] };
      });
    });
  }

  get bytes(): number {
    return this.#kernels.usedBytes();
  }

  #write(words: readonly Word[]): void {
    const entries = new BigUint64Array(this.#kernels.memory.buffer, this.#room.entries, 2 * words.length);
    entries.set(words.flatMap(({ word, signature }) => [BigInt(word), signature]));
  }

  #flag(pictures: ReadonlySet<number>): void {
    const flags = this.#view(Uint8Array, this.#room.slots, PICTURES).fill(0);
    for (const picture of pictures) flags[picture] = 1;
  }

  #view<T>(Type: new (buffer: ArrayBuffer, at: number, n: number) => T, at: number, n: number): T {
    return new Type(this.#kernels.memory.buffer, at, n);
  }
}

// signatures a few bits from one of two, so that distances lie on both sides of the reach; bits of both halves
const signature = fc
  .tuple(
    fc.constantFrom(0n, 0xffff_0000_ffff_0000n),
    fc.uniqueArray(fc.constantFrom(0n, 1n, 17n, 31n, 32n, 40n, 62n, 63n)),
  )
  .map(([base, bits]) => bits.reduce((code, bit) => code ^ (1n << bit), base as bigint));
const word = fc.record({ word: fc.nat(WORDS - 1), signature });
const feature = fc.record({ word: fc.nat(WORDS - 1), signature, place: fc.nat({ max: 0xffffffff }) });
const picture = fc.nat(PICTURES - 1);
const pictureSet = fc.uniqueArray(picture).map((pictures) => new Set(pictures));
const question = fc.integer({ min: 1, max: 3 }).chain((most) => {
  const words = fc.uniqueArray(word, { minLength: most, maxLength: most, selector: ({ word }) => word });
  return fc.array(words, { maxLength: 8 });
});

type Step =
  | { kind: 'insert'; picture: number; features: Feature[] }
  | { kind: 'sweep'; dead: Set<number> }
  | { kind: 'ask'; query: Word[][]; only: Set<number> | null };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('insert' as const),
      picture,
      features: fc.array(feature, { maxLength: 40, size: 'max' }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const), dead: pictureSet }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('ask' as const), query: question, only: fc.option(pictureSet) }),
  },
);

const everyPicture = Array.from({ length: PICTURES }, (_, i) => i);

test('whatever is inserted and swept, votes and what stands behind them are what an exhaustive scan says', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 25, size: 'max' }), (steps) => {
      const lists = new Lists();
      const scan = new Postings();
      for (const step of steps) {
        if (step.kind === 'insert') {
          lists.insert(step.picture, step.features);
          scan.insert(step.picture, step.features);
        } else if (step.kind === 'sweep') {
          lists.sweep(step.dead);
          scan.sweep(step.dead);
        } else {
          const votes = scan.vote(step.query, REACH, WEIGHTS, IDF, step.only);
          assert.deepEqual(
            lists.vote(step.query, step.only),
            everyPicture.map((picture) => votes.get(picture) ?? 0),
          );
          const asked = step.only ? [...step.only] : everyPicture;
          assert.deepEqual(
            lists.collect(step.query, asked),
            asked.map((picture) => scan.collect(step.query, REACH, picture, ROOM)),
          );
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('long lists keep every posting in the order of insertion, and what is swept leaves the rest so', () => {
  const lists = new Lists();
  const scan = new Postings();
  const query = [[{ word: 1, signature: 5n }], [{ word: 1, signature: 7n }]];
  const assertAgree = (): void => {
    const votes = scan.vote(query, REACH, WEIGHTS, IDF, null);
    assert.deepEqual(
      lists.vote(query, null),
      everyPicture.map((picture) => votes.get(picture) ?? 0),
    );
    const collected = everyPicture.map((picture) => scan.collect(query, REACH, picture, ROOM));
    assert.deepEqual(lists.collect(query, everyPicture), collected);
  };
  // up to every size of block, and down again
  for (let place = 0; place < 2000; place++) {
    const features = [{ word: 1, signature: BigInt(place % 64), place }];
    for (const both of [lists, scan]) both.insert((place * 7) % PICTURES, features);
    if ([7, 8, 9, 23, 24, 25, 63, 64, 159, 160, 161, 511, 512, 513, 1999].includes(place)) assertAgree();
  }
  for (const dead of [[0, 1, 2, 3], [4, 5, 6, 7, 8, 9], [10], [11]]) {
    for (const both of [lists, scan]) both.sweep(new Set(dead));
    assertAgree();
    for (const both of [lists, scan]) both.insert(dead[0], [{ word: 1, signature: 5n, place: 9999 }]);
    assertAgree();
  }
});

test('memory given back by sweeping is used again before more is taken', () => {
  const lists = new Lists();
  const features = Array.from({ length: 900 }, (_, i) => ({ word: i % WORDS, signature: BigInt(i), place: i }));
  lists.insert(0, features);
  lists.insert(1, features);
  lists.sweep(new Set([0]));
  const before = lists.bytes;
  for (let round = 0; round < 20; round++) {
    lists.insert(0, features);
    lists.sweep(new Set([0]));
  }
  // sweeping copies a list's first block before it is given back: one block more of each size at most
  assert.ok(lists.bytes <= before + 4008, `${lists.bytes} bytes, ${before} before`);
});
