import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finished, imagesOf, selectionOf } from '@sosia/engine';
import type { Candidates, Partition, Selection, Steps, Verified, VerifyOptions } from '@sosia/engine';
import fc from 'fast-check';
import {
  type SearchConditions,
  candidateSourceSuite,
  explanationOf,
  idOf,
  type Planted,
  type Searched,
  verdictOf,
} from '../search/candidate-source.test.kit.ts';
import { twoPhaseSearch } from '../search/two-phase.ts';
import { StepQueue } from '../workers/step-queue.ts';
import type { Remote } from '../workers/thread.ts';
import type { Search } from './search.ts';
import { Shard } from './shard.ts';
import { SHARD_DEPTH, ShardSource } from './shard-source.ts';

/** A partition whose pictures share and match what is planted. */
class PlantedPartition implements Partition {
  readonly held = new Map<number, Planted>();
  readonly compared: number[] = [];
  readonly counted: number[] = [];
  readonly #conditions: SearchConditions;
  readonly bytes = 0;

  constructor(conditions: SearchConditions) {
    this.#conditions = conditions;
  }
  get count(): number {
    return this.held.size;
  }
  add(): void {}
  *remove(): Steps<void> {}

  *candidates(_: Uint8Array, only: Selection | null, limit: number): Steps<Candidates> {
    const all = [...this.held].filter(([image]) => !only || imagesOf(only).includes(image));
    const others = all
      .filter(([, { copy, terms }]) => !copy && (terms > 0 || limit === Infinity))
      .sort(([, a], [, b]) => b.terms - a.terms);
    const least = others[limit - 1]?.[1].terms ?? 0;
    const listed = others.filter(([, { terms }]) => terms >= least);
    return {
      copies: Uint32Array.from(all.filter(([, { copy }]) => copy).map(([image]) => image)),
      images: Uint32Array.from(listed, ([image]) => image),
      votes: Uint32Array.from(listed, ([, { terms }]) => terms),
    };
  }

  *votes(_: Uint8Array, images: readonly number[]): Steps<Float64Array> {
    this.counted.push(...images);
    return Float64Array.from(images, (image) => this.held.get(image)?.votes ?? 0);
  }

  *verify(_: Uint8Array, images: readonly number[], { explain }: VerifyOptions): Steps<Verified> {
    this.compared.push(...images);
    const held = images.filter((image) => this.held.has(image) && !this.#conditions.removed.has(idOf(image)));
    return {
      verdicts: held.flatMap((image) => {
        const verdict = verdictOf(this.held.get(image)!);
        return verdict ? [{ image, ...verdict }] : [];
      }),
      effort: images.length * this.#conditions.effort,
      ...(explain && { explanations: held.map((image) => ({ image, explanation: explanationOf(image) })) }),
    };
  }
}

/** Searches the pictures, numbered by their positions, over so many shards. */
async function searchSpread(
  count: number,
  stock: readonly Planted[],
  conditions: SearchConditions,
  more: Partial<Search> = {},
) {
  const partitions = Array.from({ length: count }, () => new PlantedPartition(conditions));
  const shards = partitions.map((partition) => {
    const shard = new Shard(() => partition, new StepQueue());
    finished(shard.open(1, 'media-matching'));
    return remote(shard);
  });
  stock.forEach((picture, image) => partitions[image % count]!.held.set(image, picture));
  const search: Search = {
    application: 1,
    query: new Uint8Array(4),
    only: null,
    pictures: stock.length,
    compare: (a, b) => a - b,
    exists: () => true,
    window: conditions.window,
    options: {},
    ...more,
  };
  const { found, hits, truncated = false } = await twoPhaseSearch(new ShardSource(shards, search), conditions);
  const searched: Searched = {
    found,
    truncated,
    listed: hits.map(({ image, score, explanation }) => ({
      id: idOf(image),
      score,
      ...(explanation && { explanation }),
    })),
    compared: partitions.flatMap(({ compared }) => compared.map(idOf)),
    counted: partitions.flatMap(({ counted }) => counted.map(idOf)),
  };
  return searched;
}

function remote(shard: Shard): Remote<Shard> {
  const later =
    (method: keyof Shard) =>
    (...args: unknown[]) =>
      Promise.resolve().then(() => finished((shard[method] as (...args: unknown[]) => Steps<unknown>)(...args)));
  return new Proxy({} as Remote<Shard>, { get: (_, method) => later(method as keyof Shard) });
}

for (const count of [1, 3])
  candidateSourceSuite(
    `${count} shards`,
    SHARD_DEPTH,
    (stock, conditions) => searchSpread(count, stock, conditions),
    'votes are cheap in a thread, so a second look would count no more than the first',
  );

const usual: SearchConditions = {
  window: { below: 1, start: 0, count: Infinity },
  explain: false,
  effort: 1,
  removed: new Set(),
};
const few = fc.nat(3);
const planted = fc.record({ copy: fc.boolean(), terms: few, votes: few, score: fc.constantFrom(0.1, 0.2, 0.3) });

test('the answer is the same however the pictures are spread, with and without a filter', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(planted, { maxLength: 150 }), fc.integer({ min: 2, max: 5 }), async (stock, count) => {
      const odd = selectionOf(stock.map((_, image) => image).filter((image) => image % 3 === 1));
      for (const more of [{}, { only: odd }]) {
        const { listed } = await searchSpread(count, stock, usual, more);
        assert.deepEqual(listed, (await searchSpread(1, stock, usual, more)).listed);
      }
    }),
  );
});

test('listed candidates with high scores by terms have their votes counted beyond the first ones', async () => {
  const { listed: most, counted, manyTerms } = SHARD_DEPTH;
  const countedOf = async (high: number): Promise<number> => {
    const stock = Array.from({ length: most + 1 }, (_, number) => ({
      terms: manyTerms - Number(number >= high),
      votes: 1,
    }));
    return (await searchSpread(3, stock, usual)).counted.length;
  };
  assert.deepEqual([await countedOf(10), await countedOf(counted + 200)], [counted, counted + 200]);
});

test('the best of a later shard are kept, although the first has more candidates than are listed', async () => {
  const stock = Array.from({ length: 4200 }, (_, i): Planted =>
    i % 2 === 0 ? { terms: 1, votes: 1 } : i < 20 ? { terms: 2, votes: 2, score: 0.5 } : { terms: 0, votes: 0 },
  );
  const { listed } = await searchSpread(2, stock, usual);
  assert.deepEqual(
    listed.map(({ id }) => id),
    [...Array(10).keys()].map((i) => idOf(2 * i + 1)),
  );
});

test('ties at a cut are decided by the total order of the pictures, not by their numbers', async () => {
  const { listed, counted } = SHARD_DEPTH;
  const stock = Array.from({ length: listed + 1000 }, (): Planted => ({ terms: 1, votes: 1 }));
  const compare = (a: number, b: number): number => b - a;
  for (const count of [1, 3])
    assert.deepEqual(
      (await searchSpread(count, stock, usual, { compare })).counted.toSorted(),
      stock.map((_, number) => idOf(number)).slice(-counted),
    );
});
