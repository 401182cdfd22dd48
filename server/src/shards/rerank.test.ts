import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finished, imagesOf, selectionOf } from '@sosia/engine';
import type { Candidates, Partition, ResultInfo, Selection, Steps, Verified } from '@sosia/engine';
import fc from 'fast-check';
import type { Remote } from '../workers/thread.ts';
import { MOST_OF_CROWD } from './crowd.ts';
import { BATCH, MOST_WORK, rerank } from './rerank.ts';
import type { Found, Hit, Search } from './search.ts';
import { Shard } from './shard.ts';
import { CANDIDATES, FEW, MANY_VOTES, SHORTLIST, type Shortlist, shortlist } from './shortlist.ts';
import { StepQueue } from '../workers/step-queue.ts';

/**
 * A minimal partition: a DNA is four bytes, each byte with the same value at the same place gives `VOTES`, and the score is the
 * part of the bytes without. A DNA that ends with 255 gets votes but never matches.
 */
class FourBytes implements Partition {
  readonly held = new Map<number, Uint8Array>();
  verified = 0;
  votes?: (query: Uint8Array, images: readonly number[]) => Steps<Float64Array>;
  /** What the comparison with one picture takes. */
  effort = 0;
  get count(): number {
    return this.held.size;
  }
  get bytes(): number {
    return 4 * this.held.size;
  }
  add(image: number, dna: Uint8Array): void {
    assert.ok(!this.held.has(image));
    this.held.set(image, dna);
  }
  *remove(image: number): Steps<void> {
    this.held.delete(image);
  }
  *candidates(query: Uint8Array, only: Selection | null, limit: number): Steps<Candidates> {
    const all = [...this.held]
      .filter(([image]) => !only || imagesOf(only).includes(image))
      .map(([image, dna]) => ({ image, votes: VOTES * same(query, dna), exact: same(query, dna) === 4 }))
      .sort((a, b) => b.votes - a.votes);
    const least = all.filter(({ exact }) => !exact)[limit - 1]?.votes ?? 1;
    const others = all.filter(({ exact, votes }) => !exact && votes >= least);
    return {
      copies: Uint32Array.from(all.filter(({ exact }) => exact).map(({ image }) => image)),
      images: Uint32Array.from(others, ({ image }) => image),
      votes: Uint32Array.from(others, ({ votes }) => votes),
    };
  }
  *verify(query: Uint8Array, images: readonly number[]): Steps<Verified> {
    this.verified += images.length;
    const verdicts = images.flatMap((image) => {
      const dna = this.held.get(image);
      if (!dna || dna[3] === 255) return [];
      return [{ image, score: 1 - same(query, dna) / 4, resultInfo: infoAbout(dna) }];
    });
    return { verdicts, effort: images.length * this.effort };
  }
}

/** Three bytes give many. */
const VOTES = Math.ceil(MANY_VOTES / 3);

/** Differs from DNA to DNA. */
function infoAbout(dna: Uint8Array): ResultInfo {
  return { category: 'SIMILARITY', colorScore: dna[0]!, shapeScore: dna[1]!, colorweight: dna[2]! };
}

const same = (a: Uint8Array, b: Uint8Array): number => a.filter((byte, i) => byte === b[i]).length;
const TYPE = 'media-matching';
const dna = fc.array(fc.constantFrom(0, 1, 255), { minLength: 4, maxLength: 4 }).map((bytes) => Uint8Array.from(bytes));

/** Of each picture its votes; no exact copies. */
const candidatesOf = (votes: readonly number[]): Candidates => ({
  copies: new Uint32Array(0),
  images: Uint32Array.from(votes.keys()),
  votes: Uint32Array.from(votes),
});

/** Equal worth goes by a name that has nothing to do with the number. */
const compare = (a: number, b: number): number => ((a * 7919) % 10007) - ((b * 7919) % 10007);

interface Tested {
  readonly partitions: FourBytes[];
  shortlist(query: Uint8Array): Promise<Shortlist['others']>;
  found(query: Uint8Array, only?: readonly number[] | null): Promise<Found>;
  search(query: Uint8Array, only?: readonly number[] | null): Promise<readonly Hit[]>;
}

/** The pictures, numbered from 0, over so many shards. */
function spread(count: number, pictures: readonly Uint8Array[]): Tested {
  const partitions = Array.from({ length: count }, () => new FourBytes());
  const shards = partitions.map((partition) => {
    const shard = new Shard(() => partition, new StepQueue());
    finished(shard.open(1, TYPE));
    return remote(shard);
  });
  pictures.forEach((picture, image) => partitions[image % count]!.add(image, picture));
  const searchOf = (query: Uint8Array, only: readonly number[] | null): Search => ({
    application: 1,
    query,
    only: only && selectionOf(only),
    pictures: pictures.length,
    compare,
    exists: () => true,
    window: { below: 1, start: 0, count: Infinity },
    options: {},
  });
  const found: Tested['found'] = async (query, only = null) => {
    const search = searchOf(query, only);
    return rerank(shards, search, await shortlist(shards, search));
  };
  return {
    partitions,
    shortlist: async (query) => (await shortlist(shards, searchOf(query, null))).others,
    found,
    search: async (...query) => (await found(...query)).hits,
  };
}

