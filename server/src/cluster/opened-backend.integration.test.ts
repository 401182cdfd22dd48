import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, mock, test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { goldenFolder } from '@sosia/fixtures';
import { EMBEDDING_LENGTH, networkSpecOf, shippedProfiles, writeNetwork, writeProfile } from '@sosia/engine';
import { Metrics } from '../metrics/metrics.ts';
import type { ApplicationRecord } from '../store/store.ts';
import { clusterAddress } from './address.ts';
import { openClusterStore } from './application-store.ts';
import { withClusterAudit } from './audit.ts';
import { ClusteredBackend } from './clustered-backend.ts';
import { keyOf } from './pictures.ts';
import { ServedCluster } from './served-cluster.test.kit.ts';
import { verifyCluster } from './verify.ts';

let cluster: ServedCluster;
let host: string;
let warnings: string[];
before(async () => {
  cluster = new ServedCluster();
  host = await cluster.listen();
});
after(() => {
  cluster.server.closeAllConnections();
  cluster.server.close();
});
beforeEach(() => {
  cluster.requests.length = 0;
  cluster.documents.clear();
  cluster.search = () => [];
  cluster.instead = () => undefined;
  warnings = [];
  cluster.directory({ applications: [application(1, 'media-matching'), application(2, 'filter')] });
});

const application = (number: number, type: ApplicationRecord['type']): ApplicationRecord => ({
  ...{ number, type, name: `a${number}`, keys: [], enabled: true },
  defaults: { nbResults: 10, colorWeight: 0, retrievalThreshold: 1 },
});
const url = (user = '') => `http://${user}${host}`;
const warn = (what: string): void => void warnings.push(what);

async function started(t: TestContext, more: { search?: 'lists' | 'terms'; user?: string } = {}) {
  const { user = '', ...options } = more;
  const metrics = new Metrics();
  const backend = await ClusteredBackend.start(clusterAddress(url(user)), { threads: 1, metrics, warn, ...options });
  t.after(() => backend.close());
  return backend;
}
/** Connections that the cluster has after a moment. */
async function connections(): Promise<number> {
  for (let i = 0; i < 20; i++) {
    await pause(20);
    const open = await new Promise<number>((done) => cluster.server.getConnections((_, count) => done(count)));
    if (open === 0) return 0;
  }
  return 1;
}

test('a password without encryption is warned of, by services and commands, and a start that fails leaves no connection', async (t) => {
  const warning = /^the password of the cluster is sent to .* without encryption/;
  await started(t);
  assert.deepEqual(warnings, []);
  const named = await started(t, { user: 'user:word@' });
  assert.match(warnings.join(), warning);
  await named.close();
  warnings = [];
  (await openClusterStore(url('user:word@'), {}, warn)).close();
  (await openClusterStore(url(), {}, warn)).close();
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, warning);
});

test('what is begun and fails, or ends, leaves no connection', async () => {
  const store = await openClusterStore(url(), {}, warn);
  assert.deepEqual(
    store.list().map(({ number }) => number),
    [1, 2],
  );
  store.close();
  assert.equal(await withClusterAudit(url(), {}, async (log) => (await log.read({ start: 0, count: 1 })).length), 0);
  assert.deepEqual(cluster.of('/_mapping').length > 0, true);
  await assert.rejects(
    withClusterAudit(url(), {}, () => Promise.reject(new Error('the work fails'))),
    /the work fails/,
  );
  cluster.instead = ({ path }) => (path === '/' ? [200, { version: { distribution: 'x', number: '1' } }] : undefined);
  const options = { threads: 1, metrics: new Metrics(), warn };
  for (const start of [
    () => openClusterStore(url(), {}, warn),
    () => ClusteredBackend.start(clusterAddress(url()), options),
    () => withClusterAudit(url(), {}, async () => {}),
    () => verifyCluster(url()),
  ])
    await assert.rejects(start(), { error: 'CLUSTER_UNSUITABLE' });
  assert.equal(await connections(), 0);
});

test('pictures that this process compares itself are opened once, those of other types not at all', async (t) => {
  const terms = await started(t);
  const [exhaustive, matching] = [application(3, 'image-similarity'), application(1, 'media-matching')];
  assert.deepEqual(terms.open(exhaustive, true).loading, { loaded: 0, pictures: 0 });
  assert.deepEqual(terms.open(exhaustive).loading, { loaded: 0, pictures: 0 }, 'the same pictures');
  assert.equal(terms.open(application(4, 'image-similarity')).loading, undefined, 'nothing is stored');
  assert.equal(terms.open(matching, true).loading, undefined);
  await pause(50);
  assert.deepEqual(cluster.of('/_doc/search-'), [], 'signs of life are of nodes that say how they search');
  assert.equal((await started(t, { search: 'terms' })).open(matching, true).loading, undefined);
  while (cluster.of('/_doc/search-terms').length === 0) await pause(5);
  const lists = await started(t, { search: 'lists' });
  assert.deepEqual(lists.open(matching, true).loading, { loaded: 0, pictures: 0 });
  assert.equal(lists.open(application(2, 'filter'), true).loading, undefined);
  assert.equal(terms.applications, terms.store);
  assert.equal(terms.outage, undefined);
  const now = performance.now();
  const clock = mock.method(performance, 'now', () => now + 60_000);
  assert.equal(terms.outage!.error, 'CLUSTER_UNREACHABLE');
  clock.mock.restore();
  const made = cluster.requests.filter(({ method, path }) => method === 'PUT' && !path.includes('/_doc/'));
  assert.deepEqual(made, [], 'all is there');
  assert.deepEqual(await terms.audit.read({ start: 0, count: 1 }), []);
  await terms.purge(9);
  assert.ok(cluster.of('/sosia-9-*/_alias').length > 0);
});

