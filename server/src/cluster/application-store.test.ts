import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMBEDDING_LENGTH, networkSpecOf } from '@sosia/engine';
import { type EmbeddingNetwork, embeddingNetwork } from '../store/embedding-network.ts';
import type { ProfileRecord, StoredKey } from '../store/store.ts';
import { ClusterApplicationStore } from './application-store.ts';
import type { Call } from './connection.ts';
import { Directory, packed } from './directory.ts';
import { Documents } from './documents.test.kit.ts';

const application = {
  ...({ type: 'media-matching', name: 'a', keys: [], enabled: true } as const),
  defaults: { nbResults: 10, colorWeight: 0, retrievalThreshold: 1 },
};

/** A cluster of three nodes, of whose indexes these exist. */
async function opened(indexes: readonly string[] = []) {
  const documents = new Documents();
  documents.answer = ({ method, path }: Call) => {
    if (path.includes('/_alias')) return { body: Object.fromEntries(indexes.map((name) => [name, {}])) };
    if (path.startsWith('/_cluster/state')) {
      const one = { settings: { index: { number_of_shards: '4' } }, routing_num_shards: 8, aliases: ['sosia-1'] };
      return { body: { metadata: { indices: Object.fromEntries(indexes.map((name) => [name, one])) } } };
    }
    const shards = { total: 1, successful: 1, failed: 0 };
    return {
      status: method === 'DELETE' ? 404 : 200,
      body: { number_of_data_nodes: 3, _shards: shards, hits: { hits: [] } },
    };
  };
  const directory = await Directory.open(documents.connection);
  const of = (verb: string): string[] => documents.others.filter((each) => each.startsWith(verb));
  return { documents, directory, store: new ClusterApplicationStore(documents.connection, directory), of };
}

test('a new application has the next number and a place in an index, and is reserved until it has its row', async () => {
  const { store, directory, of } = await opened();
  const one = await store.create(application);
  assert.equal(one.number, 1);
  assert.deepEqual(store.list(), [one]);
  assert.deepEqual(of('PUT'), ['PUT /sosia-shared-1?wait_for_active_shards=2']);
  assert.deepEqual(of('POST'), ['POST /_aliases']);
  assert.equal((await store.create({ ...application, type: 'filter' })).number, 2);
  assert.equal(of('PUT').length, 1, 'profiles have no pictures');
  assert.deepEqual([directory.content.reserved, directory.content.highest, store.deleted()], [[], 2, []]);
  await store.create(application, undefined, 1);
  assert.deepEqual(of('PUT').slice(1), ['PUT /sosia-3-1?wait_for_active_shards=2'], 'one that is to have shards');
});

test('a creation is taken for broken off after ten minutes, and not before', async (t) => {
  const { store, directory } = await opened();
  t.mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
  await directory.change((content) => ({ ...content, highest: 1, reserved: [{ number: 1, at: 1_000_000 }] }));
  for (const [after, abandoned] of [
    [599_999, []],
    [600_000, []],
    [600_001, [1]],
  ] as const) {
    t.mock.timers.setTime(1_000_000 + after);
    assert.deepEqual(store.deleted(), abandoned, String(after));
  }
});

test('a number whose creation was broken off is no longer reserved once it is purged', async () => {
  const { store, directory } = await opened();
  const reserved = [1, 2].map((number) => ({ number, at: 5 }));
  await directory.change((content) => ({ ...content, highest: 3, reserved, unsettled: [1, 3] }));
  await store.purge(1);
  assert.deepEqual([directory.content.reserved, directory.content.unsettled], [[reserved[1]], [3]]);
});

test('a creation whose number another process took back has no row', async () => {
  const { store, directory, documents } = await opened();
  const takenBack = () => packed({ ...directory.content, reserved: [] });
  documents.before = [() => {}, () => documents.change(documents.paths[0]!, takenBack())];
  await assert.rejects(store.create(application), { error: 'CLUSTER_UNEXPECTED', message: /taken back/ });
  assert.deepEqual(store.list(), []);
});

test('an emptied application has another number and as many shards, and keeps its first number as origin', async () => {
  const { store, documents, of } = await opened(['sosia-1-1']);
  const { number } = await store.create(application);
  documents.others = [];
  const emptied = await store.empty(number);
  assert.deepEqual([emptied.number, emptied.origin, store.deleted()], [2, 1, []]);
  assert.deepEqual(of('PUT'), ['PUT /sosia-2-1?wait_for_active_shards=2']);
  assert.ok(of('DELETE').includes('DELETE /sosia-1-1'));
  assert.ok(!documents.others.some((each) => each.includes('sosia-records')), 'the records stay');
  assert.equal((await store.empty(2)).origin, 1);
  await assert.rejects(store.empty(9), { error: 'UNKNOWN_APPLICATION' });
  documents.others = [];
  const lease = documents.paths[0]!.replace(/[^/]+$/, 'lease-3');
  documents.change(lease, { holder: null });
  const purged: number[] = [];
  const { answer } = documents;
  documents.answer = (call) => {
    const { query } = (call.body ?? {}) as { query?: { bool: { filter: [{ term: { application: number } }] } } };
    if (query) purged.push(query.bool.filter[0].term.application);
    return answer(call);
  };
  await store.delete(3);
  assert.ok(!documents.paths.includes(lease), 'its lease goes, too');
  assert.deepEqual(purged.sort(), [1, 3], 'now the records go');
  assert.deepEqual([store.list(), store.deleted()], [[], []]);
});

