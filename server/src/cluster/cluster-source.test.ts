import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Remote } from '../workers/thread.ts';
import { CLUSTER_DEPTH, ClusterSource } from './cluster-source.ts';
import type { Matcher } from './matcher.ts';
import type { Pictures } from './pictures.ts';

const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `p${String(i).padStart(6, '0')}`);

interface Body {
  readonly size: number;
  readonly from?: number;
  readonly search_after?: readonly string[];
  readonly query: { readonly bool?: { readonly should?: unknown } };
}

/** A search of an index with pictures that share terms with the query, other pictures, and exact copies. */
function opened({ sharing = 0, others = 0, copies = 0, hasTerms = true, readAtFirst = 0, isSmall = false }) {
  const requests: string[] = [];
  const all = names(sharing + others);
  const exact = names(copies).map((id) => `copy ${id}`);
  const voter = (id: string) => ({ id, norm: 1, beginning: new Uint8Array() });
  const pictures = {
    async ids({ size, search_after: [after = ''] = [], query }: Body) {
      const whole = JSON.stringify(query).includes('must_not');
      requests.push(whole ? `${size} ids` : 'ids of copies');
      return (whole ? all : exact.filter((id) => id > after)).slice(0, size);
    },
    async voters({ from = 0, size, query }: Body, most: number) {
      const whole = JSON.stringify(query).includes('"exists"');
      const first = query.bool?.should !== undefined;
      requests.push(whole ? 'all' : first ? 'best' : `from ${from}`);
      const shown = first ? exact.slice(0, size) : [];
      const listed = (whole ? all : all.slice(0, sharing)).slice(from, from + size - shown.length);
      return { copies: shown, others: listed.slice(0, most).map(voter) };
    },
  };
  const matcher = { query: async () => ({ digest: 'd', variants: [Uint32Array.from(hasTerms ? [1] : [])] }) };
  const search = {
    ...({
      application: 1,
      type: 'media-matching',
      dna: new Uint8Array(),
      colorWeight: 0,
      readAtFirst,
      isSmall,
    } as const),
    restriction: { keywords: [], ids: null },
  };
  const source = new ClusterSource(search, pictures as unknown as Pictures, matcher as unknown as Remote<Matcher>);
  return { source, requests };
}

test('where fewer pictures share terms than are wanted, all are listed if they are no more than that', async () => {
  for (const [others, complete] of [
    [4, true],
    [5, true],
    [6, false],
  ] as const) {
    const { source, requests } = opened({ sharing: 5, others });
    const found = await source.candidates(10);
    assert.deepEqual(requests, ['best', '11 ids', ...(complete ? ['all'] : [])], 'one more shows that there are more');
    assert.deepEqual([found.complete, found.others.length], [complete, complete ? 5 + others : 5], String(others));
  }
  const enough = opened({ sharing: 10 });
  assert.equal((await enough.source.candidates(10)).complete, false);
  assert.deepEqual(enough.requests, ['best']);
});

test('of an application that is expected to be small, all are read first, and the terms where it is not', async () => {
  for (const [others, requested] of [
    [5, ['all']],
    [6, ['all', 'best']],
  ] as const) {
    const { source, requests } = opened({ sharing: 5, others, isSmall: true });
    const found = await source.candidates(10);
    assert.deepEqual(
      requests.filter((each) => each === 'all' || each === 'best'),
      requested,
    );
    assert.deepEqual(
      [found.complete, source.complete, found.others.length],
      others === 5 ? [true, true, 10] : [false, false, 5],
    );
  }
});

test('further candidates are read where the first request was full, each picture once', async () => {
  const { source, requests } = opened({ sharing: 30 });
  assert.equal((await source.byTerms(10)).length, 10);
  assert.equal((await source.byTerms(10)).length, 10);
  assert.deepEqual(requests, ['best']);
  const more = await source.byTerms(20);
  assert.deepEqual([more.length, new Set(more).size, requests], [20, 20, ['best', 'from 10']]);
  assert.equal((await source.byTerms(40)).length, 30);
  await source.byTerms(50);
  assert.deepEqual(requests, ['best', 'from 10', 'from 20'], 'nothing is behind a request that was not full');
  const ahead = opened({ sharing: 30, readAtFirst: 25 });
  await ahead.source.byTerms(10);
  assert.equal((await ahead.source.byTerms(25)).length, 25);
  assert.deepEqual(ahead.requests, ['best']);
});

test('up to 16 exact copies come with the first request; more are listed by their own, in pages of 10,000', async () => {
  for (const [copies, expected] of [
    [15, ['best']],
    [16, ['best']],
    [17, ['best', 'ids of copies', 'from 0']],
  ] as const) {
    const { source, requests } = opened({ copies, sharing: 5 });
    const found = await source.candidates(5);
    assert.deepEqual([found.copies.length, found.others.length], [copies, 5]);
    assert.deepEqual(requests, expected);
  }
  for (const [copies, pages] of [
    [9_999, 1],
    [10_000, 2],
    [10_001, 2],
  ] as const) {
    const { source, requests } = opened({ copies, sharing: 1, hasTerms: false });
    const found = await source.candidates(1);
    assert.equal(found.copies.length, copies);
    assert.equal(requests.filter((each) => each === 'ids of copies').length, pages, String(copies));
  }
});

test('a number belongs to one id, and equal votes are ordered by the bytes of the ids', () => {
  const { source } = opened({});
  const [a, b] = [source.numberOf('a'), source.numberOf('b')];
  assert.deepEqual([source.numberOf('a'), source.idOf(a), source.idOf(b)], [a, 'a', 'b']);
  assert.ok(source.compare(a, b) < 0 && source.compare(b, a) > 0 && source.compare(a, a) === 0);
  assert.ok(source.compare(source.numberOf('\uffff'), source.numberOf('\u{10000}')) < 0);
});

test('as many candidates are listed and counted as the page of clusters says', () => {
  const page = readFileSync(new URL('../../../docs/cluster.md', import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');
  const { listed, counted, countedAfterNothing } = CLUSTER_DEPTH;
  const after = countedAfterNothing.toLocaleString('en');
  assert.ok(page.includes(`by terms, for up to ${listed} selected pictures`));
  assert.ok(page.includes(`the votes of ${counted} pictures, and of ${after} where nothing is found`));
});
