import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Shards } from '../shards/shards.ts';
import type { Pictures } from './pictures.ts';
import { ResidentPictures } from './resident-pictures.ts';

interface Change {
  readonly id: string;
  readonly deleted?: boolean;
}

/** A cluster with the changes of each shard in their order, and the shards of this process as a list of what they hold. */
class Stock {
  readonly changes: Change[][] = [[]];
  /** For each shard how many changes all copies show; all if missing. */
  shown: number[] = [];
  uuid = 'one';
  /** Ids of the documents that each request gave. */
  requests: string[][] = [];
  /** The sequence numbers behind which they began. */
  behind: number[] = [];
  held = new Map<number, Set<number>>();
  fails = false;

  readonly pictures = {
    count: async () => this.changes.flat().filter(({ deleted }) => !deleted).length,
    checkpoint: async () => ({
      uuid: this.uuid,
      given: this.#byShard((i) => this.changes[i]!.length - 1),
      shards: this.#byShard((i) => (this.shown[i] ?? this.changes[i]!.length) - 1),
    }),
    documents: async (
      { query, size }: { query: { range: { _seq_no: { gt: number } } }; size: number },
      shard: string,
    ) => {
      if (this.fails) throw new Error('no node');
      this.behind.push(query.range._seq_no.gt);
      const all = this.changes[Number(shard)]!.map(({ id, deleted }, at) => ({
        ...{ _id: id, _seq_no: at, _source: deleted ? {} : { id, keywords: [] } },
        fields: { dna: ['AAAA'] },
      }));
      const last = new Map(all.map((each) => [each._id, each._seq_no]));
      const live = all.filter(({ _id, _seq_no }) => last.get(_id) === _seq_no && _seq_no > query.range._seq_no.gt);
      this.requests.push(live.slice(0, size).map(({ _id }) => _id));
      return live.slice(0, size);
    },
  } as unknown as Pictures;

  shards = this.newShards();

  newShards(): Shards {
    return {
      open: async (application: number) => void this.held.set(application, new Set()),
      drop: async (application: number) => void this.held.delete(application),
      add: async (application: number, added: readonly { image: number }[]) => {
        for (const { image } of added) this.held.get(application)!.add(image);
      },
      remove: async (application: number, image: number) => void this.held.get(application)!.delete(image),
      size: async (application: number) => ({ bytes: 100 * this.held.get(application)!.size }),
    } as unknown as Shards;
  }

  open(stored = true): ResidentPictures {
    return new ResidentPictures({ type: 'image-similarity' } as never, this.pictures, () => this.shards, stored);
  }

  change(...ids: string[]): void {
    this.changes[0]!.push(...ids.map((id) => (id.startsWith('-') ? { id: id.slice(1), deleted: true } : { id })));
  }

  #byShard(of: (shard: number) => number): Record<string, number> {
    return Object.fromEntries(this.changes.map((_, i) => [String(i), of(i)]));
  }
}

/** The ids in the catalogue, and how many pictures the shards of this process hold. */
async function shownBy(resident: ResidentPictures, stock: Stock): Promise<[string[], number]> {
  const { catalogue, application } = await resident.follow();
  const { entries } = catalogue.page({ keywords: [], ids: null }, { start: 0, count: 1e6 });
  return [entries.map(({ id }) => id), stock.held.get(application)!.size];
}

test('changes of others are seen: additions, deletions, and a picture that was replaced', async () => {
  const stock = new Stock();
  const resident = stock.open();
  assert.equal(await resident.bytes(), 0);
  assert.deepEqual(await shownBy(resident, stock), [[], 0]);
  stock.change('a', 'b');
  assert.deepEqual(await shownBy(resident, stock), [['a', 'b'], 2]);
  assert.deepEqual(stock.behind, [-1]);
  stock.change('-a', 'b', 'c');
  assert.deepEqual(await shownBy(resident, stock), [['b', 'c'], 2]);
  assert.deepEqual(stock.requests.at(-1), ['a', 'b', 'c']);
  const before = stock.requests.length;
  await shownBy(resident, stock);
  assert.equal(stock.requests.length, before, 'nothing is read where nothing has changed');
  assert.equal(await resident.bytes(), 200);
});

test('a thousand documents are read at a time, of each shard to its end', async () => {
  for (const [count, requests] of [
    [999, [999]],
    [1000, [1000]],
    [1001, [1000, 1]],
    [2000, [1000, 1000]],
  ] as const) {
    const stock = new Stock();
    stock.change(...Array.from({ length: count }, (_, i) => `p${i}`));
    stock.changes.push([{ id: 'other' }]);
    const [ids, held] = await shownBy(stock.open(), stock);
    assert.deepEqual([ids.length, held], [count + 1, count + 1]);
    assert.deepEqual(
      stock.requests.map(({ length }) => length),
      [...requests, 1],
    );
  }
});

