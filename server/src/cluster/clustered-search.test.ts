import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredReference, VerifyOptions, VotedReferences } from '@sosia/engine';
import { Metrics } from '../metrics/metrics.ts';
import {
  type SearchConditions,
  candidateSourceSuite,
  explanationOf,
  idOf,
  numberOf,
  type Planted,
  type Searched,
  verdictOf,
} from '../search/candidate-source.test.kit.ts';
import { CLUSTER_DEPTH } from './cluster-source.ts';
import { ClusteredSearch } from './clustered-search.ts';
import type { Matchers } from './matchers.ts';
import { keyOf, type Pictures, type Recorded } from './pictures.ts';

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

/** A search over planted pictures, whose requests are answered from memory; and what it has read. */
function opened(stock: readonly Planted[], conditions: SearchConditions, deleted: readonly number[] = []) {
  const read = { requests: 0, counted: [] as string[], compared: [] as string[] };
  const places = stock.map((_, number) => number);
  const copies = places.filter((number) => stock[number]!.copy);
  const others = places.filter((number) => !stock[number]!.copy);
  const byTerms = others
    .filter((number) => stock[number]!.terms > 0)
    .sort((a, b) => stock[b]!.terms - stock[a]!.terms || a - b);
  const voters = (places: readonly number[]) =>
    places.map((number) => ({ id: idOf(number), norm: number, beginning: new Uint8Array() }));
  const meeting = (query: object, all: readonly number[]) =>
    JSON.stringify(query).includes('"few"') ? all.slice(0, 1) : all;
  const pictures = {
    ids: async ({ from = 0, size, query, search_after }: Query) => {
      if (JSON.stringify(query).includes('must_not'))
        return meeting(query, others)
          .slice(from, from + size)
          .map(idOf);
      const [after = ''] = search_after ?? [];
      return copies
        .map(idOf)
        .filter((id) => id > after)
        .slice(0, size);
    },
    voters: async ({ from = 0, size, query }: Query, most: number) => {
      read.requests++;
      const shown = query.bool?.should ? copies.slice(0, size) : [];
      const whole = JSON.stringify(query).includes('"exists"');
      const listed = meeting(query, whole ? others : byTerms)
        .slice(from, from + size - shown.length)
        .slice(0, most);
      return { copies: shown.map(idOf), others: voters(listed) };
    },
    records: async ({ query }: Query) => {
      const ids = query.bool!.filter![0]!.terms.id;
      read.compared.push(...ids);
      return ids
        .filter((id) => !conditions.removed.has(id))
        .map((id): Recorded => ({ id, digest: '', record: new Uint8Array() }));
    },
    fields: async (keys: readonly string[]) => {
      const absent = new Set(deleted.map((number) => keyOf(1, idOf(number))));
      return new Map(keys.filter((key) => !absent.has(key)).map((key) => [key, { id: '', keywords: [] }]));
    },
  };
  const matcher = {
    query: async () => ({ digest: 'd', variants: [Uint32Array.of(1)] }),
    votes: async (_: number, _type: string, _dna: Uint8Array, { norms }: VotedReferences) => {
      read.counted.push(...Array.from(norms, idOf));
      return Float64Array.from(norms, (number) => stock[number]!.votes);
    },
    verify: async (
      _: number,
      _type: string,
      _dna: Uint8Array,
      references: readonly (StoredReference & { id: string })[],
      { explain }: VerifyOptions,
    ) => ({
      verdicts: references.flatMap(({ id, image }) => {
        const verdict = verdictOf(stock[numberOf(id)]!);
        return verdict ? [{ image, ...verdict }] : [];
      }),
      effort: references.length * conditions.effort,
      ...(explain && {
        explanations: references.map(({ id, image }) => ({ image, explanation: explanationOf(numberOf(id)) })),
      }),
    }),
  };
  const search = new ClusteredSearch({
    application: 1,
    type: 'media-matching',
    pictures: pictures as unknown as Pictures,
    matchers: { run: (call: (matcher: unknown) => unknown) => call(matcher) } as unknown as Matchers,
    metrics: new Metrics(),
  });
  const { below, ...page } = conditions.window;
  const restriction = { keywords: [], ids: null };
  const searched = { dna: new Uint8Array(1), restriction, page, below, colorWeight: 0, explain: conditions.explain };
  const restricted = (keywords: string[]) => search.search({ ...searched, restriction: { keywords, ids: null } });
  return { read, search: () => search.search(searched), restricted };
}

