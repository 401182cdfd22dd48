import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cut, ResultInfo } from '@sosia/engine';
import fc from 'fast-check';
import { exhaustiveSearch, type RankingSource } from './exhaustive.ts';

/** The score of each picture by its number, the same for every query. */
type Scores = ReadonlyMap<number, number>;

/** Pictures in so many parts, which rank them as the contract of `Partition` says. */
function sourceOf(scores: Scores, count: number, exists: (image: number) => boolean = () => true) {
  const parts = Array.from({ length: count }, (_, k) => [...scores].filter(([image]) => image % count === k));
  const verified: number[] = [];
  const source: RankingSource = {
    compare,
    exists,
    rank: async ({ below, most }: Cut) =>
      parts.map((held) => {
        const all = held.filter(([, score]) => score < below).sort(([a, p], [b, q]) => p - q || b - a);
        const last = all[most - 1]?.[1] ?? 1;
        const listed = all.filter(([, score]) => score <= last);
        return {
          found: all.length,
          images: Uint32Array.from(listed, ([image]) => image),
          scores: Float64Array.from(listed, ([, score]) => score),
        };
      }),
    verify: async (images) => {
      verified.push(...images);
      const verdicts = images.map((image) => ({ image, score: scores.get(image)!, resultInfo: infoAbout(image) }));
      return { verdicts, effort: 0 };
    },
  };
  return { ...source, verified };
}

/** Differs from picture to picture. */
function infoAbout(image: number): ResultInfo {
  return { category: 'SIMILARITY', colorScore: 0, shapeScore: 0, colorweight: image };
}

/** Equal worth goes by a name that has nothing to do with the number. */
const compare = (a: number, b: number): number => ((a * 7919) % 10007) - ((b * 7919) % 10007);

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
      assert.deepEqual(await exhaustiveSearch(sourceOf(scores, count), { window }), {
        found: sorted.length,
        hits: sorted.slice(start, start + window.count),
      });
    }),
  );
});

test('the first picture of a search comes before all others, once, whatever its score and the page', async () => {
  await fc.assert(
    fc.asyncProperty(pictures, window, fc.nat(60), fc.integer({ min: 1, max: 4 }), async (scores, window, i, count) => {
      const { below, start } = window;
      const first = [...scores.keys()][i % Math.max(1, scores.size)];
      const sorted = [...scores]
        .filter(([, score]) => score < below)
        .sort(([a, p], [b, q]) => Number(a !== first) - Number(b !== first) || p - q || compare(a, b));
      const { found, hits } = await exhaustiveSearch(sourceOf(scores, count), { window, first });
      assert.deepEqual(
        [found, hits.map(({ image }) => image)],
        [sorted.length, sorted.slice(start, start + window.count).map(([image]) => image)],
      );
    }),
    { numRuns: 2000 },
  );
});

test('only the pictures of the page are described in full', async () => {
  const source = sourceOf(new Map(Array.from({ length: 100 }, (_, image) => [image, image / 100])), 2);
  await exhaustiveSearch(source, { window: { below: 1, start: 10, count: 4 } });
  assert.deepEqual(source.verified.sort(), [10, 11, 12, 13]);
});

test('a picture deleted during the search is neither listed nor counted, and the page is full', async () => {
  const scores = new Map(Array.from({ length: 50 }, (_, image) => [image, image / 100]));
  const exists = (image: number): boolean => image !== 3 && image !== 5;
  const { found, hits } = await exhaustiveSearch(sourceOf(scores, 3, exists), {
    window: { below: 1, start: 2, count: 5 },
  });
  assert.deepEqual(
    hits.map(({ image }) => image),
    [2, 4, 6, 7, 8],
  );
  assert.equal(found, 48);
});

test('a score that is not in [0, 1) is refused rather than sorted', async () => {
  for (const score of [-0.5, 1])
    await assert.rejects(
      exhaustiveSearch(sourceOf(new Map([[1, score]]), 1), { window: { below: 2, start: 0, count: 5 } }),
      /expected a score in \[0, 1\)/,
    );
});