test('an application whose index is missing shares one when it is emptied', async () => {
  const { store, documents } = await opened();
  const { number } = await store.create(application);
  const sent: unknown[] = [];
  const { answer } = documents;
  documents.answer = (call) => (sent.push(call.body), answer(call));
  await store.empty(number);
  const layouts = sent.flatMap(
    (body) => (body as { settings?: { number_of_shards: number } } | undefined)?.settings ?? [],
  );
  assert.deepEqual(
    layouts.map(({ number_of_shards }) => number_of_shards),
    [1],
  );
});

test('keys and settings change in the row of their application alone', async () => {
  const { store } = await opened();
  const [one, two] = [await store.create(application), await store.create({ ...application, name: 'b' })];
  const key = { digest: 'd' } as StoredKey;
  await store.changeKeys(two.number, (keys) => [...keys, key]);
  assert.deepEqual(store.list(), [one, { ...two, keys: [key] }]);
  assert.deepEqual([store.knows('d'), store.knows('e'), store.administrators()], [true, false, []]);
  await store.changeKeys(null, () => [{ digest: 'e' } as StoredKey]);
  assert.equal(store.knows('e'), true);
  await store.update(one.number, { enabled: false });
  assert.deepEqual(
    store.list().map(({ enabled }) => enabled),
    [false, true],
  );
  await assert.rejects(store.update(9, {}), { error: 'UNKNOWN_APPLICATION' });
  await assert.rejects(
    store.changeKeys(9, () => []),
    { error: 'UNKNOWN_APPLICATION' },
  );
  store.saveLastUses({ d: 'now' });
  assert.deepEqual(store.lastUses(), { d: 'now' });
});

test('an application without pictures gets no shards', async () => {
  const { store } = await opened();
  const { number } = await store.create({ ...application, type: 'filter' });
  await assert.rejects(store.addShards(number, 2, {}), { error: 'NOT_IN_CLUSTERS' });
});

const profile = (name: string): ProfileRecord => ({
  profile: { name, weights: Float32Array.from({ length: EMBEDDING_LENGTH }, (_, k) => k / 7), bias: -0.5 },
  report: null,
  mistakes: Uint8Array.of(1, 2, 3),
});
const spec = networkSpecOf({ labels: ['indoor', 'outdoor'], positive: ['outdoor'] });
const network = (bytes: number) => ({ name: 'outdoor', spec, model: Uint8Array.from({ length: bytes }, (_, i) => i) });
const shared = (bytes: number): ProfileRecord => ({
  profile: network(bytes),
  report: null,
  mistakes: new Uint8Array(),
});

test('a profile is stored with its report and mistakes, found by its name, and removed wholly', async () => {
  const { store, documents } = await opened();
  const before = documents.paths;
  await store.profiles.add(profile('first'));
  assert.deepEqual(await store.profiles.list(), [profile('first')]);
  assert.equal(await store.profiles.find('second'), undefined);
  await assert.rejects(store.profiles.add(profile('first')), { error: 'PROFILE_EXISTS' });
  await assert.rejects(store.profiles.add(profile('Not a name')), { error: 'BAD_PROFILE' });
  await store.profiles.delete('first');
  assert.deepEqual(
    documents.paths.filter((path) => path.includes('block')),
    before,
  );
  await assert.rejects(store.profiles.delete('first'), { error: 'UNKNOWN_PROFILE' });
});

test('a network is stored in pieces of 4 MB, behind the profiles, and shared where it is there', async () => {
  const { store, documents } = await opened();
  const PIECE = 4 * 2 ** 20;
  const overhead = await blockBytes(0);
  for (const [bytes, pieces] of [
    [PIECE - 1, 1],
    [PIECE, 1],
    [PIECE + 1, 2],
  ] as const) {
    const record = shared(bytes - overhead);
    await store.profiles.add(record);
    const blocks = documents.paths.filter((path) => path.includes('block-outdoor'));
    assert.equal(blocks.length, pieces, String(bytes));
    assert.deepEqual((await store.profiles.find('outdoor'))!.profile, record.profile);
    await store.profiles.delete('outdoor');
  }
  await store.profiles.add(shared(4));
  await store.profiles.add(profile('z'));
  await store.profiles.add(profile('a'));
  const names = await store.profiles.names();
  assert.deepEqual(
    names.map(({ name }) => name),
    ['a', 'z', 'outdoor'],
  );
  await store.profiles.share(network(4));
  await assert.rejects(store.profiles.share({ ...network(4), name: 'Not a name' }), { error: 'BAD_PROFILE' });
  await assert.rejects(store.profiles.pieces('nothing').next(), { error: 'UNKNOWN_PROFILE' });
});

/** Of the stored block of a network with a model of so many bytes. */
async function blockBytes(model: number): Promise<number> {
  const { store } = await opened();
  await store.profiles.add(shared(model));
  return (await store.profiles.names())[0]!.bytes!;
}

test('a network goes with the last application that is described by it', async () => {
  const { store } = await opened();
  const [one, other] = [1, 2].map((byte) => embeddingNetwork(networkSpecOf({ output: 'embedding' }), Uint8Array.of(byte), 3)); // prettier-ignore
  const create = ({ network: made, identity }: EmbeddingNetwork) =>
    store.create({ ...application, type: 'image-similarity', network: identity } as never, made);
  const kept = async () => (await store.profiles.names()).map(({ name }) => name);
  const [a, b] = [await create(one!), await create(one!)];
  await create(other!);
  const plain = await store.create(application);
  const both = [one!, other!].map(({ network: made }) => made.name).sort();
  assert.deepEqual(await kept(), both);
  await store.delete(a.number);
  await store.delete(plain.number);
  assert.deepEqual(await kept(), both, 'another application has it');
  await store.delete(b.number);
  assert.deepEqual(await kept(), [other!.network.name]);
});
