import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Entry, entryNumbers, type Feature, featureNumbers, Lists as Plain } from '../../test/oracles/lists.ts';
import { stream } from '../../test/planted.ts';
import { loadKernels } from './kernels.ts';

const LIST_COUNT = 5;
const SLOT_COUNT = 12;
const MAX_FEATURES = 4096;
/** What `acceptMain` returns for lists that are wrong. */
const INVALID_LISTS = -1;
const NEARNESS_WEIGHTS = Uint16Array.from({ length: 41 }, (_, off) => 256 - 6 * off);
const everySlot = Array.from({ length: SLOT_COUNT }, (_, i) => i);

/** The main lists in WebAssembly, with the methods of their twin. */
class Main {
  readonly kernels = loadKernels();
  readonly #nearness = this.kernels.allocate(NEARNESS_WEIGHTS.byteLength);

  constructor() {
    this.kernels.openMain(LIST_COUNT);
    this.view(Uint16Array, this.#nearness, NEARNESS_WEIGHTS.length).set(NEARNESS_WEIGHTS);
  }

  /** Pictures arrive in pieces of so many lists, and are to be merged. */
  take(pictures: ReadonlyMap<number, readonly Feature[]>, lists: number): void {
    const { kernels } = this;
    const recent = loadKernels();
    const features = recent.allocate(8 * MAX_FEATURES);
    recent.openLists(LIST_COUNT);
    const slots = [...pictures.keys()];
    slots.forEach((slot, i) => {
      const all = pictures.get(slot)!;
      for (let from = 0; from < all.length; from += MAX_FEATURES) {
        const some = all.slice(from, from + MAX_FEATURES);
        new Uint32Array(recent.memory.buffer, features, 2 * some.length).set(some.flatMap(featureNumbers));
        recent.insert(i, features, some.length);
      }
    });
    while (!recent.settle(1 << 30));
    const table = new Uint32Array(recent.memory.buffer, recent.tableAt(), 4 * (LIST_COUNT + 1));
    const lengths = this.view(Uint32Array, kernels.arrivingTableAt(), 2 * LIST_COUNT);
    for (let i = 0; i < LIST_COUNT; i++) lengths[2 * i + 1] = table[4 * (i + 1)] - table[4 * i];
    kernels.expect();
    for (let first = 0; first < LIST_COUNT; first += lists) {
      const last = Math.min(LIST_COUNT, first + lists);
      const bytes = 7 * (table[4 * last] - table[4 * first]);
      const at = kernels.spareInMain(4 * slots.length + bytes);
      const from = at + 4 * slots.length;
      this.view(Uint32Array, at, slots.length).set(slots);
      this.view(Uint8Array, from, bytes).set(
        new Uint8Array(recent.memory.buffer, recent.baseAt() + 7 * table[4 * first], bytes),
      );
      kernels.arrive(first, last, from, at);
    }
    kernels.beginMerging();
  }

  sweep(dead: ReadonlySet<number>, piece: number): void {
    const flags = this.kernels.spareInMain(SLOT_COUNT);
    this.view(Uint8Array, flags, SLOT_COUNT).set(everySlot.map((slot) => Number(dead.has(slot))));
    while (!this.kernels.sweepMain(flags, SLOT_COUNT, piece));
  }

  votes(entries: readonly Entry[]): number[] {
    const { kernels } = this;
    const given = kernels.spareInMain(20 * SLOT_COUNT + 16 * entries.length);
    const [best, own, every] = [given + 8 * SLOT_COUNT, given + 12 * SLOT_COUNT, given + 16 * SLOT_COUNT];
    const at = given + 20 * SLOT_COUNT;
    this.view(Uint8Array, given, 12 * SLOT_COUNT).fill(0);
    this.view(Uint32Array, at, 4 * entries.length).set(entries.flatMap(entryNumbers));
    const half = entries.length >> 1;
    const voted = kernels.voteInMain(at, 0, half, this.#nearness, given, own, 0);
    const count = kernels.voteInMain(at, half, entries.length, this.#nearness, given, own, voted);
    kernels.keepMost(given, own, count, best, every, 0);
    return [...this.view(Uint32Array, best, SLOT_COUNT)];
  }

  /** The table and the lists. */
  copy(): { table: Uint32Array; lists: Uint8Array } {
    const { kernels } = this;
    return {
      table: this.view(Uint32Array, kernels.mainTableAt(), 2 * LIST_COUNT).slice(),
      lists: this.view(Uint8Array, kernels.mainAt(), kernels.mainBytes()).slice(),
    };
  }

  /** @returns whether it is accepted */
  restore({ table, lists }: { table: Uint32Array; lists: Uint8Array }, slots = SLOT_COUNT): boolean {
    const { kernels } = this;
    this.view(Uint32Array, kernels.mainTableAt(), 2 * LIST_COUNT).set(table);
    if (!kernels.layMain(lists.length)) return false;
    this.view(Uint8Array, kernels.mainAt(), lists.length).set(lists);
    for (let next = 0; next < LIST_COUNT;) {
      next = kernels.acceptMain(next, slots, 1);
      if (next === INVALID_LISTS) return false;
    }
    return true;
  }

  view<T>(Type: new (buffer: ArrayBuffer, at: number, n: number) => T, at: number, n: number): T {
    return new Type(this.kernels.memory.buffer, at, n);
  }
}

const word = fc.nat(LIST_COUNT - 1);
const bits = fc.constantFrom(
  ...[0, 1, 3, 0x10003, 0x30001, 0x100010000, 0x8000000000, 0x8080000000, 0xff00000000, 0xfffffffffe, 0xffffffffff],
);
const feature = fc.tuple(word, bits);
const reach = fc.tuple(fc.constantFrom(0, 1, 2, 8), fc.constantFrom(0, 1, 2, 5, 24), fc.constantFrom(0, 1, 2, 7, 40));
const entry: fc.Arbitrary<Entry> = fc.record({ word, bits, weight: fc.integer({ min: 1, max: 16_000 }), reach });
const entries = fc.array(entry, { maxLength: 40 });
const piece = fc.constantFrom(1, 3, 1 << 30);
const slotSet = fc.uniqueArray(fc.nat(SLOT_COUNT - 1)).map((slots) => new Set(slots));
const step = fc.oneof(
  fc.record({ pictures: fc.array(fc.array(feature, { maxLength: 60 }), { maxLength: 4 }), lists: fc.integer({ min: 1, max: LIST_COUNT }) }), // prettier-ignore
  fc.record({ dead: slotSet, piece }),
  fc.record({ merged: fc.nat(6) }),
  fc.record({ entries }),
);

test('whatever arrives, is merged and swept, the votes are those of the plain twin, and a copy has the same', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 25, size: 'max' }), entries, (steps, last) => {
      const [main, plain] = [new Main(), new Plain()];
      const free = [...everySlot];
      for (const step of steps) {
        if ('merged' in step) {
          for (let i = 0; i < step.merged; i++) main.kernels.merge(1);
        } else if ('entries' in step) {
          assert.deepEqual(main.votes(step.entries), plain.votes(step.entries, SLOT_COUNT, NEARNESS_WEIGHTS));
        } else {
          while (!main.kernels.merge(3));
          if ('pictures' in step) {
            const own = new Map(step.pictures.slice(0, free.length).map((all) => [free.pop()!, all]));
            main.take(own, step.lists);
            for (const [slot, all] of own) plain.insert(slot, all);
          } else {
            main.sweep(step.dead, step.piece);
            plain.sweep(step.dead);
            free.push(...[...step.dead].filter((slot) => !free.includes(slot)));
          }
        }
      }
      while (!main.kernels.merge(3));
      const copy = new Main();
      assert.ok(copy.restore(main.copy()));
      for (const each of [main, copy])
        assert.deepEqual(each.votes(last), plain.votes(last, SLOT_COUNT, NEARNESS_WEIGHTS));
    }),
    { numRuns: 200 },
  );
});

