import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterAddress } from './address.ts';
import type { Call, Connection } from './connection.ts';
import { documentOf } from './document.ts';
import type { Matchers } from './matchers.ts';
import { keyOf, Pictures } from './pictures.ts';
import { requireMarked } from './replies.test.kit.ts';
import { COPY_SCORE } from './search-query.ts';

/** The pictures of the application 7, whose requests get this answer. */
function opened(body: object, status = 200) {
  const calls: Call[] = [];
  const send = async (call: Call) => (requireMarked(call), calls.push(call), { status, repeated: false, body });
  const connection = { address: clusterAddress('http://127.0.0.1:1'), send } as unknown as Connection;
  return { pictures: Pictures.of(connection, 7), calls };
}

const found = (hits: readonly object[], shards: object = {}, more: object = {}) => ({
  ...{ timed_out: false, _shards: { total: 2, successful: 2, failed: 0, ...shards } },
  ...{ hits: { total: { value: hits.length }, hits }, ...more },
});

test('a search in which a shard is late, fails or is missing is no answer', async () => {
  for (const body of [
    found([], {}, { timed_out: true }),
    found([], { failed: 1 }),
    found([], { successful: 1 }),
    found([], { total: 3 }),
  ])
    await assert.rejects(opened(body).pictures.count({}), { error: 'CLUSTER_INCOMPLETE' });
  const { pictures, calls } = opened(found([{}]));
  assert.equal(await pictures.count({ a: 1 }), 1);
  assert.equal(calls[0]!.path, '/sosia-7/_search?allow_partial_search_results=false&preference=_local');
  assert.deepEqual(calls[0]!.body, { size: 0, track_total_hits: true, query: { a: 1 } });
  await pictures.documents({}, '3');
  assert.match(calls[1]!.path, /&preference=_shards:3\|_local$/);
});

test('an index that was deleted is an unknown application; another 404 is unexpected unless it is expected', async () => {
  const call = { method: 'GET', path: '_doc/a?b' } as const;
  const missing = { error: { type: 'index_not_found_exception', reason: '' } };
  await assert.rejects(opened(missing, 404).pictures.send({ ...call, expected: [404] }), {
    error: 'UNKNOWN_APPLICATION',
  });
  await assert.rejects(opened({}, 404).pictures.send(call), {
    error: 'CLUSTER_UNEXPECTED',
    message: /GET _doc\/a \(HTTP 404\)/,
  });
  assert.equal((await opened({}, 404).pictures.send({ ...call, expected: [404] })).status, 404);
});

test('hits with the score of a copy are copies, so many of the others are voters', async () => {
  const hit = (id: string, score: number) => ({
    sort: [score, id],
    fields: { norm: ['7'], beginning: [Uint8Array.of(1)] },
  });
  const { pictures, calls } = opened(found([hit('a', COPY_SCORE), hit('b', 3), hit('c', 2), hit('d', 1)]));
  for (const most of [1, 2, 3]) {
    const { copies, others } = await pictures.voters({}, most);
    assert.deepEqual([copies, others.map(({ id }) => id)], [['a'], ['b', 'c', 'd'].slice(0, most)]);
    assert.deepEqual(others[0], { id: 'b', norm: 7, beginning: Uint8Array.of(1) });
  }
  assert.ok(calls.every(({ binary }) => binary));
});

test('pictures are read by their keys: marks of deleted ones and missing ones are left out, failures are not', async () => {
  const docs = [
    { _id: 'a', found: true, _source: { id: 'A', keywords: [] }, fields: { dna: ['AQ=='] } },
    { _id: 'b', found: true, _source: {} },
    { _id: 'c', found: false },
  ];
  const { pictures, calls } = opened({ docs });
  assert.deepEqual([...(await pictures.fields(['a', 'b', 'c'])).keys()], ['a']);
  assert.deepEqual(await pictures.dna(['a', 'b', 'c']), new Map([['a', Uint8Array.of(1)]]));
  assert.ok(calls.every(({ path }) => path.includes('realtime=false&preference=_local')));
  assert.equal((await pictures.fields([])).size, 0);
  assert.equal(calls.length, 2, 'nothing is requested for no keys');
  for (const [error, expected] of [
    [{ type: 'index_not_found_exception', reason: '' }, 'UNKNOWN_APPLICATION'],
    [{ type: 'other', reason: 'no shard' }, 'CLUSTER_INCOMPLETE'],
  ] as const)
    await assert.rejects(opened({ docs: [{ _id: 'a', error }] }).pictures.fields(['a']), { error: expected });
});

