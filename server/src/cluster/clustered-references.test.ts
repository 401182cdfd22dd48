import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { fail, Failure } from '../errors.ts';
import type { ClusteredReferences } from './clustered-references.ts';
import type { Call } from './connection.ts';
import { type Answer, hits, PictureIndex, refused } from './picture-index.test.kit.ts';
import { keyOf } from './pictures.ts';
import type { ResidentPictures } from './resident-pictures.ts';

let cluster: PictureIndex;
let references: ClusteredReferences;
let withoutPictures: ClusteredReferences;
beforeEach(() => {
  cluster = new PictureIndex();
  references = cluster.of('media-matching');
  withoutPictures = cluster.of('filter');
});

test('whether a picture is there is read for a second, and a cluster that does not answer has none', async () => {
  cluster.store('a', { id: 'a' });
  cluster.store('b', { change: 'x', deleted: 1 });
  const begin = performance.now();
  assert.deepEqual(
    [await references.has('a'), await references.has('b'), await references.has('c')],
    [true, false, false],
  );
  const { until } = cluster.calls[0]!;
  assert.ok(until! >= begin + 1000 && until! <= performance.now() + 1000);
  cluster.before = [refused];
  assert.equal(await references.has('a'), false);
  cluster.before = [() => assert.fail(fail('CLUSTER_INCOMPLETE', 'x'))];
  await assert.rejects(references.has('a'), { error: 'CLUSTER_INCOMPLETE' });
  cluster.before = [() => assert.fail(new TypeError('x'))];
  await assert.rejects(references.has('a'), TypeError);
});

test('the presence of many is read a thousand at a time', async () => {
  for (const id of ['id-0', 'id-999', 'id-1000', 'id-2000']) cluster.store(id, { id });
  cluster.store('id-5', { change: 'x', deleted: 1 });
  const ids = Array.from({ length: 2001 }, (_, i) => `id-${i}`);
  assert.deepEqual([...(await references.present(ids))], ['id-0', 'id-999', 'id-1000', 'id-2000']);
  assert.deepEqual(
    cluster.calls.map(({ body }) => (body as { ids: string[] }).ids.length),
    [1000, 1000, 1],
  );
});

test('the parts of a picture are read, and one that is missing or deleted is unknown', async () => {
  cluster.store('a', { id: 'a', keywords: ['k'], dna: 'AQID', details: { width: 9 } });
  assert.deepEqual(await references.image('a'), { id: 'a', keywords: ['k'], score: 0, resultInfo: null });
  assert.deepEqual(await references.dna('a'), Uint8Array.of(1, 2, 3));
  assert.deepEqual(await references.details('a'), { width: 9 });
  cluster.before = [() => ({ body: hits([{ fields: { thumbnail: ['CQ=='] } }]) }), () => ({ body: hits([{}]) })];
  assert.deepEqual(await references.thumbnail('a'), Uint8Array.of(9));
  assert.deepEqual(cluster.calls.at(-1)!.body, {
    size: 1,
    _source: false,
    docvalue_fields: ['thumbnail'],
    query: { bool: { filter: [{ exists: { field: 'id' } }, { ids: { values: [keyOf(7, 'a')] } }] } },
  });
  assert.equal(await references.thumbnail('a'), undefined);
  cluster.store('b', { change: 'x', deleted: 1 });
  for (const id of ['b', 'c'])
    for (const part of ['image', 'dna', 'details', 'thumbnail'] as const)
      await assert.rejects(references[part](id) as Promise<unknown>, { error: 'UNKNOWN_IMAGE' }, `${part} of ${id}`);
});

test('changes since a position come shard by shard, and all of another index', async () => {
  const stats = (): Answer => ({
    body: {
      indices: {
        'own-7-1': {
          shards: {
            0: [{ routing: { primary: true }, seq_no: { global_checkpoint: 4 } }],
            1: [{ routing: { primary: true }, seq_no: { global_checkpoint: 9 } }],
          },
        },
      },
    },
  });
  const shown = (): Answer => ({ body: { _shards: { total: 1, successful: 1, failed: 0 } } });
  const found =
    (...sequence: number[]) =>
    () => ({
      body: hits(sequence.map((_seq_no) => ({ _seq_no, _source: { id: `s${_seq_no}` } }))),
    });
  cluster.before = [stats, shown, found(2, 3), found(8)];
  const since = await references.since({}, 3);
  const at = (shards: object) => ({ index: 'own-7-1', shards });
  assert.deepEqual(since, [
    { position: at({ 0: 2 }), id: 's2' },
    { position: at({ 0: 3 }), id: 's3' },
    { position: at({ 0: 3, 1: 8 }), id: 's8' },
  ]);
  const ranges = () =>
    cluster.calls.flatMap(({ body }) =>
      [...JSON.stringify(body ?? {}).matchAll(/"size":(\d+).*"_seq_no":(\{[^}]*\})/g)].map(
        ([, size, range]) => `${size} ${range}`,
      ),
    );
  assert.deepEqual(ranges(), ['3 {"gt":-1,"lte":4}', '1 {"gt":-1,"lte":9}']);
  assert.match(cluster.calls.at(-1)!.path, /_shards:1\|/);

  cluster.calls = [];
  cluster.before = [stats, found(9)];
  await references.since({ index: 'own-7-1', shards: { 0: 4, 1: 8 } }, 5);
  assert.deepEqual(ranges(), ['5 {"gt":8,"lte":9}']);
  cluster.calls = [];
  cluster.before = [stats, found(1, 2, 3)];
  await references.since({ index: 'own-7-0', shards: { 0: 4, 1: 9 } }, 3);
  assert.deepEqual(ranges(), ['3 {"gt":-1,"lte":4}']);
  cluster.before = [stats];
  assert.equal(await references.revision(), '{"index":"own-7-1","shards":{"0":4,"1":9}}');
});

