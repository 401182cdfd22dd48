import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { withoutPauses } from './pauses.test.kit.ts';
import {
  createOwnIndex,
  currentIndex,
  pictureIndexes,
  removeDocuments,
  removeOthers,
  removePictures,
  shareIndex,
} from './picture-indexes.ts';
import { SharedCluster } from './shared-cluster.test.kit.ts';

const pauses = withoutPauses();
let cluster: SharedCluster;
beforeEach(() => {
  cluster = new SharedCluster();
  pauses.length = 0;
});

test('indexes of pictures are read without others, and with their applications', async () => {
  cluster.index('own-records-1', 'own-records');
  cluster.index('own-audit');
  cluster.index('own-70-3', 'own-70', 'own-pictures').isBlocked = true;
  cluster.index('own-shared-2', 'own-pictures', 'own-7', 'own-8');
  const common = { shards: 1, maxShards: 4, copies: { number_of_replicas: '0', auto_expand_replicas: undefined } };
  const shared = { name: 'own-shared-2', owner: undefined, applications: [7, 8], ...common, isBlocked: false };
  const all = [{ name: 'own-70-3', owner: 70, applications: [70], ...common, isBlocked: true }, shared];
  assert.deepEqual(await pictureIndexes(cluster.connection), all);
  assert.deepEqual(await currentIndex(cluster.connection, 8), shared);
  await assert.rejects(currentIndex(cluster.connection, 9), { error: 'UNKNOWN_APPLICATION' });
});

test('applications share an index by the hundred, and a place that one has left is taken again', async () => {
  for (let application = 1; application <= 101; application++) await shareIndex(cluster.connection, application);
  const [first, second] = await pictureIndexes(cluster.connection);
  assert.deepEqual([first!.name, first!.applications.length], ['own-shared-1', 100]);
  assert.deepEqual([second!.name, second!.applications], ['own-shared-2', [101]]);
  await removePictures(cluster.connection, 5);
  await shareIndex(cluster.connection, 102);
  assert.equal((await currentIndex(cluster.connection, 102)).name, 'own-shared-1');
});

test('an application sees its own pictures alone', async () => {
  let filter: unknown;
  cluster.before = ({ path, body }) => {
    if (path === '/_aliases') filter = (body as { actions: [{ add: { filter: unknown } }] }).actions[0].add.filter;
    return undefined;
  };
  await shareIndex(cluster.connection, 7);
  assert.deepEqual(filter, { term: { application: 7 } });
});

test('of a deleted application the alias goes first, then its pictures, and its own indexes', async () => {
  cluster.index('own-shared-1', 'own-7', 'own-8');
  cluster.index('own-7-9');
  cluster.store('own-shared-1', 'a', { application: 7, id: 'a' });
  cluster.store('own-shared-1', 'b', { application: 8, id: 'b' });
  let left = 0;
  cluster.before = ({ path }) => {
    if (path === '/_aliases') left = cluster.indexes.get('own-shared-1')!.documents.size;
    return undefined;
  };
  await removePictures(cluster.connection, 7);
  assert.equal(left, 2);
  assert.deepEqual([...cluster.indexes.keys()], ['own-shared-1']);
  assert.deepEqual([...cluster.indexes.get('own-shared-1')!.documents.keys()], ['b']);
  await createOwnIndex(cluster.connection, 9, 2);
  await removePictures(cluster.connection, 9);
  assert.deepEqual([...cluster.indexes.keys()], ['own-shared-1']);
});

test('documents that cannot be removed yet are removed later, or the removal fails', async () => {
  const index = cluster.index('own-shared-1');
  for (let i = 0; i < 150; i++) cluster.store('own-shared-1', `p${i}`, { application: 7, id: `p${i}` });
  index.isBlocked = true;
  let [bulks, shown] = [0, 0];
  cluster.before = ({ path }) => {
    if (path.includes('_refresh')) shown++;
    if (path.includes('_search')) assert.equal(shown--, 1, 'what was removed is no longer found');
    if (path.includes('_bulk') && ++bulks === 3) index.isBlocked = false;
    return undefined;
  };
  await removeDocuments(cluster.connection, 'own-shared-1', 7);
  assert.deepEqual([index.documents.size, pauses.length], [0, 2]);
  pauses.length = 0;
  cluster.store('own-shared-1', 'a', { application: 7, id: 'a' });
  index.isBlocked = true;
  await assert.rejects(removeDocuments(cluster.connection, 'own-shared-1', 7), { error: 'CLUSTER_INCOMPLETE' });
  assert.deepEqual(pauses, Array(11).fill(500));
});

test('all generations of an application go, and nothing of another one; what is missing already is no failure', async () => {
  for (const name of ['own-7-1', 'own-7-12', 'own-70-1', 'own-7-old']) cluster.index(name);
  cluster.before = ({ method, path }) => (method === 'DELETE' && path === '/own-7-1' ? { status: 404 } : undefined);
  await removeOthers(cluster.connection, 7, 'own-7-12');
  assert.deepEqual(cluster.changes, []);
  await removeOthers(cluster.connection, 7, null);
  assert.deepEqual(cluster.changes, ['DELETE /NEW']);
  cluster.before = ({ path }) => (path.endsWith('_alias') ? { status: 404, body: {} } : undefined);
  await removeOthers(cluster.connection, 7, null);
  assert.equal(cluster.changes.length, 1);
});
