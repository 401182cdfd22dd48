import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { fail } from '../errors.ts';
import { clusterAddress } from './address.ts';
import type { Call, Connection, Reply } from './connection.ts';
import { CLAUSES, FORMAT } from './layout.ts';
import { createIndex, replicasFor, setUpCluster } from './set-up.ts';

const CLAUSES_SETTING = 'indices.query.bool.max_clause_count';

/** What stands in for a cluster answers. */
let version: unknown;
let nodes: number;
let persistent: Record<string, unknown>;
let mayChangeSettings: boolean;
let indexes: Map<string, { mappings: object; settings: object }>;
let made: string[];
/** Indexes that were to be made. */
let attempts: number;
beforeEach(() => {
  version = { distribution: 'opensearch', number: '2.19.0' };
  nodes = 3;
  persistent = { [CLAUSES_SETTING]: String(CLAUSES) };
  mayChangeSettings = true;
  indexes = new Map();
  made = [];
  attempts = 0;
});

function answer({ method, path, body }: Call): { status?: number; body: object } {
  const [name] = path.slice(1).split(/[/?]/) as [string];
  const index = indexes.get(name);
  if (path === '/') return { body: { version } };
  if (path.startsWith('/_cluster/health')) return { body: { number_of_data_nodes: nodes } };
  if (path.startsWith('/_cluster/settings') && method === 'GET')
    return { body: { persistent, defaults: { [CLAUSES_SETTING]: '1024' } } };
  if (path.startsWith('/_cluster/settings')) {
    attempts++;
    if (!mayChangeSettings) return { status: 403, body: {} };
    persistent = (body as { persistent: typeof persistent }).persistent;
    return { body: {} };
  }
  if (method === 'PUT') {
    attempts++;
    if (index) return { status: 400, body: { error: { type: 'resource_already_exists_exception' } } };
    made.push(path);
    indexes.set(name, { mappings: (body as { mappings: object }).mappings, settings: {} });
    return { body: {} };
  }
  return index ? { body: { [name]: index } } : { status: 404, body: {} };
}

const connection = {
  address: clusterAddress('http://127.0.0.1:1/own'),
  async send(call: Call): Promise<Reply> {
    const reply = { status: 200, repeated: false, ...answer(call) } as Reply;
    if (reply.status >= 300 && !call.expected?.includes(reply.status)) throw fail('CLUSTER_UNREACHABLE');
    return reply;
  },
} as unknown as Connection;
const marked = (format: unknown, settings = {}) => ({ mappings: { _meta: { sosia: { format } } }, settings });

test('an empty cluster is set up once, the directory last, each index on two copies', async () => {
  assert.deepEqual(await setUpCluster(connection), []);
  assert.deepEqual(made, ['/own-records-1?wait_for_active_shards=2', '/own?wait_for_active_shards=2']);
  assert.deepEqual(await setUpCluster(connection), []);
  assert.equal(attempts, 2);
  await createIndex(connection, 'own', {}, 1); // as after an attempt without an answer
  assert.equal(made.length, 2);
});

test('an index that something else has made meanwhile is refused', async () => {
  const { send } = connection;
  const meanwhile = { ...connection } as Connection;
  meanwhile.send = async (call) => {
    if (call.method === 'PUT' && call.path.startsWith('/own?')) indexes.set('own', { mappings: {}, settings: {} });
    return send(call);
  };
  await assert.rejects(setUpCluster(meanwhile), { error: 'CLUSTER_FOREIGN' });
});

test('as many further copies are kept as there are nodes for, two at most', async () => {
  const replicas: number[] = [];
  for (nodes = 0; nodes <= 5; nodes++) replicas.push(await replicasFor(connection));
  assert.deepEqual(replicas, [0, 0, 1, 2, 2, 2]);
  nodes = 1;
  await setUpCluster(connection);
  assert.ok(made.every((path) => path.endsWith('wait_for_active_shards=1')));
});

test('another program and an earlier OpenSearch are refused by their version, and a later one is a warning', async () => {
  for (const [given, message] of [
    [undefined, /expected OpenSearch 2/],
    [{ number: '8.11.0', build_flavor: 'default' }, /another program of version 8\.11\.0/],
    [{ distribution: 'opensearch', number: '1.3.20' }, /expected OpenSearch 2, found OpenSearch 1\.3\.20/],
    [{ distribution: 'opensearch' }, /expected OpenSearch 2/],
  ] as const) {
    version = given;
    await assert.rejects(setUpCluster(connection), { error: 'CLUSTER_UNSUITABLE', message });
  }
  assert.deepEqual(made, []);
  version = { distribution: 'opensearch', number: '3.1.0' };
  assert.match((await setUpCluster(connection)).join(), /tested with OpenSearch 2, and the cluster has 3\.1\.0/);
});

test('what has foreign indexes or another format is refused, and nothing is made', async () => {
  for (const name of ['own', 'own-records-1']) {
    for (const [index, error] of [
      [marked(FORMAT + 1), 'CLUSTER_FORMAT'],
      [marked('1'), 'CLUSTER_FOREIGN'],
      [{ mappings: {}, settings: {} }, 'CLUSTER_FOREIGN'],
    ] as const) {
      indexes = new Map([[name, index]]);
      await assert.rejects(setUpCluster(connection), { error });
    }
  }
  assert.deepEqual(made, []);
  const refusing = { send: async () => ({ status: 400, body: { error: { type: 'x', reason: 'why' } } }) };
  const outcome = createIndex(refusing as unknown as Connection, 'a', {}, 0);
  await assert.rejects(outcome, { error: 'CLUSTER_UNSUITABLE', message: /why/ });
});

test('searches have as many clauses as they need, or the cluster is refused', async () => {
  persistent = { [CLAUSES_SETTING]: String(CLAUSES - 1) };
  await setUpCluster(connection);
  assert.deepEqual(persistent, { [CLAUSES_SETTING]: CLAUSES });
  persistent = {};
  mayChangeSettings = false;
  await assert.rejects(setUpCluster(connection), { error: 'CLUSTER_UNSUITABLE', message: /found 1024 \(HTTP 403\)/ });
});

test('a cluster that takes no changes is a warning that names the block', async () => {
  for (const [value, warnings] of [
    ['true', 1],
    ['false', 0],
  ] as const) {
    const settings = { 'index.blocks.write': value, 'index.number_of_replicas': 'true' };
    indexes = new Map([
      ['own', marked(FORMAT, settings)],
      ['own-records-1', marked(FORMAT)],
    ]);
    const said = await setUpCluster(connection);
    assert.equal(said.length, warnings);
    if (warnings > 0) assert.match(said[0]!, /index\.blocks\.write/);
  }
});
