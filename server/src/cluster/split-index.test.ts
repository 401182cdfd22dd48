import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { fail, type Failure } from '../errors.ts';
import { clusterAddress } from './address.ts';
import type { Call, Connection, Reply } from './connection.ts';
import type { Leases } from './leases.ts';
import { withoutPauses } from './pauses.test.kit.ts';
import { endBroken, leaseOf, splitIndex } from './split-index.ts';

type Answer = { status?: number; body?: object };

const pauses = withoutPauses();
/** The changes of the cluster in their order, the new index as NEW. */
let changes: string[];
/** What a call answers instead, by a part of its path. */
let answers: Map<string, (call: Call) => Answer | undefined>;
let indexes: string[];
let current: string;
let settings: Record<string, string>;
/** The copies of each new shard that are there, at each look. */
let looks: number[][];
let replicas: number;
/** Lease by lease: what becomes of the attempt to take it. */
let refusals: (Failure | undefined)[];
let isLost: boolean;
let taken: string[];
beforeEach(() => {
  changes = [];
  answers = new Map();
  indexes = ['own-7-1', 'own-70-1', 'own-7-old'];
  current = 'own-7-1';
  settings = { number_of_shards: '1', number_of_replicas: '2', auto_expand_replicas: '0-2' };
  looks = [
    [1, 1],
    [2, 1],
    [2, 2],
  ];
  replicas = 1;
  refusals = [];
  isLost = false;
  taken = [];
  pauses.length = 0;
});

function answer(call: Call): Answer {
  const { method, path, body } = call;
  if (call.changes) {
    const named = path.replaceAll(/own-7-\d{2,}/g, 'NEW');
    changes.push([method, named, ...(body ? [JSON.stringify(body).replaceAll(/own-7-\d{2,}/g, 'NEW')] : [])].join(' '));
  }
  const [, own] = [...answers].find(([part]) => path.includes(part)) ?? [];
  const instead = own?.(call);
  if (instead) return instead;
  if (path.startsWith('/_cluster/state'))
    return {
      body: { metadata: { indices: { [current]: { settings: { index: settings }, routing_num_shards: 12 } } } },
    };
  if (path.startsWith('/_cluster/health')) {
    const shards = (looks.length > 1 ? looks.shift()! : looks[0]!).map((active_shards) => ({ active_shards }));
    const name = path.split(/[/?]/)[3]!;
    return { body: { indices: { [name]: { number_of_replicas: replicas, shards: { ...shards } } } } };
  }
  if (path.endsWith('/_alias')) return { body: Object.fromEntries(indexes.map((name) => [name, {}])) };
  if (path === '/_aliases') {
    const { actions } = body as { actions: { add?: { index: string } }[] };
    current = actions[0]!.add!.index;
  }
  if (path.includes('_split')) indexes.push(path.split(/[/?]/)[3]!);
  if (method === 'DELETE') indexes = indexes.filter((name) => `/${name}` !== path);
  return {};
}

const connection = {
  address: clusterAddress('http://127.0.0.1:1/own'),
  async send(call: Call): Promise<Reply> {
    const { status = 200, body = {} } = answer(call);
    if (status !== 200 && !call.expected?.includes(status)) throw fail('CLUSTER_UNEXPECTED', `HTTP ${status}`);
    return { status, repeated: false, body: body as Reply['body'] };
  },
} as unknown as Connection;

const leases = {
  async run(of: string, work: (checkLease: () => void) => Promise<unknown>) {
    taken.push(of);
    const refusal = refusals.shift();
    if (refusal) throw refusal;
    return work(() => {
      if (isLost) throw fail('CLUSTER_OUTCOME_UNKNOWN', 'lost');
    });
  },
  isAbandoned: async () => isLost,
} as unknown as Leases;

const split = (shards: number, options = {}) => splitIndex(connection, leases, 7, shards, options);
const BLOCK = 'PUT /own-7-1/_block/write';
const RESTORED = 'PUT /own-7-1/_settings {"index.blocks.write":null}';
const MOVED =
  'POST /_aliases {"actions":[{"add":{"index":"NEW","aliases":["own-7","own-pictures"]}},{"remove":{"index":"own-7-1","alias":"own-7"}},{"remove":{"index":"own-7-1","alias":"own-pictures"}}]}';

test('changes wait for two copies of each new shard, then the alias moves, and the former index goes once no search reads it', async () => {
  const ready: number[] = [];
  await split(2, { progress: (count: number) => ready.push(count) });
  assert.deepEqual(ready, [0, 1, 2]);
  assert.deepEqual(changes, [
    BLOCK,
    'POST /own-7-1/_split/NEW?wait_for_active_shards=0 {"settings":{"index":{"number_of_shards":2,"number_of_replicas":1,"blocks.write":null}}}',
    'PUT /NEW/_settings {"index":{"number_of_replicas":"2","auto_expand_replicas":"0-2"}}',
    MOVED,
    'DELETE /own-7-1',
  ]);
  assert.ok(indexes.includes('own-70-1') && indexes.includes('own-7-old'));
  assert.deepEqual(pauses, [500, 500, 15_000]);
  assert.deepEqual(taken, ['split-7']);
});

test('what a splitting that was broken off has left goes before the next one begins', async () => {
  indexes.push('own-7-5');
  await split(2);
  assert.deepEqual(changes.slice(0, 2), ['DELETE /own-7-5', BLOCK]);
});

