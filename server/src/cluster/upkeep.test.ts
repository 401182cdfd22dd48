import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { ApplicationRecord } from '../store/store.ts';
import { CAUSED } from './document.ts';
import { withoutPauses } from './pauses.test.kit.ts';
import { hits } from './picture-index.test.kit.ts';
import { Pictures } from './pictures.ts';
import { SharedCluster } from './shared-cluster.test.kit.ts';
import { removeMarks, Upkeep } from './upkeep.ts';

withoutPauses();
let cluster: SharedCluster;
let upkeep: Upkeep;
let warnings: string[];
/** Pictures that the cluster counts, by index and application. */
let counted: Record<string, Record<string, number>>;
beforeEach(() => {
  cluster = new SharedCluster();
  warnings = [];
  counted = {};
  cluster.index('own-shared-1', 'own-pictures', 'own-7', 'own-8');
  cluster.before = ({ method, path, body }) => {
    if (path.includes('/_doc/lease-'))
      return method === 'GET' ? { status: 404, body: {} } : { body: { _shards: { total: 1, successful: 1 } } };
    const { aggs, size, query } = (body ?? {}) as { aggs?: object; size?: number; query?: { range?: object } };
    if (path.includes('segments')) return { body: { indices: { any: { shards: {} } } } };
    if (aggs) return { body: { ...hits([]), aggregations: { indexes: { buckets: buckets(path.split('/')[1]!) } } } };
    const name = path.split('/')[1]!;
    if (size === 0) return { body: hits([], counted['own-shared-1']?.[name.slice(4)] ?? 0) };
    return path.includes('_search') && query?.range === undefined && size === 10_000 ? { body: hits([]) } : undefined;
  };
  upkeep = new Upkeep({
    connection: cluster.connection,
    matchers: cluster.matchers,
    applications: () => [7, 8].map((number) => ({ number, type: 'media-matching' }) as ApplicationRecord),
    warn: (what) => void warnings.push(what),
  });
});

function buckets(index: string): object[] {
  const all = Object.entries(counted[index] ?? {}).map(([key, doc_count]) => ({ key, doc_count }));
  return [{ key: index, doc_count: 1, byApplication: { buckets: all } }];
}
const grew = () => cluster.changes.includes('PUT /NEW');

test('marks of an hour ago go, unless a picture has taken their place', async () => {
  const calls: { path: string; body?: unknown }[] = [];
  let found: object[] = [];
  cluster.before = (call) => (calls.push(call), { body: { ...hits(found), items: [] } });
  const pictures = Pictures.of(cluster.connection, 7);
  const begin = Date.now();
  await removeMarks(pictures);
  assert.equal(calls.length, 1);
  const { query, ...rest } = calls[0]!.body as {
    query: { bool: { filter: [{ range: { deleted: { lt: number } } }]; must_not: object[] } };
  };
  const { lt } = query.bool.filter[0].range.deleted;
  assert.ok(lt >= begin - 3_600_000 && lt <= Date.now() - 3_600_000);
  assert.deepEqual(query.bool.must_not, [{ term: { keywords: CAUSED } }]);
  assert.deepEqual(rest, { size: 10_000, _source: false, seq_no_primary_term: true });
  found = [{ _id: 'x', _seq_no: 4, _primary_term: 2 }];
  await removeMarks(pictures, 1);
  assert.equal(calls.at(-1)!.path, '/own-7/_bulk');
  assert.equal(calls.at(-1)!.body, '{"delete":{"_id":"x","if_seq_no":4,"if_primary_term":2}}\n');
});

test('an application is counted after every 200 additions, and leaves the shared index from 1,000 pictures on', async () => {
  const add = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i++) upkeep.added({ number: 7, type: 'media-matching' });
    await upkeep.idle();
  };
  counted = { 'own-shared-1': { 7: 999 } };
  await add(200);
  assert.ok(!grew());
  counted = { 'own-shared-1': { 7: 1000 } };
  await add(199);
  assert.ok(!grew());
  upkeep.added({ number: 7, type: 'media-matching' }, 2);
  await upkeep.idle();
  assert.ok(grew());
  cluster.changes.length = 0;
  await add(200);
  assert.deepEqual([cluster.changes, warnings], [[], []]);
});

test('a sweep lets large applications leave, and removes what deleted and moved ones have left', async () => {
  cluster.index('own-9-1', 'own-9', 'own-pictures');
  for (const application of [7, 8, 9, 10]) {
    const picture = { application, id: 'p', keywords: [], change: 'c' };
    cluster.store('own-shared-1', `p${application}`, picture);
  }
  counted = { 'own-shared-1': { 7: 5, 8: 1000, 9: 1, 10: 1 }, 'own-9-1': { 9: 2000 } };
  await upkeep.sweep();
  await upkeep.idle();
  assert.deepEqual([...cluster.indexes.get('own-shared-1')!.documents.keys()], ['p7']);
  assert.deepEqual([...cluster.indexes.get('own-shared-1')!.aliases], ['own-pictures', 'own-7']);
  assert.ok([...cluster.indexes].some(([name, { aliases }]) => /^own-8-\d/.test(name) && aliases.has('own-8')));
  assert.deepEqual(warnings, []);
});

test('the pictures of an application whose alias is missing stay: a snapshot can be restored without aliases', async () => {
  cluster.indexes.get('own-shared-1')!.aliases.delete('own-7');
  const picture = { application: 7, id: 'p', keywords: [], change: 'c' };
  cluster.store('own-shared-1', 'p7', picture);
  counted = { 'own-shared-1': { 7: 1 } };
  await upkeep.sweep();
  assert.deepEqual([...cluster.indexes.get('own-shared-1')!.documents.keys()], ['p7']);
});

test('a failure is a warning, unless another process works on the application, and nothing grows after the end', async () => {
  counted = { 'own-shared-1': { 7: 1000 } };
  const answers = cluster.before;
  cluster.before = (call) => {
    if (call.path === '/_aliases') throw new Error('no alias');
    return answers(call);
  };
  await upkeep.sweep();
  await upkeep.idle();
  assert.deepEqual(warnings, ['an application could not get an index of its own: no alias']);
  cluster.before = answers;
  await upkeep.close();
  cluster.changes.length = 0;
  await upkeep.sweep();
  await upkeep.idle();
  assert.ok(!grew());
});

test('work that was broken off is looked for every ten seconds, on indexes that take no changes and on those without an application', async () => {
  const looked: string[] = [];
  cluster.before = ({ path }) => {
    if (!path.includes('/_doc/lease-')) return undefined;
    looked.push(path.split('lease-')[1]!);
    return { status: 404, body: {} };
  };
  cluster.index('own-9-1', 'own-9');
  cluster.index('own-10-5').isBlocked = true;
  cluster.index('own-11-5');
  cluster.indexes.get('own-shared-1')!.isBlocked = true;
  await upkeep.endBroken(10_000);
  assert.deepEqual(looked, ['split-own-shared-1', 'split-10', 'split-11']);
  await upkeep.endBroken(19_999);
  assert.equal(looked.length, 3);
  await upkeep.endBroken(20_000);
  assert.equal(looked.length, 6);
});
