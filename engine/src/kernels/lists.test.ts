import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Entry, entryNumbers, type Feature, featureNumbers, Lists as Plain } from '../../test/oracles/lists.ts';
import { loadKernels } from './kernels.ts';

const LIST_COUNT = 5;
const SLOT_COUNT = 12;
const MAX_FEATURES = 4096;
const NEARNESS_WEIGHTS = Uint16Array.from({ length: 41 }, (_, off) => 256 - 6 * off);

/** The lists in WebAssembly, with the methods of their twin. */
class Lists {
  readonly #kernels = loadKernels();
  readonly #features = this.#kernels.allocate(8 * MAX_FEATURES);
  readonly #nearness = this.#kernels.allocate(NEARNESS_WEIGHTS.byteLength);

  constructor(lists = LIST_COUNT) {
    this.#kernels.openLists(lists);
    this.#view(Uint16Array, this.#nearness, NEARNESS_WEIGHTS.length).set(NEARNESS_WEIGHTS);
  }

  insert(slot: number, features: readonly Feature[]): void {
    this.#view(Uint32Array, this.#features, 2 * features.length).set(features.flatMap(featureNumbers));
    this.#kernels.insert(slot, this.#features, features.length);
  }

  /** @param piece  postings and lists a call */
  settle(piece = 1 << 30): void {
    while (!this.#kernels.settle(piece));
  }

  sweep(dead: ReadonlySet<number>, piece = 1 << 30): void {
    this.settle(piece);
    const flags = this.#kernels.spare(SLOT_COUNT);
    this.#view(Uint8Array, flags, SLOT_COUNT).set(everySlot.map((slot) => Number(dead.has(slot))));
    while (!this.#kernels.sweep(flags, SLOT_COUNT, piece));
  }

  /** @param piece  entries a call */
  votes(entries: readonly Entry[], piece = 1 << 30): number[] {
    const given = this.#kernels.spare(20 * SLOT_COUNT + 16 * entries.length);
    const [best, own, every] = [given + 8 * SLOT_COUNT, given + 12 * SLOT_COUNT, given + 16 * SLOT_COUNT];
    const at = given + 20 * SLOT_COUNT;
    this.#view(Uint8Array, given, 12 * SLOT_COUNT).fill(0);
    this.#view(Uint32Array, at, 4 * entries.length).set(entries.flatMap(entryNumbers));
    let voted = 0;
    for (let from = 0; from < entries.length; from += piece) {
      const to = Math.min(from + piece, entries.length);
      voted = this.#kernels.vote(at, from, to, this.#nearness, given, own, voted);
    }
    const count = this.#kernels.keepMost(given, own, voted, best, every, 0);
    const votes = [...this.#view(Uint32Array, best, SLOT_COUNT)];
    const listed = [...this.#view(Uint32Array, every, count)].sort((a, b) => a - b);
    assert.deepEqual(
      listed,
      everySlot.filter((slot) => votes[slot] > 0),
    );
    assert.ok(this.#view(Uint32Array, given, 2 * SLOT_COUNT).every((number) => number === 0));
    return votes;
  }

  get bytes(): number {
    return this.#kernels.usedBytes();
  }

  #view<T>(Type: new (buffer: ArrayBuffer, at: number, n: number) => T, at: number, n: number): T {
    return new Type(this.#kernels.memory.buffer, at, n);
  }
}

const everySlot = Array.from({ length: SLOT_COUNT }, (_, i) => i);
// few of them, so that many are near; the lowest and the highest of a list
const word = fc.nat(LIST_COUNT - 1);
const bits = fc.constantFrom(
  0,
  1,
  3,
  0x10003,
  0x30001,
  0x100010000,
  0x8000000000,
  0x8080000000,
  0xff00000000,
  0xfffffffffe,
  0xffffffffff,
);
const feature = fc.tuple(word, bits);
const reach = fc.tuple(fc.constantFrom(0, 1, 2, 8), fc.constantFrom(0, 1, 2, 5, 24), fc.constantFrom(0, 1, 2, 7, 40));
const entry: fc.Arbitrary<Entry> = fc.record({ word, bits, weight: fc.integer({ min: 1, max: 16_000 }), reach });
const entries = fc.array(entry, { maxLength: 40 });
const slotSet = fc.uniqueArray(fc.nat(SLOT_COUNT - 1)).map((slots) => new Set(slots));
/** Postings and lists that are merged or swept by one call, and entries. */
const piece = fc.constantFrom(1, 3, 1 << 30);

type Step =
  | { kind: 'insert'; features: Feature[] }
  | { kind: 'settle'; piece: number }
  | { kind: 'sweep'; dead: Set<number>; piece: number }
  | { kind: 'vote'; entries: Entry[]; piece: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('insert' as const), features: fc.array(feature, { maxLength: 40 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('settle' as const), piece }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const), dead: slotSet, piece }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('vote' as const), entries, piece }) },
);

test('whatever is inserted, merged and swept, the votes are those of the plain twin', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 25, size: 'max' }), (steps) => {
      const [lists, plain] = [new Lists(), new Plain()];
      const free = [...everySlot];
      for (const step of steps) {
        if (step.kind === 'insert') {
          const slot = free.pop();
          if (slot === undefined) continue;
          for (const both of [lists, plain]) both.insert(slot, step.features);
        } else if (step.kind === 'settle') {
          lists.settle(step.piece);
        } else if (step.kind === 'sweep') {
          lists.sweep(step.dead, step.piece);
          plain.sweep(step.dead);
          free.push(...[...step.dead].filter((slot) => !free.includes(slot)));
        } else {
          assert.deepEqual(
            lists.votes(step.entries, step.piece),
            plain.votes(step.entries, SLOT_COUNT, NEARNESS_WEIGHTS),
          );
        }
      }
    }),
    { numRuns: 200 },
  );
});