test('an index takes changes unless one of its blocks is set', async () => {
  for (const [settings, takes] of [
    [{}, true],
    [{ 'index.blocks.write': 'false' }, true],
    [{ 'index.blocks.write': 'false', 'index.blocks.read_only_allow_delete': 'true' }, false],
  ] as const)
    assert.equal(await opened({ 'sosia-7-1': { settings } }).pictures.takesChanges(), takes);
});

test('of each shard the furthest copy and the largest one count', async () => {
  const copy = (checkpoint: number, count: number, size: number) => ({
    ...{ seq_no: { global_checkpoint: checkpoint }, segments: { count }, store: { size_in_bytes: size } },
  });
  const shards = { 0: [copy(4, 1, 9), copy(5, 3, 8)], 1: [{}] };
  const { pictures } = opened({ indices: { 'sosia-7-1': { shards } } });
  assert.deepEqual(await pictures.shards(), [
    { checkpoint: 5, segments: 3, bytes: 9 },
    { checkpoint: -1, segments: 0, bytes: 0 },
  ]);
  assert.deepEqual(await opened({ indices: { 'sosia-7-1': {} } }).pictures.shards(), []);
});

test('a document has the picture in base64, its terms as words, and a time after every earlier one', async () => {
  const parts = {
    digest: 'd',
    norm: 2,
    terms: Uint32Array.of(0, 63),
    beginning: Uint8Array.of(1),
    rest: Uint8Array.of(2),
  };
  const matchers = { run: async () => parts } as unknown as Matchers;
  const picture = { id: 'a', keywords: ['k'], dna: Uint8Array.of(1), thumbnail: Uint8Array.of(2), details: undefined };
  const of = (type: 'media-matching' | 'image-similarity', one: object = {}) =>
    documentOf({ ...picture, ...one }, 'c', { application: 7, type, matchers }) as Promise<Record<string, unknown>>;
  const { changed, ...document } = await of('media-matching');
  assert.deepEqual(document, {
    ...{ application: 7, id: 'a', keywords: ['k'], change: 'c', digest: 'd', norm: 2, terms: 'AAAAA AAAA_' },
    ...{ beginning: 'AQ==', rest: 'Ag==', dna: 'AQ==', thumbnail: 'Ag==', details: undefined },
  });
  const plain = await of('image-similarity', { thumbnail: undefined });
  assert.deepEqual([plain['digest'], plain['terms'], plain['thumbnail']], [undefined, undefined, undefined]);
  const times = await Promise.all(
    Array.from({ length: 50 }, async () => (await of('image-similarity'))['changed'] as number),
  );
  assert.deepEqual(
    times,
    [...new Set(times)].sort((a, b) => a - b),
  );
  assert.ok(times[0]! > (changed as number) && Math.abs(times[0]! / 1000 - Date.now()) < 60_000);
});

test('the key of a document is the digest of its application and id in 43 characters', () => {
  assert.equal(keyOf(7, 'a'), 'f6_pnWb_nqqgSg75j7Jy16b5rYuUtpZKbxsVU067zvI');
  assert.notEqual(keyOf(71, '1'), keyOf(7, '11'));
});

test('ids are the last values of the sort, and what pictures are compared by is read as bytes', async () => {
  const { pictures, calls } = opened(found([{ sort: [3, 'a'] }, { sort: ['b'] }]));
  assert.deepEqual(await pictures.ids({ size: 2 }), ['a', 'b']);
  const fields = { id: ['a'], digest: ['d'], beginning: [Uint8Array.of(1)], rest: [Uint8Array.of(2, 3)] };
  const recorded = opened(found([{ fields }]));
  assert.deepEqual(await recorded.pictures.records({}), [{ id: 'a', digest: 'd', record: Buffer.from([1, 2, 3]) }]);
  assert.deepEqual([calls[0]!.binary, recorded.calls[0]!.binary], [false, true]);
});

test('a merge is begun for each copy, into one segment', async () => {
  const { pictures, calls } = opened({});
  await pictures.merge();
  assert.deepEqual(
    calls.map(({ method, path }) => `${method} ${path}`),
    ['POST /sosia-7/_forcemerge?max_num_segments=1&wait_for_completion=false'],
  );
});