test('events are collected of the pictures of applications that are there', async (t) => {
  const { records } = await started(t);
  const waiting = () => cluster.of('/_search').filter(({ body }) => body.includes('caused')).map(({ path }) => path.split('/')[1]); // prettier-ignore
  assert.equal(await records.collectEvents({ records: 1, pictures: 9 }), false);
  assert.deepEqual(waiting(), []);
  assert.equal(await records.collectEvents({ records: 9, pictures: 1 }), false);
  assert.deepEqual(waiting(), ['sosia-1']);
});

test('profiles are those of the cluster, and then those of the engine; a trained one is read once', async (t) => {
  const trained = { weights: Float32Array.from({ length: EMBEDDING_LENGTH }, (_, i) => i / 7), bias: -0.5 };
  const [shipped] = shippedProfiles();
  const network = { name: 'net', spec: networkSpecOf({ labels: ['a'], positive: ['a'] }), model: Uint8Array.of(1, 2) };
  const block = (name: string, bytes: Uint8Array, at = 0, pieces = 1) =>
    cluster.documents.set(`/sosia/_doc/block-${name}-${at}`, { bytes: Buffer.from(bytes).toString('base64'), pieces });
  for (const name of ['own', shipped!.name]) {
    block(`${name}.x`, writeProfile({ name, ...trained }));
    block(`${name}.x.report`, Buffer.from('null'));
    block(`${name}.x.mistakes`, new Uint8Array());
  }
  const written = writeNetwork(network);
  block('net.y', written.subarray(0, 9), 0, 2);
  block('net.y', written.subarray(9), 1, 2);
  cluster.directory({
    applications: [],
    profiles: [
      { name: 'own', block: 'own.x' },
      { name: shipped!.name, block: `${shipped!.name}.x` },
      { name: 'net', block: 'net.y', mark: 'net 1', bytes: written.length },
    ],
  });
  const { profiles } = await started(t);
  const other = shippedProfiles()[1] ?? shipped!;
  const names = ['own', 'none', shipped!.name, 'net', ...(other === shipped ? [] : [other.name])];
  const found = await profiles.named(names);
  assert.deepEqual(found.slice(0, 2), [
    { name: 'own', ...trained },
    { name: shipped!.name, ...trained },
  ]);
  const { read, ...rest } = found[2] as unknown as { read: () => Promise<AsyncIterable<Uint8Array>> };
  assert.deepEqual(rest, { name: 'net', mark: 'net 1', bytes: written.length });
  const pieces: Uint8Array[] = [];
  for await (const piece of await read()) pieces.push(piece);
  assert.deepEqual(pieces.map(({ length }) => length), [9, written.length - 9]); // prettier-ignore
  assert.deepEqual(found.slice(3), other === shipped ? [] : [other]);
  cluster.requests.length = 0;
  assert.deepEqual((await profiles.named(['own']))[0], found[0]);
  assert.deepEqual(cluster.of('block-own.x'), []);
});

test('a verification reads every picture of types that have some, and names each fault by its index', async () => {
  const golden = (name: string) => readFileSync(join(goldenFolder, `${name}/kodim19.reference.dna`)).toString('base64');
  const dna = golden('dna-v1');
  const document = (id: string, key = keyOf(1, id)) => ({
    ...{ _id: key, _source: { id, keywords: [], digest: 'd', norm: 1 } },
    fields: { dna: [dna], beginning: ['AQ=='], rest: ['Ag=='] },
  });
  cluster.directory({ applications: [application(1, 'media-matching'), application(2, 'filter'), application(5, 'image-similarity')] }); // prettier-ignore
  const similar = [golden('similarity-v1'), 'AA==', golden('similarity-v1')].map((dna, i) => ({
    ...{ ...document(`s${i}`, keyOf(5, `s${i}`)), fields: { dna: [dna] } },
  }));
  cluster.search = ({ path, body }) => {
    if (body.includes('search_after')) return [];
    return path.startsWith('/sosia-1/') ? [document('a', 'x'), document('b')] : similar;
  };
  const { applications, images, damages, warnings: warned } = await verifyCluster(url('user:word@'));
  assert.deepEqual([applications, images], [3, 2]);
  assert.deepEqual(
    damages.map(({ file, application: number, id }) => [file, number, id]),
    [
      ['sosia-1', 1, 'a'],
      ['sosia-1', 1, 'b'],
      ['sosia-5', 5, 's1'],
    ],
  );
  assert.match(damages[0]!.what, /^expected the key .*, found x$/);
  assert.match(damages[1]!.what, /^expected the digest .*, found d$/);
  assert.match(warned.join(), /without encryption/);
  assert.deepEqual(cluster.of('/sosia-2/'), []);
  assert.equal(await connections(), 0);
});
