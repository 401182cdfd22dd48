import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { withoutPauses } from '@sosia/server/cluster/pauses.test.kit';
import { checkCluster } from './check-cluster.ts';

const sound = {
  denied: '',
  empty: false,
  status: 'green',
  unassigned_shards: 0,
  clauses: 262_144,
  manager: true,
  number: '2.19.4',
  settings: ['terms'],
  inUse: ['terms'],
};
let state = sound;
const pauses = withoutPauses();
let signs = 0;
const cluster = createServer((request, response) => {
  const { denied, status, unassigned_shards, clauses, manager, number } = state;
  const bodies: Record<string, object> = {
    '/': { version: { distribution: 'opensearch', number } },
    '/_cluster/settings': { persistent: { 'indices.query.bool.max_clause_count': `${clauses}` } },
  };
  const health = { status, unassigned_shards, discovered_cluster_manager: manager };
  if (request.url!.startsWith('/_cluster/health/') && state.empty) return void response.writeHead(408).end('{}');
  if (denied && request.url!.includes(denied)) {
    const error = { type: 'security_exception', reason: `no permissions for [right of ${denied}] and User [name=u]` };
    return void response.writeHead(403).end(JSON.stringify({ error }));
  }
  const [, setting] = /\/_doc\/search-(\w+)$/.exec(request.url!) ?? [];
  if (setting !== undefined && !state.settings.includes(setting)) return void response.writeHead(404).end('{}');
  bodies[`/sosia/_doc/search-${setting}`] = {
    _seq_no: setting !== undefined && state.inUse.includes(setting) ? signs++ : 0,
    _primary_term: 1,
    _source: { content: { host: 'a' } },
  };
  const body = bodies[new URL(request.url!, 'http://a').pathname] ?? health;
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});

let address = '';
before(async () => {
  await once(cluster.listen(0, '127.0.0.1'), 'listening');
  address = `http://127.0.0.1:${(cluster.address() as AddressInfo).port}`;
});
after(() => {
  cluster.closeAllConnections();
  cluster.close();
});
beforeEach(() => (state = sound));

const states = async (at = address) =>
  (await checkCluster(at)).map(({ state, remedy }) => [state, remedy !== undefined]);

test('a sound cluster, and one of which a host does not answer', async () => {
  assert.deepEqual(await states(), Array(5).fill(['ok', false]));
  const found = await checkCluster(`${address},http://127.0.0.1:1`);
  assert.deepEqual(
    found.map(({ state }) => state),
    ['ok', 'wrong', 'ok', 'ok', 'ok', 'ok'],
  );
  assert.match(found[1]!.remedy!, /start the node/);
  assert.deepEqual(await states('http://127.0.0.1:1'), [['wrong', true]]);
});

test('missing copies, a lost leader and a lowered setting are named with what to do', async () => {
  state = { ...sound, status: 'yellow', unassigned_shards: 2, clauses: 1024 };
  assert.deepEqual(await states(), [
    ['ok', false],
    ['ok', false],
    ['warning', true],
    ['warning', true],
    ['ok', false],
  ]);
  state = { ...sound, status: 'red', unassigned_shards: 3 };
  assert.deepEqual((await states())[2], ['wrong', true]);
  state = { ...sound, manager: false };
  assert.deepEqual(await states(), [['wrong', true]]);
});

test('a host of an earlier version is wrong, and one of a later version a warning', async () => {
  state = { ...sound, number: '1.3.20' };
  const [found] = await checkCluster(address);
  assert.match(found!.detail, /expected OpenSearch 2, found OpenSearch 1\.3\.20/);
  assert.deepEqual([found!.state, /9200/.test(found!.remedy!)], ['wrong', true]);
  state = { ...sound, number: '3.1.0' };
  assert.deepEqual((await states())[0], ['warning', true]);
});

test('missing rights are named with what to do, and an empty cluster is said to be one', async () => {
  state = { ...sound, denied: '_search' };
  const found = await checkCluster(address.replace('//', '//u:p@'));
  assert.deepEqual(
    found.map(({ state }) => state),
    ['ok', 'wrong'],
  );
  assert.match(found[1]!.detail, /^the user may not right of _search$/);
  assert.match(found[1]!.remedy!, /roles\.yml/);
  state = { ...sound, empty: true };
  assert.deepEqual((await states())[2], ['warning', true]);
});

test('nodes of other settings are named while both give signs of life', async () => {
  state = { ...sound, settings: ['terms', 'lists'] };
  for (const [inUse, expected] of [
    [['lists'], 'ok'],
    [['terms', 'lists'], 'wrong'],
  ] as const) {
    state = { ...sound, settings: ['terms', 'lists'], inUse: [...inUse] };
    const found = (await checkCluster(address)).at(-1)!;
    assert.equal(found.state, expected);
    assert.match(found.detail, new RegExp(inUse.join('.*')));
    assert.equal(pauses.pop(), 7000);
  }
});
