import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imagesOf } from '@sosia/engine';
import type { ResultInfo, Selection } from '@sosia/engine';
import fc from 'fast-check';
import { exhaustiveSearch } from './exhaustive-search.ts';
import type { Search } from './search.ts';

/** The score of each picture by its number, the same for every query. */
type Scores = ReadonlyMap<number, number>;

/** Shards that hold these pictures and rank them as the contract of `Partition` says. */
function shardsOf(scores: Scores, count: number) {
  return Array.from({ length: count }, (_, k) => {
    const held = [...scores].filter(([image]) => image % count === k);
    return {
      verified: [] as number[],
      async rank(_: number, __: Uint8Array, only: Selection | null, { below, most }: { below: number; most: number }) {
        const all = held
          .filter(([image, score]) => score < below && (!only || imagesOf(only).includes(image)))
          .sort(([a, p], [b, q]) => p - q || b - a);
        const last = all[most - 1]?.[1] ?? 1;
        const listed = all.filter(([, score]) => score <= last);
        return {
          found: all.length,
          images: Uint32Array.from(listed, ([image]) => image),
          scores: Float64Array.from(listed, ([, score]) => score),
        };
      },
      async verify(_: number, __: Uint8Array, images: readonly number[]) {
        const mine = held.filter(([image]) => images.includes(image));
        this.verified.push(...mine.map(([image]) => image));
        const verdicts = mine.map(([image, score]) => ({ image, score, resultInfo: infoAbout(image) }));
        return { verdicts, effort: 0 };
      },
    };
  });
}

/** Differs from picture to picture. */
function infoAbout(image: number): ResultInfo {
  return { category: 'SIMILARITY', colorScore: 0, shapeScore: 0, colorweight: image };
}

/** Equal worth goes by a name that has nothing to do with the number. */
const compare = (a: number, b: number): number => ((a * 7919) % 10007) - ((b * 7919) % 10007);

const searchFor = (window: Search['window'], more: Partial<Search> = {}): Search => ({
  application: 1,
  query: new Uint8Array(),
  only: null,
  pictures: 60,
  compare,
  exists: () => true,
  window,
  options: {},
  ...more,
});

const pictures = fc
  .uniqueArray(fc.tuple(fc.nat(500), fc.constantFrom(0, 0.1, 0.2, 0.200001, 0.7, 0.99)), {
    maxLength: 60,
    selector: ([image]) => image,
  })
  .map((list): Scores => new Map(list));
const window = fc.record({
  below: fc.constantFrom(1, 0.7, 0.1),
  start: fc.oneof(fc.nat(70), fc.constant(999_999_999)),
  count: fc.nat(20),
});

test('a page is a slice of the sorted list of all, however the pictures are spread', async () => {
  await fc.assert(
    fc.asyncProperty(pictures, window, fc.integer({ min: 1, max: 4 }), async (scores, window, count) => {
      const { below, start } = window;
      const sorted = [...scores]
        .filter(([, score]) => score < below)
        .sort(([a, p], [b, q]) => p - q || compare(a, b))
        .map(([image, score]) => ({ image, score, resultInfo: infoAbout(image) }));
      assert.deepEqual(await exhaustiveSearch(shardsOf(scores, count), searchFor(window)), {
        found: sorted.length,
        hits: sorted.slice(start, start + window.count),
      });
    }),
  );
});

test('only the pictures of the page are described in full', async () => {
  const shards = shardsOf(new Map(Array.from({ length: 100 }, (_, image) => [image, image / 100])), 2);
  await exhaustiveSearch(shards, searchFor({ below: 1, start: 10, count: 4 }));
  assert.deepEqual(shards.flatMap(({ verified }) => verified).sort(), [10, 11, 12, 13]);
});

test('a picture deleted during the search is neither listed nor counted, and the page is full', async () => {
  const scores = new Map(Array.from({ length: 50 }, (_, image) => [image, image / 100]));
  const exists = (image: number): boolean => image !== 3 && image !== 5;
  const { found, hits } = await exhaustiveSearch(
    shardsOf(scores, 3),
    searchFor({ below: 1, start: 2, count: 5 }, { exists }),
  );
  assert.deepEqual(
    hits.map(({ image }) => image),
    [2, 4, 6, 7, 8],
  );
  assert.equal(found, 48);
});

test('a score that is not in [0, 1) is refused rather than sorted', async () => {
  for (const score of [-0.5, 1])
    await assert.rejects(
      exhaustiveSearch(shardsOf(new Map([[1, score]]), 1), searchFor({ below: 2, start: 0, count: 5 })),
      /expected a score in \[0, 1\)/,
    );
});