candidateSourceSuite('a cluster', CLUSTER_DEPTH, async (stock, conditions): Promise<Searched> => {
  const { read, search } = opened(stock, conditions);
  const { found, images, truncated = false } = await search();
  return { found, truncated, listed: images, compared: read.compared, counted: read.counted };
});

const usual: SearchConditions = {
  window: { below: 1, start: 0, count: 1000 },
  explain: false,
  effort: 1,
  removed: new Set(),
};

test('where searches often find nothing, one request reads all, and answers stay the same', async () => {
  const stock = Array.from({ length: 5000 }, (_, number): Planted => ({ terms: 9000 - number, votes: 9000 - number }));
  const { read, search } = opened(stock, usual);
  const requests: number[] = [];
  for (let i = 0; i < 10; i++) {
    read.requests = 0;
    assert.equal((await search()).found, 0);
    requests.push(read.requests);
  }
  assert.deepEqual(requests, [3, 2, 2, 2, 2, 2, 1, 1, 1, 1]);
  assert.equal(read.counted.length, 10 * 1000);
});

test('the terms of a small application are not looked up, and a large one is read for this at its first search alone', async () => {
  const requestsOf = async (count: number): Promise<number[]> => {
    const stock = Array.from({ length: count }, (): Planted => ({ terms: 1, votes: 1, score: 0.5 }));
    const { read, search } = opened(stock, usual);
    const requests: number[] = [];
    for (let i = 0; i < 2; i++) {
      read.requests = 0;
      assert.equal((await search()).found, count);
      requests.push(read.requests);
    }
    return requests;
  };
  assert.deepEqual(await requestsOf(CLUSTER_DEPTH.listed), [1, 1]);
  assert.deepEqual(await requestsOf(CLUSTER_DEPTH.listed + 1), [3, 2]);
});

test('a restricted search of few pictures does not make a large application small', async () => {
  const stock = Array.from({ length: CLUSTER_DEPTH.listed + 1 }, (): Planted => ({ terms: 1, votes: 1, score: 0.5 }));
  const { read, search, restricted } = opened(stock, usual);
  await search();
  await restricted(['few']);
  read.requests = 0;
  await search();
  assert.equal(read.requests, 2);
});

test('a picture that was deleted while it was compared is neither listed nor counted', async () => {
  const stock = Array.from({ length: 3 }, (): Planted => ({ terms: 1, votes: 1, score: 0.5 }));
  const { found, images } = await opened(stock, usual, [1]).search();
  assert.deepEqual([found, images.map(({ id }) => id)], [2, [idOf(0), idOf(2)]]);
});

test('an explanation is of the one picture, and there is none of a picture that is not there', async () => {
  const matcher = {
    verify: async (
      application: number,
      type: string,
      dna: Uint8Array,
      [reference]: StoredReference[],
      options: VerifyOptions,
    ) => ({
      verdicts: [],
      explanations: [{ explanation: [application, type, [...dna], reference, options] }],
    }),
  };
  let found: Recorded[] = [];
  const search = new ClusteredSearch({
    ...{ application: 1, type: 'media-matching', metrics: new Metrics() },
    pictures: { records: async () => found } as unknown as Pictures,
    matchers: { run: (call: (each: unknown) => unknown) => call(matcher) } as unknown as Matchers,
  });
  assert.equal(await search.explain(Uint8Array.of(5), 'a'), undefined);
  found = [{ id: 'a', digest: 'd', record: Uint8Array.of(9) }];
  const reference = { ...found[0], image: 0 };
  assert.deepEqual(await search.explain(Uint8Array.of(5), 'a'), [
    1,
    'media-matching',
    [5],
    reference,
    { explain: true },
  ]);
});