test('a list of more than 65,535 postings gives the votes of the plain twin, before it is so long, then and after', () => {
  const [main, plain] = [new Main(), new Plain()];
  const random = stream(3);
  const near = (): number => 0x100000000 * Math.floor(256 * random()) + 0x10000 * Math.floor(4 * random());
  const every = Array.from({ length: 6 }, (): Entry => ({ word: 1, bits: near(), weight: 200, reach: [2, 5, 7] }));
  const assertAgree = (): void => assert.deepEqual(main.votes(every), plain.votes(every, SLOT_COUNT, NEARNESS_WEIGHTS));
  for (let round = 0; round < 3; round++) {
    const pictures = new Map(
      [0, 1, 2, 3].map((i) => [4 * round + i, Array.from({ length: 5600 }, (): Feature => [1, near()])]),
    );
    main.take(pictures, 2);
    for (const [slot, all] of pictures) plain.insert(slot, all);
    assertAgree();
    while (!main.kernels.merge(1 << 30));
    assertAgree();
  }
  assert.equal(main.copy().table[3], 67_200);
  assert.ok(new Main().restore(main.copy()));
  main.sweep(new Set([0, 4, 5, 8]), 1);
  plain.sweep(new Set([0, 4, 5, 8]));
  assert.equal(main.copy().table[3], 44_800);
  assertAgree();
});