function remote(shard: Shard): Remote<Shard> {
  const later =
    (method: keyof Shard) =>
    (...args: unknown[]) =>
      Promise.resolve().then(() => finished((shard[method] as (...args: unknown[]) => Steps<unknown>)(...args)));
  return new Proxy({} as Remote<Shard>, { get: (_, method) => later(method as keyof Shard) });
}

test('the answer is the same however the pictures are spread, with and without a filter', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(dna, { maxLength: 150 }), dna, fc.integer({ min: 2, max: 5 }), async (all, query, n) => {
      const odd = all.map((_, image) => image).filter((image) => image % 3 === 1);
      assert.deepEqual(await spread(n, all).search(query), await spread(1, all).search(query));
      assert.deepEqual(await spread(n, all).search(query, odd), await spread(1, all).search(query, odd));
    }),
  );
});

test('few pictures are all compared: the answer is a plain sort of all matches', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(dna, { maxLength: BATCH }), dna, async (all, query) => {
      const expected = all
        .map((picture, image) => ({ image, picture, score: 1 - same(query, picture) / 4 }))
        .filter(({ picture, score }) => score < 1 && picture[3] !== 255)
        .sort((a, b) => a.score - b.score || compare(a.image, b.image));
      const found = await spread(3, all).search(query);
      assert.deepEqual(
        found.map(({ image, score }) => [image, score]),
        expected.map(({ image, score }) => [image, score]),
      );
    }),
  );
});

test('exact copies come first and do not count for the limit, and one is compared for all of them', async () => {
  const query = Uint8Array.of(1, 2, 3, 4);
  const near = Uint8Array.of(1, 2, 3, 5);
  const pictures = [...Array(SHORTLIST + 200).fill(near), ...Array(1500).fill(query)];
  const { partitions, search } = spread(2, pictures);
  const found = await search(query);
  assert.equal(found.length, 1500 + SHORTLIST);
  assert.ok(found.slice(0, 1500).every(({ score }) => score === 0));
  assert.ok(found.slice(1500).every(({ score }) => score === 0.25));
  assert.equal(partitions[0]!.verified + partitions[1]!.verified, 1 + SHORTLIST);
});

test('of more pictures than candidates few are compared, and further ones that have many votes', async () => {
  const query = Uint8Array.of(1, 2, 3, 4);
  const [near, far] = [Uint8Array.of(1, 2, 3, 255), Uint8Array.of(1, 2, 0, 255)];
  for (const [count, each] of [
    [CANDIDATES, 10],
    [CANDIDATES + 1, 10],
    [CANDIDATES + 1, FEW + 200],
  ] as const) {
    // prettier-ignore
    const pictures = [...Array(each).fill(near), ...Array(count - each).fill(far)];
    for (const shards of [1, 3]) {
      const listed = await spread(shards, pictures).shortlist(query);
      const expected = count === CANDIDATES ? CANDIDATES : Math.max(FEW, each);
      assert.deepEqual([listed.length, listed.filter(({ votes }) => votes === 3 * VOTES).length], [expected, each]);
      const tied = pictures.map((_, image) => image).slice(each);
      assert.deepEqual(
        listed.slice(each).map(({ image }) => image),
        tied.sort(compare).slice(0, expected - each),
      );
    }
  }
});

test('the best of a later shard are kept, although the first has more candidates than are kept', async () => {
  const query = Uint8Array.of(1, 2, 3, 4);
  const [weak, good, none] = [Uint8Array.of(1, 0, 0, 0), Uint8Array.of(1, 2, 0, 0), Uint8Array.of(0, 0, 0, 0)];
  const pictures = Array.from({ length: 4200 }, (_, i) => (i % 2 === 0 ? weak : i < 20 ? good : none));
  const [first] = await spread(2, pictures).search(query);
  assert.deepEqual([first!.image % 2, first!.score], [1, 0.5]);
});

test('verification stops after the first batch of which less than half matches', async () => {
  const query = Uint8Array.of(1, 2, 3, 4);
  const match = Uint8Array.of(1, 2, 0, 0);
  const near = Uint8Array.of(1, 2, 3, 255);
  const mixed = (matches: number) => [
    ...Array(BATCH - matches).fill(near), // more votes than a match
    ...Array(3 * BATCH).fill(match),
  ];
  assert.equal((await spread(2, mixed(BATCH / 2)).search(query)).length, 3 * BATCH);
  assert.equal((await spread(2, mixed(BATCH / 2 - 1)).search(query)).length, BATCH / 2 - 1);
});