test('a page is one request, and one behind the ten-thousandth picture is read in steps', async () => {
  const page = (): Answer => ({ body: hits([{ _source: { id: 'a', keywords: [] } }], 30_000) });
  cluster.before = [page];
  const restriction = { keywords: ['k'], ids: null };
  const listed = await references.list(restriction, { start: 5, count: 10 }, 'Z');
  assert.deepEqual([listed.found, listed.images.map(({ id }) => id)], [30_000, ['a']]);
  const bodyOf = ({ body }: Call) => body as Record<string, unknown>;
  assert.deepEqual(bodyOf(cluster.calls[0]!), {
    size: 10,
    from: 5,
    track_total_hits: true,
    _source: ['id', 'keywords'],
    query: {
      bool: { filter: [{ exists: { field: 'id' } }, { term: { keywords: 'k' } }, { range: { id: { gt: 'Z' } } }] },
    },
    sort: [{ id: 'asc' }],
  });
  const full = (count: number) => () => ({
    body: hits(Array.from({ length: count }, (_, i) => ({ sort: [`${count}-${i}`] }))),
  });
  cluster.calls = [];
  cluster.before = [full(10_000), full(5000), page];
  await references.latest({ keywords: [], ids: null }, { start: 15_000, count: 1000 });
  const steps = cluster.calls.map(bodyOf).map(({ query: _, sort: __, ...rest }) => rest);
  assert.deepEqual(steps, [
    { size: 10_000, search_after: undefined, track_total_hits: false, _source: false },
    { size: 5000, search_after: ['10000-9999'], track_total_hits: false, _source: false },
    { size: 1000, search_after: ['5000-4999'], track_total_hits: true, _source: ['id', 'keywords'] },
  ]);
  cluster.calls = [];
  cluster.before = [full(9999), page];
  await references.list({ keywords: [], ids: ['a'] }, { start: 15_000, count: 1000 });
  assert.deepEqual(
    cluster.calls.map((call) => [bodyOf(call)['size'], bodyOf(call)['from']]),
    [
      [10_000, undefined],
      [0, undefined],
    ],
  );
  cluster.calls = [];
  cluster.before = [page];
  await references.list({ keywords: [], ids: null }, { start: 9000, count: 1000 });
  assert.deepEqual(
    cluster.calls.map((call) => [bodyOf(call)['size'], bodyOf(call)['from']]),
    [[1000, 9000]],
  );
});

test('the state of an index is read of the cluster', async () => {
  cluster.before = [() => ({ body: hits([], 12) })];
  assert.equal(await references.count(), 12);
  cluster.before = [
    () => ({ body: { a: { settings: { 'index.blocks.write': 'true' } } } }),
    () => ({ body: { a: { settings: {} } } }),
  ];
  assert.equal(await references.status(), 'read-only');
  assert.equal(await references.status(), 'available');
  assert.equal(await references.indexBytes(), 0);
  await assert.rejects(
    references.palette({ keywords: [], ids: null }, []),
    (cause) => cause instanceof Failure && cause.error === 'NOT_IN_CLUSTERS',
  );
});

test('a type without pictures has no index, and sends the cluster nothing', async () => {
  assert.equal(await withoutPictures.count(), 0);
  assert.equal(await withoutPictures.status(), 'available');
  assert.equal(await withoutPictures.indexBytes(), 0);
  assert.deepEqual(cluster.calls, []);
});

test('the metadata of pictures are those that have some', async () => {
  cluster.store('a', { id: 'a', keywords: [], details: { metadata: { year: 1999 } } });
  cluster.store('b', { id: 'b', keywords: [], details: { width: 9 } });
  cluster.store('c', { id: 'c', keywords: [] });
  assert.deepEqual(await references.metadata(['a', 'b', 'c', 'd']), new Map([['a', { year: 1999 }]]));
  assert.match(cluster.calls[0]!.path, /_source=id,keywords,details\.metadata$/);
});

test('pictures in memory of this process are searched there, others in the cluster', async () => {
  const calls: unknown[] = [];
  const called =
    (name: string) =>
    async (...of: unknown[]) => (calls.push([name, ...of]), name);
  const parts = ['search', 'explain', 'palette', 'load', 'drop'].map((name) => [name, called(name)] as const);
  const resident = { ...Object.fromEntries(parts), bytes: async () => 9, loading: { loaded: 1, pictures: 2 } };
  const held = cluster.of('media-matching', resident as unknown as ResidentPictures);
  const restriction = { keywords: [], ids: null };
  const search = { dna: Uint8Array.of(1), restriction, page: { start: 0, count: 1 }, below: 1, colorWeight: 0 };
  assert.equal(await held.search(search), 'search');
  assert.equal(await held.explain(Uint8Array.of(1), 'a'), 'explain');
  assert.equal(await held.palette(restriction, [7]), 'palette');
  await held.load();
  await held.drop();
  assert.deepEqual([await held.indexBytes(), held.loading], [9, { loaded: 1, pictures: 2 }]);
  const [first, second, ...rest] = calls;
  assert.deepEqual([first, second], [['search', search], ['explain', Uint8Array.of(1), 'a']]); // prettier-ignore
  assert.deepEqual(rest, [['palette', restriction, [7]], ['load'], ['drop']]);
  assert.equal(cluster.calls.length, 0);

  await references.load();
  await references.drop();
  assert.equal(references.loading, undefined);
  assert.equal(await references.explain(Uint8Array.of(1), 'a'), undefined);
  assert.match(cluster.calls[0]!.path, /^\/own-7\/_search/);
});