test('lists whose keys do not rise to their end, with a slot that is not there, or of another size are not accepted', () => {
  const main = new Main();
  const features = Array.from({ length: 40 }, (_, i): Feature => [2, 0x600000000 * i]);
  main.take(new Map([[3, features], [7, features]]), LIST_COUNT); // prettier-ignore
  while (!main.kernels.merge(1 << 30));
  const copy = main.copy();
  assert.ok(new Main().restore(copy));
  const changed = (at: number, by: number) => {
    const lists = copy.lists.slice();
    lists[at] += by;
    return { ...copy, lists };
  };
  assert.equal(copy.lists.length, 512 + 7 * 80);
  assert.ok(!new Main().restore(changed(2 * 100, 20)), 'a key that ends behind the next one');
  assert.ok(!new Main().restore(changed(2 * 254, 1)), 'a key that ends behind the list');
  const short = copy.lists.slice();
  for (let key = 234; key < 256; key++) short[2 * key]--;
  assert.ok(!new Main().restore({ ...copy, lists: short }), 'the last key before the end of the list');
  assert.ok(!new Main().restore(changed(512 + 4 * 80, SLOT_COUNT)), 'a slot that is not there');
  assert.ok(!new Main().restore(changed(512 + 7 * 80 - 1, 1)), 'the upper bits of a slot');
  assert.ok(!new Main().restore(copy, 7), 'fewer slots');
  const fewer = { ...copy, lists: copy.lists.subarray(0, -7) };
  assert.ok(!new Main().restore(fewer), 'a posting too few');
  const table = copy.table.slice();
  table[5] = 0xffffffff;
  assert.ok(!new Main().restore({ ...copy, table }), 'a length beyond all memory');
});

test('memory given back by sweeping and by a merge is used again', () => {
  const main = new Main();
  const features = Array.from({ length: 900 }, (_, i): Feature => [i % LIST_COUNT, 20 * i]);
  const fill = (): void => {
    main.take(new Map(everySlot.map((slot) => [slot, features])), LIST_COUNT);
    while (!main.kernels.merge(100));
  };
  fill();
  const before = main.kernels.usedByMain();
  for (let round = 0; round < 5; round++) {
    main.sweep(new Set(everySlot), 10);
    assert.equal(main.kernels.mainBytes(), 0);
    fill();
    assert.equal(main.kernels.usedByMain(), before);
  }
});