test('one copy is enough where the index has one, and no shard at all is not ready', async () => {
  settings = { number_of_shards: '1', number_of_replicas: '0' };
  [replicas, looks] = [0, [[], [1, 0], [1, 1]]];
  const ready: number[] = [];
  await split(2, { progress: (count: number) => ready.push(count) });
  assert.match(changes[1]!, /"number_of_replicas":0/);
  assert.equal(changes[2], 'PUT /NEW/_settings {"index":{"number_of_replicas":"0"}}');
  assert.deepEqual(ready, [0, 1, 2]);
});

test('a number of shards that the index cannot have is refused with those that it can, and nothing changes', async () => {
  settings = { ...settings, number_of_shards: '2' };
  const message = 'the index has 2 shards and can have one of 4, 6, 12, got 3';
  await assert.rejects(split(3), { name: 'RangeError', message });
  settings = { ...settings, number_of_shards: '12' };
  await assert.rejects(split(24), { message: 'the index has 12 shards and can have no more, got 24' });
  settings = { ...settings, number_of_shards: '1' };
  await assert.rejects(split(1), { message: 'the index has 1 shard and can have one of 2, 3, 4, 6, 12, got 1' });
  assert.deepEqual(changes, []);
});

test('an index that is not there is an unknown application', async () => {
  answers.set('_cluster/state', () => ({ status: 404, body: { metadata: { indices: { a: {} } } } }));
  await assert.rejects(split(2), { error: 'UNKNOWN_APPLICATION' });
  answers.set('_cluster/state', () => ({ body: {} }));
  await assert.rejects(split(2), { error: 'UNKNOWN_APPLICATION' });
});

test('where the cluster refuses, or it is broken off, the index takes changes again and the new one goes', async () => {
  answers.set('_split', () => ({ status: 400, body: { error: { type: 'x', reason: 'why' } } }));
  await assert.rejects(split(2), { error: 'CLUSTER_UNEXPECTED', message: /why/ });
  assert.deepEqual([changes[0], changes.at(-1)], [BLOCK, RESTORED]);
  answers.clear();
  changes = [];
  const progress = () => {};
  await assert.rejects(split(2, { signal: AbortSignal.abort(), progress }), { name: 'AbortError' });
  assert.deepEqual(changes.slice(2), ['DELETE /NEW', RESTORED]);
  assert.ok(!changes.includes(MOVED));
});

test('an attempt without an answer that has made the new index is no failure', async () => {
  answers.set('_split', (call) => {
    indexes.push(call.path.split(/[/?]/)[3]!);
    return { status: 400, body: { error: { type: 'resource_already_exists_exception' } } };
  });
  await split(2);
  assert.ok(changes.includes(MOVED));
});

test('an alias that is missing has moved already, or the cluster is not as expected', async () => {
  const missing = { status: 404, body: { error: { reason: 'aliases missing' } } };
  answers.set('/_aliases', ({ body }) => {
    current = (body as { actions: { add: { index: string } }[] }).actions[0]!.add.index;
    return missing;
  });
  await split(2);
  current = 'own-7-1';
  answers.set('/_aliases', () => missing);
  await assert.rejects(split(2), { error: 'CLUSTER_UNEXPECTED', message: /aliases missing/ });
  assert.equal(changes.at(-1), RESTORED);
});

test('a process that has lost its lease neither moves the alias nor restores the index', async () => {
  isLost = true;
  await assert.rejects(split(2), { error: 'CLUSTER_OUTCOME_UNKNOWN' });
  assert.ok(!changes.includes(MOVED) && !changes.includes(RESTORED));
});

test('the lease of another process is waited for four times, and a failure of the work is none of it', async () => {
  const busy = fail('OVERLOADED', 'busy');
  refusals = [busy, busy, busy];
  await split(2);
  assert.equal(taken.length, 4);
  taken = [];
  refusals = [busy, busy, busy, busy];
  await assert.rejects(split(2), { error: 'OVERLOADED' });
  assert.equal(taken.length, 4);
  taken = [];
  refusals = [fail('CLUSTER_UNREACHABLE', 'x')];
  await assert.rejects(split(2), { error: 'CLUSTER_UNREACHABLE' });
  assert.equal(taken.length, 1);
  taken = [];
  answers.set('_block', () => {
    throw busy;
  });
  await assert.rejects(split(2), { error: 'OVERLOADED' });
  assert.equal(taken.length, 1);
});

test('a splitting whose process has ended is undone, and one at work is not', async () => {
  indexes.push('own-7-99');
  const broken = { name: 'own-7-1', owner: 7 };
  await endBroken(connection, leases, broken);
  assert.deepEqual([changes, taken], [[], []]);
  isLost = true;
  await endBroken(connection, leases, broken);
  assert.deepEqual(changes, ['DELETE /NEW', RESTORED]);
  assert.deepEqual(taken, [leaseOf(7)]);
});

test('an index that applications share takes changes again, and what one of them was copied to goes', async () => {
  isLost = true;
  await endBroken(connection, leases, { name: 'own-shared-2', owner: undefined });
  assert.deepEqual(changes, ['PUT /own-shared-2/_settings {"index.blocks.write":null}']);
  assert.deepEqual(taken, [leaseOf('own-shared-2')]);
  [changes, taken] = [[], []];
  indexes.push('own-7-99');
  current = 'own-shared-2';
  await endBroken(connection, leases, { name: 'own-7-99', owner: 7 });
  assert.deepEqual(changes, ['DELETE /own-7-1', 'DELETE /NEW']);
  assert.deepEqual(taken, [leaseOf(7)]);
});