test('a copy behind a crowd of many votes is found, but neither far behind nor where the votes are few or fall', async () => {
  const query = Uint8Array.of(1, 2, 3, 4);
  const match = Uint8Array.of(1, 2, 0, 0);
  const crowd = Uint8Array.of(1, 2, 3, 255);
  const foundAt = async (rank: number, first: number, last: number) => {
    const pictures = Array.from({ length: MOST_OF_CROWD + 100 }, (_, image) => (image === rank ? match : crowd));
    const { partitions, search } = spread(1, pictures);
    partitions[0]!.candidates = function* () {
      return candidatesOf(pictures.map((_, image) => (image ? last - image : first)));
    };
    return (await search(query)).length;
  };
  assert.equal(await foundAt(MOST_OF_CROWD - 1, 900_000, 900_000), 1);
  assert.equal(await foundAt(MOST_OF_CROWD, 900_000, 900_000), 0);
  assert.equal(await foundAt(BATCH, 3_000_000, 400_000 + BATCH), 1);
  assert.equal(await foundAt(BATCH, 3_000_000, 399_999 + BATCH), 0);
  assert.equal(await foundAt(BATCH, 8_000_000, 999_999 + BATCH), 0);
  assert.equal(await foundAt(BATCH - 1, 8_000_000, 100_000), 1);
});

test('a copy in a crowd is found by its place among the candidates, however few finer votes it has', async () => {
  const query = Uint8Array.of(1, 2, 3, 4);
  const [match, crowd] = [Uint8Array.of(1, 2, 0, 0), Uint8Array.of(1, 2, 3, 255)];
  const foundAt = async (place: number, finer: number, ofCrowd = 900_000) => {
    const pictures = Array.from({ length: CANDIDATES + 100 }, (_, image) => (image === place ? match : crowd));
    const { partitions, search } = spread(1, pictures);
    partitions[0]!.candidates = function* () {
      return candidatesOf(pictures.map((_, image) => MANY_VOTES - 1 - image));
    };
    partitions[0]!.votes = function* (_, images) {
      return Float64Array.from(images, (image) => (image === place ? finer : ofCrowd - image));
    };
    return [(await search(query)).length, partitions[0]!.verified];
  };
  assert.deepEqual(await foundAt(FEW - 1, 200_000), [1, MOST_OF_CROWD]);
  assert.deepEqual(await foundAt(FEW - 1, 100_000), [0, MOST_OF_CROWD - 1]); // an eighth of the first at least
  assert.deepEqual(await foundAt(MOST_OF_CROWD - 1, 0), [1, MOST_OF_CROWD]);
  assert.deepEqual(await foundAt(MOST_OF_CROWD, 0), [0, MOST_OF_CROWD]);
  assert.deepEqual(await foundAt(FEW - 1, 200_000, 300_000), [0, BATCH]);
});

test('a copy that is removed between the two phases does not hide the others', async () => {
  const query = Uint8Array.of(1, 2, 3, 4);
  const { partitions, search } = spread(1, [query, query, query]);
  const partition = partitions[0]!;
  const first = (await search(query))[0]!.image;
  partition.candidates = function* (...args) {
    const found = yield* FourBytes.prototype.candidates.apply(partition, args);
    yield* partition.remove(first);
    return found;
  };
  const found = (await search(query)).map(({ image }) => image).filter((image) => image !== first);
  assert.deepEqual(found, [0, 1, 2].filter((image) => image !== first).sort(compare));
});

test('a score that is not in [0, 1) is refused rather than sorted', async () => {
  const { partitions, search } = spread(1, [Uint8Array.of(1, 2, 3, 4)]);
  partitions[0]!.verify = function* () {
    return { verdicts: [{ image: 0, score: NaN, resultInfo: null }], effort: 0 };
  };
  await assert.rejects(search(Uint8Array.of(1, 2, 3, 4)), /expected a score in \[0, 1\), got NaN/);
});

test('a search that has taken too much work ends with the batch and says so, however the pictures are spread', async () => {
  const query = Uint8Array.of(1, 2, 3, 4);
  const pictures = Array.from({ length: 5 * BATCH }, () => Uint8Array.of(1, 2, 3, 5));
  const costly = (count: number, effort: number) => {
    const tested = spread(count, pictures);
    for (const partition of tested.partitions) partition.effort = effort;
    return tested.found(query);
  };
  for (const count of [1, 3]) {
    const enough = await costly(count, MOST_WORK / (5 * BATCH));
    assert.deepEqual([enough.found, enough.truncated], [5 * BATCH, undefined]);
    const cut = await costly(count, MOST_WORK / (2 * BATCH) + 1);
    assert.deepEqual([cut.found, cut.truncated], [2 * BATCH, true]);
    assert.deepEqual(
      cut.hits.map(({ image }) => image),
      pictures
        .map((_, image) => image)
        .sort(compare)
        .slice(0, 2 * BATCH),
    );
  }
});