test('a change that not every copy shows is read again, but brought once, until all copies show it', async () => {
  const stock = new Stock();
  const resident = stock.open();
  stock.change('a', 'b', 'c');
  stock.shown = [1];
  const [, first] = await shownBy(resident, stock);
  const image = (await resident.follow()).catalogue.withId('b')!.number;
  assert.equal(first, 3);
  assert.deepEqual(stock.requests.at(-1), ['b', 'c']);
  assert.equal((await resident.follow()).catalogue.withId('b')!.number, image, 'it is not brought again');
  stock.shown = [];
  await resident.follow();
  const before = stock.requests.length;
  await resident.follow();
  assert.equal(stock.requests.length, before);
  stock.change('b');
  await resident.follow();
  assert.notEqual((await resident.follow()).catalogue.withId('b')!.number, image);
});

test('another index, other shards of this process, and half an hour without a reading begin anew', async (t) => {
  const stock = new Stock();
  stock.change('a');
  const resident = stock.open();
  const { application } = await resident.follow();
  const again = async (): Promise<boolean> => (await resident.follow()).application !== application;
  assert.equal(await again(), false);
  let now = Math.ceil(performance.now()); // whole, so that sums are exact
  t.mock.method(performance, 'now', () => now);
  await resident.follow();
  now += 1_799_999;
  assert.equal(await again(), false);
  now += 1_800_000;
  assert.equal(await again(), true);
  for (const change of [() => (stock.uuid = 'two'), () => (stock.shards = stock.newShards())]) {
    const before = (await resident.follow()).application;
    change();
    assert.notEqual((await resident.follow()).application, before);
    assert.equal(stock.held.size, 1, 'the former ones are dropped');
  }
});

test('while all is read, it says how far it is; a failed reading leaves nothing and is tried again', async () => {
  const stock = new Stock();
  stock.change('a', 'b');
  const resident = stock.open();
  assert.deepEqual(resident.loading, { loaded: 0, pictures: 0 });
  assert.equal(stock.open(false).loading, undefined);
  stock.fails = true;
  assert.equal(await resident.load(), false);
  assert.deepEqual([resident.loading, stock.held.size], [undefined, 0]);
  stock.fails = false;
  const seen: unknown[] = [];
  const { documents } = stock.pictures;
  (stock.pictures as { documents: unknown }).documents = (...args: Parameters<typeof documents>) => {
    seen.push(resident.loading);
    return documents(...args);
  };
  assert.equal(await resident.load(), true);
  assert.deepEqual([seen, resident.loading], [[{ loaded: 0, pictures: 2 }], undefined]);
  await resident.drop();
  await resident.drop();
  assert.equal(stock.held.size, 0);
  stock.change(...Array.from({ length: 1500 }, (_, i) => `p${i}`));
  seen.length = 0;
  await resident.load();
  assert.deepEqual(seen, [0, 1000].map((loaded) => ({ loaded, pictures: 1502 }))); // prettier-ignore
});

test('searches, explanations and palettes are of the pictures that are held, and outlast a new reading', async () => {
  const stock = new Stock();
  stock.change('a', 'b');
  const calls: unknown[] = [];
  let end: (() => void) | undefined;
  const more = {
    search: async ({ application, pictures }: { application: number; pictures: number }) => {
      calls.push(['search', pictures]);
      await new Promise<void>((resolve) => (end = resolve));
      assert.ok(stock.held.has(application), 'the searched pictures are still there');
      return { found: 0, hits: [], truncated: false };
    },
    explain: async (_: number, dna: Uint8Array, image: number) => (calls.push(['explain', dna.length, image]), 'why'),
    palette: async (_: number, only: unknown, colors: readonly number[]) => (calls.push(['palette', only, colors]), []),
  };
  const { newShards } = stock;
  stock.newShards = () => Object.assign(newShards.call(stock), more);
  stock.shards = stock.newShards();
  const resident = stock.open();
  const restriction = { keywords: [], ids: null };
  const searched = { dna: new Uint8Array(1), restriction, page: { start: 0, count: 1 }, below: 1, colorWeight: 0 };
  const searching = resident.search(searched as never);
  while (!end) await new Promise(setImmediate);
  stock.uuid = 'two';
  await resident.follow();
  assert.equal(stock.held.size, 2);
  end();
  assert.deepEqual(await searching, { found: 0, images: [] });
  await new Promise(setImmediate);
  assert.equal(stock.held.size, 1);
  const { number } = (await resident.follow()).catalogue.withId('b')!;
  assert.equal(await resident.explain(new Uint8Array(3), 'b'), 'why');
  assert.equal(await resident.explain(new Uint8Array(3), 'none'), undefined);
  assert.deepEqual(await resident.palette(restriction, [7]), []);
  assert.deepEqual(calls, [['search', 2], ['explain', 3, number], ['palette', null, [7]]]); // prettier-ignore
});