test('write buffers that are merged with each insertion leave every posting in its list, and so do sweeps', () => {
  const [lists, plain] = [new Lists(1280), new Plain()];
  const every = Array.from({ length: 1280 }, (_, i): Entry => ({
    word: i,
    bits: 16 * i,
    weight: 9 + (i % 255),
    reach: [1, 2, 3],
  }));
  const assertAgree = (): void =>
    assert.deepEqual(lists.votes(every), plain.votes(every, SLOT_COUNT, NEARNESS_WEIGHTS));
  for (let round = 0; round < 30; round++) {
    const slot = round % SLOT_COUNT;
    // 900 words of 1,280: a write buffer of 4,096 is full after five pictures
    const features = Array.from({ length: 900 }, (_, i): Feature => {
      const word = (i * 7 + round * 11) % 1280;
      return [word, (16 * word) ^ (1 << (i % 24))];
    });
    for (const both of [lists, plain]) {
      if (round >= SLOT_COUNT) both.sweep(new Set([slot]));
      both.insert(slot, features);
    }
    assertAgree();
  }
});

test('memory given back by sweeping is used again', () => {
  const lists = new Lists();
  const features = Array.from({ length: 900 }, (_, i): Feature => [i % LIST_COUNT, 20 * i]);
  const put = (times: number): void => {
    for (let i = 0; i < times; i++) lists.insert(0, features);
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

test('long lists, of which most postings are far, give the votes of the plain twin', () => {
  const [lists, plain] = [new Lists(), new Plain()];
  for (const slot of everySlot) {
    const features = Array.from({ length: 900 }, (_, i): Feature => [
      1,
      65_536 * (((i * 7919 + slot * 104_729) * 31) & 0xffffff) + ((i * 31) & 0xffff),
    ]);
    for (const both of [lists, plain]) both.insert(slot, features);
  }
  lists.settle();
  const every = Array.from({ length: 60 }, (_, i): Entry => ({
    word: 1,
    bits: 65_536 * ((i * 7919 * 31) & 0xffffff) + ((i * 37) & 0xffff),
    weight: 200 - i,
    reach: [3, 7, 12],
  }));
  assert.deepEqual(lists.votes(every), plain.votes(every, SLOT_COUNT, NEARNESS_WEIGHTS));
});

test('those slots are selected whose scores are highest and reach the least one, with all that tie with the last', () => {
  const kernels = loadKernels();
  const BINS = 1 << 16;
  const number = fc.oneof(fc.nat(3), fc.nat(1 << 13), fc.nat(1 << 27));
  const slots = fc.array(fc.tuple(number, fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 65_535 }))), { maxLength: 50 }); // prettier-ignore
  const least = fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 1 << 30 }));
  fc.assert(
    fc.property(slots, fc.integer({ min: 1, max: 20 }), least, (slots, limit, least) => {
      const order = slots.map((_, slot) => slot).reverse();
      const n = slots.length;
      const at = kernels.spare(22 * n + 16 + 4 * BINS);
      const [listed, scores, out, bins] = [at + 4 * n, at + 8 * n, at + 12 * n, at + 20 * n];
      const norms = bins + 4 * BINS;
      const view = (at: number, n: number) => new Uint32Array(kernels.memory.buffer, at, n);
      view(at, n).set(slots.map(([votes]) => votes));
      view(listed, n).set(order);
      new Uint16Array(kernels.memory.buffer, norms, n).set(slots.map(([, norm]) => norm));
      view(bins, BINS).fill(0);
      const half = n >> 1;
      kernels.scores(listed, half, at, norms, scores, bins);
      kernels.scores(listed + 4 * half, n - half, at, norms, scores + 4 * half, bins);
      const all = order.map((slot) => {
        const [votes, norm] = slots[slot];
        return { slot, score: norm === 0 ? 0 : Math.min(2 ** 32 - 1, Math.floor((1024 * votes) / norm)) };
      });
      const count = kernels.select(listed, n, scores, bins, limit, least, out);
      const selected = Array.from({ length: count }, (_, i) => {
        const [slot, score] = view(out + 8 * i, 2);
        return { slot, score };
      });
      const last = Math.max(least, all.map(({ score }) => score).sort((a, b) => b - a)[limit - 1] ?? 0);
      // of high scores those are selected too that are within 512 of the last
      const binned = Math.min(512 * Math.floor(last / 512), 512 * ((1 << 15) - 1));
      const lowest = Math.max(least, last < 1 << 15 ? last : binned);
      assert.deepEqual(
        selected,
        all.filter(({ score }) => score >= lowest),
      );
    }),
  );
});
