import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Near, Postings } from '../../test/oracles/postings.ts';
import type { Word } from '../../test/oracles/words.ts';
import { loadKernels } from './kernels.ts';

const WORDS = 5;
const PICTURES = 12;
const REACH = 4;
const MOST = 1000;

type Feature = Word & { place: number };

/** The lists in WebAssembly, with the methods of their twin. */
class Lists {
  readonly #kernels = loadKernels();
  readonly #entries = this.#kernels.claim(16 * MOST);
  readonly #places = this.#kernels.claim(4 * MOST);
  readonly #cursor = this.#kernels.claim(8);
  readonly #out = this.#kernels.claim(12 * MOST);
  readonly #given = this.#kernels.claim(4 * PICTURES);

  constructor() {
    this.#kernels.openLists(WORDS);
  }

  insert(picture: number, features: readonly Feature[]): void {
    this.#write(features);
    this.#view(Uint32Array, this.#places, features.length).set(features.map(({ place }) => place));
    this.#kernels.insert(picture, this.#entries, this.#places, features.length);
  }

  /** @param piece  postings and words a call */
  merge(piece = 1 << 30): void {
    for (let round = 0; round < 2;) round = this.#kernels.merge(round, piece);
  }

  sweep(dead: ReadonlySet<number>, piece = 1 << 30): void {
    this.merge(piece);
    const flags = this.#kernels.spare(PICTURES);
    this.#view(Uint8Array, flags, PICTURES).set(everyPicture.map((picture) => Number(dead.has(picture))));
    while (!this.#kernels.sweep(flags, piece));
  }

  /**
   * @param capacity   postings written by one call
   * @param most   postings written of one picture
   * @param quota  postings compared by one call
   */
  near(entries: readonly Word[], capacity: number, most = 1 << 30, quota = 1 << 30): Near[] {
    this.#write(entries);
    this.#view(Uint32Array, this.#cursor, 2).fill(0);
    this.#view(Uint32Array, this.#given, PICTURES).fill(0);
    const all: Near[] = [];
    const about = [this.#cursor, this.#given, most, quota, this.#out, capacity] as const;
    while (this.#view(Uint32Array, this.#cursor, 1)[0] < entries.length) {
      const n = this.#kernels.near(this.#entries, entries.length, REACH, ...about);
      for (let i = 0; i < n; i++) {
        const [like, picture, place] = this.#view(Uint32Array, this.#out + 12 * i, 3);
        all.push({ entry: like & 0xffff, distance: like >>> 16, picture, place });
      }
    }
    return all;
  }

  get bytes(): number {
    return this.#kernels.usedBytes();
  }

  #write(words: readonly Word[]): void {
    const entries = this.#view(BigUint64Array, this.#entries, 2 * words.length);
    entries.set(words.flatMap(({ word, signature }) => [BigInt(word), signature]));
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
  .map(([base, bits]) => bits.reduce<bigint>((code, bit) => code ^ (1n << bit), base));
const word = fc.record({ word: fc.nat(WORDS - 1), signature });
const feature = fc.record({ word: fc.nat(WORDS - 1), signature, place: fc.nat({ max: 0xffffffff }) });
const picture = fc.nat(PICTURES - 1);
const pictureSet = fc.uniqueArray(picture).map((pictures) => new Set(pictures));
/** Postings and words that are merged or swept by one call. */
const piece = fc.constantFrom(1, 3, 1 << 30);

type Step =
  | { kind: 'insert'; picture: number; features: Feature[] }
  | { kind: 'merge'; piece: number }
  | { kind: 'sweep'; dead: Set<number>; piece: number }
  | { kind: 'find'; entries: Word[]; capacity: number; most: number; quota: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('insert' as const),
      picture,
      features: fc.array(feature, { maxLength: 40, size: 'max' }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('merge' as const), piece }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const), dead: pictureSet, piece }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('find' as const),
      entries: fc.array(word, { maxLength: 24 }),
      capacity: fc.constantFrom(1, 2, 7, MOST),
      most: fc.constantFrom(1, 3, 1 << 30),
      quota: fc.constantFrom(1, 5, 1 << 30),
    }),
  },
);

const everyPicture = Array.from({ length: PICTURES }, (_, i) => i);

test('whatever is inserted, merged and swept, what is near is found as by an exhaustive scan, in its order', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 25, size: 'max' }), (steps) => {
      const lists = new Lists();
      const scan = new Postings();
      for (const step of steps) {
        if (step.kind === 'insert') {
          lists.insert(step.picture, step.features);
          scan.insert(step.picture, step.features);
        } else if (step.kind === 'merge') {
          lists.merge(step.piece);
        } else if (step.kind === 'sweep') {
          lists.sweep(step.dead, step.piece);
          scan.sweep(step.dead);
        } else {
          const { entries, capacity, most, quota } = step;
          assert.deepEqual(lists.near(entries, capacity, most, quota), scan.near(entries, REACH, most));
        }
      }
    }),
    { numRuns: 100 },
  );
});

test('tails merged on their own leave every posting in the order of insertion, and what is swept leaves the rest so', () => {
  const lists = new Lists();
  const scan = new Postings();
  const entries = [
    { word: 1, signature: 5n },
    { word: 4, signature: 7n },
  ];
  const assertAgree = (capacity = MOST): void =>
    assert.deepEqual(lists.near(entries, capacity), scan.near(entries, REACH));
  const put = (picture: number, features: Feature[]): void => {
    for (const both of [lists, scan]) both.insert(picture, features);
  };
  for (let place = 0; place < 10_000; place++) {
    put((place * 7) % PICTURES, [{ word: place % WORDS, signature: BigInt(place % 64), place }]);
    if (place % 1000 === 999) assertAgree();
    // a write buffer of 4,096 is full, and merged list by list with the next insertions
    for (const full of [4096, 8192])
      if (Math.abs(place - full) < 8) for (const capacity of [7, MOST]) assertAgree(capacity);
  }
  for (const dead of [[0, 1, 2, 3], [4, 5, 6, 7, 8, 9], [10], [11]]) {
    for (const both of [lists, scan]) both.sweep(new Set(dead));
    assertAgree();
    put(dead[0], [{ word: 1, signature: 5n, place: 9999 }]);
    assertAgree();
  }
});

test('what is swept while a write buffer is merged leaves the rest in its order', () => {
  const entries = [0, 1, 2, 3, 4].map((word) => ({ word, signature: 7n }));
  for (let more = 0; more < 8; more++) {
    const [lists, scan] = [new Lists(), new Postings()];
    for (const both of [lists, scan]) {
      for (let place = 0; place < 4096 + more; place++) {
        both.insert(place % PICTURES, [{ word: (place * place) % WORDS, signature: BigInt(place % 64), place }]);
      }
      both.sweep(new Set([1, 5]));
    }
    assert.deepEqual(lists.near(entries, MOST), scan.near(entries, REACH));
  }
});

test('memory given back by sweeping is used again', () => {
  const lists = new Lists();
  const features = Array.from({ length: 900 }, (_, i) => ({ word: i % WORDS, signature: BigInt(i), place: i }));
  const put = (picture: number, times: number): void => {
    for (let i = 0; i < times; i++) lists.insert(picture, features);
  };
  put(0, 50);
  const before = lists.bytes;
  for (let round = 0; round < 5; round++) {
    lists.sweep(new Set([0]));
    assert.ok(lists.bytes < before / 3, `${lists.bytes} bytes, ${before} before`);
    put(0, 50);
    assert.equal(lists.bytes, before);
  }
});
