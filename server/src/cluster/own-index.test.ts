import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { fail } from '../errors.ts';
import { CAUSED } from './document.ts';
import { giveOwnIndex } from './own-index.ts';
import { withoutPauses } from './pauses.test.kit.ts';
import { SharedCluster } from './shared-cluster.test.kit.ts';

const pauses = withoutPauses();
const shared = 'own-shared-1';
let cluster: SharedCluster;
beforeEach(() => {
  cluster = new SharedCluster();
  pauses.length = 0;
  cluster.index(shared, 'own-pictures', 'own-7', 'own-8');
});

const application = { number: 7, type: 'media-matching' } as const;
const give = (options = {}) =>
  giveOwnIndex(cluster.connection, cluster.leases, application, { matchers: cluster.matchers, ...options });
const picture = (id: string, of = 7) => ({ application: of, id, keywords: ['k'], change: `c ${id}`, changed: 5 });
const own = () => [...cluster.indexes].find(([name]) => /^own-7-\d/.test(name))?.[1];
const whole = [
  'PUT /NEW',
  `PUT /${shared}/_block/write`,
  `add NEW,remove ${shared}`,
  `PUT /${shared}/_settings`,
] as const;

test('pictures, marks and what waits in them are as before in the new index, and the shared one has none of them', async () => {
  const waiting = { ...picture('b'), keywords: [CAUSED], details: { width: 3, caused: [{ token: 't', events: [] }] } };
  cluster.store(shared, 'a', picture('a'));
  cluster.store(shared, 'b', waiting);
  cluster.store(shared, 'c', { application: 7, change: 'c', deleted: 9 } as never);
  cluster.store(shared, 'other', picture('a', 8));
  await give();
  assert.deepEqual(cluster.changes, whole);
  const searched = { digest: 'd', norm: 1, terms: 'AAAAB', beginning: 'AQ==', rest: 'Ag==', dna: 'AQID' };
  const documents = [...own()!.documents].map(([key, { source }]) => [key, source]);
  assert.deepEqual(documents, [
    ['a', { ...picture('a'), ...searched }],
    ['b', { ...waiting, ...searched }],
    ['c', { application: 7, change: 'c', deleted: 9 }],
  ]);
  assert.deepEqual([...own()!.aliases], ['own-7', 'own-pictures']);
  assert.deepEqual([...cluster.indexes.get(shared)!.documents.keys()], ['other']);
  assert.deepEqual([...cluster.indexes.get(shared)!.aliases], ['own-pictures', 'own-8']);
  assert.deepEqual(cluster.taken, ['split-7', `split-${shared}`]);
});

test('what changes while it is copied is copied again, at last when nothing can change', async () => {
  for (let i = 0; i < 130; i++) cluster.store(shared, `p${i}`, picture(`p${i}`));
  let bulks = 0;
  cluster.before = ({ path }) => {
    if (path.includes('_bulk') && ++bulks === 1) {
      cluster.store(shared, 'p3', { ...picture('p3'), keywords: ['new'] } as never);
      cluster.store(shared, 'late', picture('late'));
    }
    if (path.includes('_block')) cluster.store(shared, 'last', picture('last'));
    return undefined;
  };
  await give();
  assert.equal(own()!.documents.size, 132);
  assert.deepEqual((own()!.documents.get('p3')!.source as { keywords?: string[] }).keywords, ['new']);
  assert.equal(cluster.changes.filter((change) => change.includes('_block')).length, 1);
});

test('rounds of copying go on while they bring more than fifty documents, ten times at most', async () => {
  for (const [changing, rounds] of [
    [50, 1],
    [51, 2],
    [Infinity, 10],
  ] as const) {
    cluster = new SharedCluster();
    cluster.index(shared, 'own-7');
    let [reads, blocked, added] = [0, false, 0];
    cluster.before = ({ path }) => {
      blocked ||= path.includes('_block');
      if (blocked || !path.includes('_stats')) return undefined;
      reads++;
      for (let i = 0; i < Math.min(60, changing - added); i++) {
        cluster.store(shared, `${reads} ${i}`, picture(`${reads} ${i}`));
      }
      added += 60;
      return undefined;
    };
    await give();
    assert.equal(reads, rounds, String(changing));
    assert.equal(own()!.documents.size, Math.min(600, changing));
  }
});

