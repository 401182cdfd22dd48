import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredReference, VotedReferences } from '@sosia/engine';
import { Metrics } from '../metrics/metrics.ts';
import { ClusteredSearch } from './clustered-search.ts';
import type { Matchers } from './matchers.ts';
import type { Pictures, Recorded } from './pictures.ts';

/** The numbers of the pictures, which are their votes, too: by their scores, best first. */
interface Stock {
  readonly copies?: number;
  /** Those behind the first of equal scores come late by terms, and are first by votes. */
  readonly votes: readonly number[];
  /** The pictures that match by comparison. */
  readonly matching: ReadonlySet<number>;
}

const idOf = (n: number): string => `p${String(n).padStart(5, '0')}`;
const copyOf = (n: number): string => `copy ${String(n).padStart(3, '0')}`;

/** A search over a cluster in memory, and what it has read. */
function searchOf({ copies = 0, votes, matching }: Stock) {
  const read = { requests: 0, counted: 0, records: [] as string[] };
  const all = votes.map((_, n) => n);
  const copyIds = Array.from({ length: copies }, (_, n) => copyOf(n));
  const pictures = {
    ids: async ({ from, size, query, search_after }: Query) => {
      if (JSON.stringify(query).includes('must_not')) return all.slice(from ?? 0, (from ?? 0) + size).map(idOf);
      return copyIds.filter((id) => id > (search_after?.[0] ?? '')).slice(0, size);
    },
    voters: async ({ from = 0, size, query }: Query, most: number) => {
      read.requests++;
      const shown = query.bool?.should ? copyIds.slice(0, size) : [];
      const others = all.slice(from, from + size - shown.length).slice(0, most);
      return { copies: shown, others: others.map((n) => ({ id: idOf(n), norm: n, beginning: new Uint8Array() })) };
    },
    records: async ({ query }: Query) => {
      const ids = query.bool!.filter![0]!.terms.id;
      read.records.push(...ids);
      return ids.map((id): Recorded => ({ id, digest: '', record: new Uint8Array() }));
    },
    fields: async (keys: readonly string[]) =>
      ({ get: () => ({ id: '', keywords: [] }), size: keys.length }) as unknown as Map<string, never>,
  };
  const matcher = {
    query: async () => ({ digest: 'd', variants: [Uint32Array.of(1)] }),
    votes: async (_: number, _type: string, _dna: Uint8Array, { norms }: VotedReferences) => {
      read.counted += norms.length;
      return Float64Array.from(norms, (n) => votes[n]!);
    },
    verify: async (_: number, _type: string, _dna: Uint8Array, references: readonly StoredReference[]) => ({
      verdicts: references
        .filter((reference) => matching.has(Number((reference as unknown as Recorded).id.replace(/\D/g, ''))))
        .map(({ image }) => ({ image, score: 0.5, resultInfo: null })),
      effort: references.length,
    }),
  };
  const search = new ClusteredSearch({
    application: 1,
    type: 'media-matching',
    pictures: pictures as unknown as Pictures,
    matchers: { run: (call: (matcher: unknown) => unknown) => call(matcher) } as unknown as Matchers,
    metrics: new Metrics(),
  });
  const page = { start: 0, count: 1000 };
  const searched = { dna: new Uint8Array(1), restriction: { keywords: [], ids: null }, page, below: 1, colorWeight: 0 };
  return { read, find: async () => (await search.search(searched)).images.map(({ id }) => id) };
}

interface Query {
  readonly from?: number;
  readonly size: number;
  readonly search_after?: readonly string[];
  readonly query: {
    readonly bool?: {
      readonly should?: unknown;
      readonly filter?: readonly { readonly terms: { readonly id: string[] } }[];
    };
  };
}

/** Of `count` pictures, those with these numbers have many votes. */
function stock(count: number, many: readonly number[], matching: readonly number[]): Stock {
  const votes = Array.from({ length: count }, (_, n) => (many.includes(n) ? 1000 : 1 + ((n * 7) % 90)));
  return { votes, matching: new Set(matching) };
}

test('a picture with many votes is found among the first 300 by terms, and no further votes are counted', async () => {
  const { read, find } = searchOf(stock(5000, [250], [250]));
  assert.deepEqual(await find(), [idOf(250)]);
  assert.equal(read.counted, 300);
});

test('where nothing is found, it is found among the first 1,000, no picture compared or counted twice', async () => {
  const { read, find } = searchOf(stock(5000, [250, 700], [700]));
  assert.deepEqual(await find(), [idOf(700)]);
  assert.equal(new Set(read.records).size, read.records.length);
  assert.deepEqual([read.requests, read.counted], [2, 1000]);
});

test('where searches often find nothing, one request reads all, and answers stay the same', async () => {
  const { read, find } = searchOf(stock(5000, [250, 700], []));
  const requests: number[] = [];
  for (let i = 0; i < 10; i++) {
    read.requests = 0;
    assert.deepEqual(await find(), []);
    requests.push(read.requests);
  }
  assert.deepEqual(requests, [2, 2, 2, 2, 2, 2, 1, 1, 1, 1]);
  assert.equal(read.counted, 10 * 1000);
});

test('behind a crowd with many votes, which hides a copy, the first 1,000 are compared in the order of their terms', async () => {
  const votes = Array.from({ length: 5000 }, () => 500_000);
  const matching = new Set([10, 900, 1001]);
  assert.deepEqual(await searchOf({ votes, matching }).find(), [idOf(10), idOf(900)]);
});

test('of many that match, the first 1,000 are found, no picture compared twice', async () => {
  const matching = Array.from({ length: 5000 }, (_, n) => n);
  const { read, find } = searchOf(stock(5000, [], matching));
  assert.deepEqual(await find(), matching.slice(0, 1000).map(idOf));
  assert.equal(read.records.length, 1000);
});

test('behind the first 1,000 by terms nothing is found', async () => {
  assert.deepEqual(await searchOf(stock(5000, [1001], [1001])).find(), []);
});

test('of up to 1,000 pictures all are compared where nothing is found', async () => {
  const { votes, matching } = stock(900, [850], [850]);
  assert.deepEqual(await searchOf({ votes, matching }).find(), [idOf(850)]);
});

for (const copies of [1, 16, 17, 316, 500])
  test(`${copies} exact copies are all listed, with the pictures that match besides`, async () => {
    const { votes, matching } = stock(5000, [299], [299]);
    // the first copy is compared for all
    const { find } = searchOf({ copies, votes, matching: new Set([...matching, 0]) });
    const found = await find();
    const listed = Array.from({ length: copies }, (_, n) => copyOf(n));
    assert.deepEqual(
      found.filter((id) => id.startsWith('copy')),
      listed,
    );
    assert.ok(found.includes(idOf(299)));
  });
