import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Entry, Lists as Plain } from '../../test/oracles/lists.ts';
import { loadKernels } from './kernels.ts';

const LISTS = 5;
const PICTURES = 12;
const MOST = 1000;

/** The lists in WebAssembly, with the methods of their twin. */
class Lists {
  readonly #kernels = loadKernels();
  readonly #terms = this.#kernels.claim(4 * MOST);

  constructor() {
    this.#kernels.openLists(LISTS);
  }

  insert(picture: number, terms: readonly number[]): void {
    this.#view(Uint32Array, this.#terms, terms.length).set(terms);
    this.#kernels.insert(picture, this.#terms, terms.length);
  }

  /** @param piece  postings and lists a call */
  merge(piece = 1 << 30): void {
    for (let round = 0; round < 2;) round = this.#kernels.merge(round, piece);
  }

  sweep(dead: ReadonlySet<number>, piece = 1 << 30): void {
    this.merge(piece);
    const flags = this.#kernels.spare(PICTURES);
    this.#view(Uint8Array, flags, PICTURES).set(everyPicture.map((picture) => Number(dead.has(picture))));
    while (!this.#kernels.sweep(flags, piece));
  }

  /** @param features  of each as many entries  @param piece  features a call */
  votes(features: readonly (readonly Entry[])[], piece = 1 << 30): number[] {
    const each = features[0]?.length ?? 0;
    const all = features.flat();
    const given = this.#kernels.spare(16 * PICTURES + 16 * all.length);
    const best = given + 12 * PICTURES;
    const entries = best + 4 * PICTURES;
    this.#view(Uint8Array, given, 16 * PICTURES).fill(0);
    this.#view(Uint32Array, entries, 4 * all.length).set(all.flatMap(({ term, gains }) => [term, ...gains]));
    for (let from = 0; from < features.length; from += piece) {
      this.#kernels.vote(entries, each, from, Math.min(from + piece, features.length), given);
    }
    this.#kernels.keepMost(given, PICTURES, best);
    return [...this.#view(Uint32Array, best, PICTURES)];
  }

  get bytes(): number {
    return this.#kernels.usedBytes();
  }

  #view<T>(Type: new (buffer: ArrayBuffer, at: number, n: number) => T, at: number, n: number): T {
    return new Type(this.#kernels.memory.buffer, at, n);
  }
}

const everyPicture = Array.from({ length: PICTURES }, (_, i) => i);
// few of them, so that terms are common; the lowest and the highest of a list
const term = fc
  .tuple(fc.nat(LISTS - 1), fc.constantFrom(0, 1, 3, 7, 2048, 4094, 4095))
  .map(([list, low]) => 4096 * list + low);
const gains = fc.tuple(fc.nat(90), fc.nat(90), fc.nat(90)).map(([a, b, c]): Entry['gains'] => [a + b + c, b + c, c]);
const entry: fc.Arbitrary<Entry> = fc.record({ term, gains });
const features = fc
  .integer({ min: 1, max: 6 })
  .chain((each) => fc.array(fc.array(entry, { minLength: each, maxLength: each }), { maxLength: 12 }));
const pictureSet = fc.uniqueArray(fc.nat(PICTURES - 1)).map((pictures) => new Set(pictures));
/** Postings and lists that are merged or swept by one call, and features. */
const piece = fc.constantFrom(1, 3, 1 << 30);

type Step =
  | { kind: 'insert'; terms: number[] }
  | { kind: 'merge'; piece: number }
  | { kind: 'sweep'; dead: Set<number>; piece: number }
  | { kind: 'vote'; features: Entry[][]; piece: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('insert' as const), terms: fc.uniqueArray(term, { maxLength: 15 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('merge' as const), piece }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const), dead: pictureSet, piece }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('vote' as const), features, piece }) },
);

test('whatever is inserted, merged and swept, the votes are those of the plain twin', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 25, size: 'max' }), (steps) => {
      const [lists, plain] = [new Lists(), new Plain()];
      const free = [...everyPicture];
      for (const step of steps) {
        if (step.kind === 'insert') {
          const picture = free.pop();
          if (picture === undefined) continue;
          for (const both of [lists, plain]) both.insert(picture, step.terms);
        } else if (step.kind === 'merge') {
          lists.merge(step.piece);
        } else if (step.kind === 'sweep') {
          lists.sweep(step.dead, step.piece);
          plain.sweep(step.dead);
          free.push(...[...step.dead].filter((picture) => !free.includes(picture)));
        } else {
          assert.deepEqual(lists.votes(step.features, step.piece), plain.votes(step.features, PICTURES));
        }
      }
    }),
    { numRuns: 200 },
  );
});

test('write buffers that are merged with each insertion leave every posting in its list, and so do sweeps', () => {
  const [lists, plain] = [new Lists(), new Plain()];
  const every = Array.from({ length: 1280 }, (_, i): Entry[] => [{ term: 16 * i, gains: [9 + (i % 255), 5, 3] }]);
  const assertAgree = (): void => assert.deepEqual(lists.votes(every), plain.votes(every, PICTURES));
  for (let round = 0; round < 16; round++) {
    const picture = round % PICTURES;
    // 900 terms of 1,280: a write buffer of 4,096 is full after five pictures
    const terms = Array.from({ length: 900 }, (_, i) => 16 * ((i * 7 + round * 11) % 1280));
    for (const both of [lists, plain]) {
      if (round >= PICTURES) both.sweep(new Set([picture]));
      both.insert(picture, [...new Set(terms)]);
    }
    assertAgree();
  }
});

test('memory given back by sweeping is used again', () => {
  const lists = new Lists();
  const terms = Array.from({ length: 900 }, (_, i) => 20 * i);
  const put = (times: number): void => {
    for (let i = 0; i < times; i++) lists.insert(0, terms);
  };
  put(50);
  const before = lists.bytes;
  for (let round = 0; round < 5; round++) {
    lists.sweep(new Set([0]));
    assert.ok(lists.bytes < before / 2, `${lists.bytes} bytes, ${before} before`);
    put(50);
    assert.equal(lists.bytes, before);
  }
});

test('long lists, read run by run, give the votes of the plain twin', () => {
  const [lists, plain] = [new Lists(), new Plain()];
  for (const picture of everyPicture) {
    // three quarters of all terms of one list
    const terms = Array.from({ length: 4096 }, (_, i) => 4096 + i).filter((term) => (term * 7 + picture) % 4 > 0);
    for (const both of [lists, plain]) both.insert(picture, terms.slice(100 * picture, 100 * picture + 999));
  }
  lists.merge();
  const every = Array.from({ length: 60 }, (_, i): Entry[] => [{ term: 4096 + 67 * i, gains: [200 - i, 90, 40] }]);
  assert.deepEqual(lists.votes(every), plain.votes(every, PICTURES));
});