test('the new index has the shards that were wanted, one by default, and an earlier attempt leaves none', async () => {
  const shards: unknown[] = [];
  cluster.before = ({ method, path, body }) => {
    if (method === 'PUT' && /^\/own-7-/.test(path))
      shards.push((body as { settings: { number_of_shards: number } }).settings.number_of_shards);
    return undefined;
  };
  cluster.index('own-7-5');
  await give();
  assert.ok(!cluster.indexes.has('own-7-5'));
  cluster.indexes.clear();
  cluster.index(shared, 'own-7');
  await give({ shards: 4 });
  assert.deepEqual(shards, [1, 4]);
});

test('an application with its own index stays where it is', async () => {
  cluster.indexes.clear();
  cluster.index('own-7-1', 'own-7', 'own-pictures');
  await give();
  assert.deepEqual(cluster.changes, []);
});

test('where it fails or is broken off, all is as before and the shared index takes changes', async () => {
  cluster.store(shared, 'a', picture('a'));
  for (const part of ['/_bulk', '/_block/', '/_aliases', '/_search']) {
    cluster.changes.length = 0;
    let calls = 0;
    cluster.before = ({ path }) => {
      if (path.includes(part) && ++calls === 1) throw fail('CLUSTER_UNREACHABLE', part);
      return undefined;
    };
    await assert.rejects(give(), { error: 'CLUSTER_UNREACHABLE' }, part);
    const { isBlocked, aliases, documents } = cluster.indexes.get(shared)!;
    assert.deepEqual([isBlocked, aliases.has('own-7'), documents.size, own()], [false, true, 1, undefined], part);
  }
  cluster.before = () => undefined;
  await assert.rejects(give({ signal: AbortSignal.abort() }), { name: 'AbortError' });
  assert.equal(own(), undefined);
});

test('a process that has lost a lease neither moves the alias nor lets the index take changes', async () => {
  cluster.store(shared, 'a', picture('a'));
  for (const lost of ['split-7', `split-${shared}`]) {
    cluster.lost = lost;
    cluster.changes.length = 0;
    await assert.rejects(give(), { error: 'CLUSTER_OUTCOME_UNKNOWN' });
    assert.ok(!cluster.changes.some((change) => change.startsWith('add')), lost);
    assert.equal(cluster.changes.includes(`PUT /${shared}/_settings`), lost === 'split-7');
    assert.equal(own() !== undefined, lost === 'split-7', 'another process may copy it');
    cluster.indexes.delete([...cluster.indexes.keys()].find((name) => name.startsWith('own-7-')) ?? '');
  }
});

test('a copy that is behind is waited for, and no longer than ten times', async () => {
  cluster.store(shared, 'a', picture('a'));
  const behind = (seq_no: object) => ({
    body: { indices: { [shared]: { uuid: 'u', shards: { 0: [{ routing: { primary: true }, seq_no }] } } } },
  });
  let [reads, late] = [0, 3];
  cluster.before = ({ path }) => {
    if (!path.includes('_stats') || !cluster.indexes.get(shared)!.isBlocked) return undefined;
    return behind({ global_checkpoint: ++reads > late ? 1 : 0, max_seq_no: 1 });
  };
  await give();
  assert.equal(reads, 5); // and once for the last round
  assert.deepEqual(pauses, [500, 500, 500]);
  [reads, late] = [0, Infinity];
  cluster.indexes.clear();
  cluster.index(shared, 'own-7');
  await assert.rejects(give(), { error: 'CLUSTER_INCOMPLETE' });
  assert.deepEqual([cluster.indexes.get(shared)!.isBlocked, own()], [false, undefined]);
  assert.equal(reads, 11);
});
