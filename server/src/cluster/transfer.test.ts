import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { goldenFolder } from '@sosia/fixtures';
import { fail } from '../errors.ts';
import { clusterAddress } from './address.ts';
import type { Call, Connection, Reply } from './connection.ts';
import { COPIES_PAUSE } from './copies.ts';
import type { Matchers } from './matchers.ts';
import { withoutPauses } from './pauses.test.kit.ts';
import { keyOf } from './pictures.ts';
import { requireMarked } from './replies.test.kit.ts';
import { Transfer } from './transfer.ts';

const pauses = withoutPauses();
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
  const added: number[] = [];
  const send = async (call: Call): Promise<Reply> => {
    calls.push(call);
    requireMarked(call);
    return { status: 200, repeated: false, body: answer(call) } as Reply;
  };
  const connection = { address: clusterAddress('http://127.0.0.1:1'), send } as unknown as Connection;
  const parts = { connection, matchers, added: (count: number) => void added.push(count) };
  return { transfer: new Transfer({ number: 1, type } as never, parts), calls, added };
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

function documentOf(id: string, changed: { key?: string; source?: object; fields?: object } = {}): object {
  return {
    _id: changed.key ?? keyOf(1, id),
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
  ({ path, body }: Call): object => {
    if (path.endsWith('_refresh')) return { _shards: { failed: 0 } };
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
  assert.equal(calls.filter(({ path }) => path.includes('_search')).length, 3);
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

const written = (changed: object = {}): object => ({
  index: { status: 201, _shards: { total: 2, successful: 2 }, ...changed },
});
const pictures = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: `p${i}`,
    keywords: [],
    dna,
    thumbnail: undefined,
    details: undefined,
  }));
const linesOf = ({ body }: Call): string[] => (body as string).trim().split('\n');

test('pictures are written by the hundred, in place of those that are there', async () => {
  for (const [count, batches] of [
    [99, [99]],
    [100, [100]],
    [101, [100, 1]],
    [200, [100, 100]],
  ] as const) {
    const { transfer, calls } = opened((call) => ({
      items: linesOf(call)
        .slice(0, -1)
        .map(() => written()),
    }));
    await transfer.put(pictures(count));
    assert.deepEqual(
      calls.map((call) => linesOf(call).length / 2),
      batches,
    );
    assert.deepEqual(JSON.parse(linesOf(calls[0]!)[0]!), { index: { _id: keyOf(1, 'p0') } });
  }
});

test('pictures are removed by the thousand, and one that is not there is no failure', async () => {
  const ended = { delete: { status: 404, _shards: { total: 2, successful: 2 } } };
  const { transfer, calls } = opened((call) => ({ items: linesOf(call).map(() => ended) }));
  await transfer.remove(Array.from({ length: 1001 }, (_, i) => `p${i}`));
  assert.deepEqual(
    calls.map((call) => linesOf(call).length),
    [1000, 1],
  );
});

test('what too few copies have is written again, alone', async () => {
  pauses.length = 0;
  const few = { _shards: { total: 2, successful: 1 } };
  let answers = [[written(), written(few), written()], [written()]];
  const { transfer, calls } = opened(() => ({ items: answers.shift()! }));
  await transfer.put(pictures(3));
  assert.deepEqual(JSON.parse(linesOf(calls[1]!)[0]!), { index: { _id: keyOf(1, 'p1') } });
  assert.equal(linesOf(calls[1]!).length, 2);
  assert.deepEqual(pauses, [COPIES_PAUSE]);

  answers = [[written({ _shards: { total: 1, successful: 1 } })]];
  await transfer.put(pictures(1));
});

test('a write that fails is repeated while the cluster is disturbed, and fails at once otherwise', async () => {
  pauses.length = 0;
  const failed = written({ status: 503, error: { reason: 'no leader' } });
  const answers = [failed, failed, written()];
  const { transfer, calls } = opened(() => ({ items: [answers.shift()!] }));
  await transfer.put(pictures(1));
  assert.equal(calls.length, 3);
  assert.equal(pauses.length, 2);

  const denied = opened(() => {
    throw fail('CLUSTER_DENIED', 'user');
  });
  await assert.rejects(denied.transfer.put(pictures(1)), { error: 'CLUSTER_DENIED' });
  assert.equal(denied.calls.length, 1);
});
