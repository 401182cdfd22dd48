import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { goldenFolder } from '@sosia/fixtures';
import { clusterAddress } from './address.ts';
import type { Call, Connection, Reply } from './connection.ts';
import type { Matchers } from './matchers.ts';
import { keyOf } from './pictures.ts';
import { requireMarked } from './replies.test.kit.ts';
import { Transfer } from './transfer.ts';

const dna = readFileSync(join(goldenFolder, 'dna-v1/kodim19.reference.dna'));
const matcher = {
  document: async () => ({
    ...{ digest: 'd', norm: 7, terms: Uint32Array.of(1) },
    ...{ beginning: Uint8Array.of(1), rest: Uint8Array.of(2) },
  }),
};
const matchers = { run: (call: (each: typeof matcher) => unknown) => call(matcher) } as unknown as Matchers;

/** Of an application whose requests get these answers. */
function opened(answer: (call: Call) => object, type: 'media-matching' | 'image-similarity' = 'media-matching') {
  const calls: Call[] = [];
  const send = async (call: Call): Promise<Reply> => {
    calls.push(call);
    requireMarked(call);
    return { status: 200, repeated: false, body: answer(call) } as Reply;
  };
  const connection = { address: clusterAddress('http://127.0.0.1:1'), send } as unknown as Connection;
  return { transfer: new Transfer({ number: 1, type } as never, { connection, matchers }), calls };
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

function documentOf(id: string, changed: { key?: string; source?: object; fields?: object } = {}): object {
  return {
    _id: changed.key ?? keyOf(id),
    _source: { id, keywords: [], digest: 'd', norm: 7, ...changed.source },
    fields: {
      dna: [base64(dna)],
      beginning: [base64(Uint8Array.of(1))],
      rest: [base64(Uint8Array.of(2))],
      ...changed.fields,
    },
  };
}

/** Answers searches with the documents behind the last id, so many at a time. */
const listing =
  (documents: readonly object[], size = 2) =>
  ({ body }: Call): object => {
    const { search_after: [after] = [''] } = body as { search_after?: string[] };
    const idOf = (document: object): string => (document as { _source: { id: string } })._source.id;
    const hits = documents.filter((each) => idOf(each) > after!).slice(0, size);
    return { _shards: { total: 1, successful: 1, failed: 0 }, hits: { hits } };
  };

test('all pictures are listed by their ids, in as many requests as are needed', async () => {
  const { transfer, calls } = opened(listing(['a', 'b', 'c'].map((id) => documentOf(id))));
  const all = [];
  for await (const batch of transfer.all()) all.push(...batch);
  assert.deepEqual(
    all,
    ['a', 'b', 'c'].map((id) => {
      return { id, keywords: [], dna: new Uint8Array(dna), thumbnail: undefined, details: undefined };
    }),
  );
  assert.equal(calls.length, 3);
});

test('each part of a picture that differs from what its DNA gives is a fault, named by what was expected', async () => {
  const wrong: [string, Parameters<typeof documentOf>[1], RegExp | undefined][] = [
    ['a', {}, undefined],
    ['b', { key: 'other' }, /^expected the key .*, found other$/],
    ['c', { fields: { dna: [base64(dna.subarray(0, -1))] } }, /./],
    ['d', { source: { digest: 'x' } }, /^expected the digest d, found x$/],
    ['e', { source: { norm: 8 } }, /^expected the norm 7, found 8$/],
    ['f', { fields: { beginning: ['AAAA'] } }, /another beginning/],
    ['g', { fields: { rest: ['AAAA'] } }, /another rest/],
  ];
  const { transfer } = opened(listing(wrong.map(([id, changed]) => documentOf(id, changed))));
  const faults = [];
  for await (const batch of transfer.faults()) faults.push(...batch);
  assert.equal(faults.length, wrong.length);
  for (const [i, [id, , what]] of wrong.entries()) {
    assert.equal(faults[i]?.id, what && id, id);
    if (what) assert.match(faults[i]!.what, what);
  }
});

test('of a type that compares every picture, key and DNA are all there is to check', async () => {
  const similarity = readFileSync(join(goldenFolder, 'similarity-v1/kodim19.reference.dna'));
  const fields = { dna: [base64(similarity)], beginning: undefined, rest: undefined };
  const { transfer } = opened(
    listing([documentOf('a', { fields }), documentOf('b', { key: 'c', fields })]),
    'image-similarity',
  );
  const faults = [];
  for await (const batch of transfer.faults()) faults.push(...batch);
  assert.deepEqual(
    faults.map((each) => each?.id),
    [undefined, 'b'],
  );
});

const added = (changed: object = {}): object => ({
  create: { status: 201, _shards: { total: 2, successful: 2 }, ...changed },
});
const pictures = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: `p${i}`,
    keywords: [],
    dna,
    thumbnail: undefined,
    details: undefined,
  }));

test('pictures are added by the hundred, and one that exists is left as it is', async () => {
  const countOf = ({ body }: Call): number => (body as string).trim().split('\n').length / 2;
  for (const [count, batches] of [
    [99, [99]],
    [100, [100]],
    [101, [100, 1]],
    [200, [100, 100]],
  ] as const) {
    const { transfer, calls } = opened((call) => ({ items: Array(countOf(call)).fill(added({ status: 409 })) }));
    await transfer.add(pictures(count));
    assert.deepEqual(calls.map(countOf), batches);
  }
});

test('an addition that fails, or that one copy of two has, is of unknown outcome', async () => {
  for (const [changed, what] of [
    [{ status: 500, error: { reason: 'no room' } }, /no room \(HTTP 500\)/],
    [{ _shards: { total: 2, successful: 1 } }, /too few copies/],
  ] as const) {
    const { transfer } = opened(() => ({ items: [added(), added(changed)] }));
    await assert.rejects(transfer.add(pictures(2)), { error: 'CLUSTER_OUTCOME_UNKNOWN', message: what });
  }
  await opened(() => ({ items: [added({ _shards: { total: 1, successful: 1 } })] })).transfer.add(pictures(1));
});
