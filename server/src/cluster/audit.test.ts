import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { AuditEntry } from '@sosia/contract';
import { errors } from '../errors.ts';
import { clusterAddress } from './address.ts';
import { ClusterAudit } from './audit.ts';
import type { Call, Connection, Reply } from './connection.ts';
import { replyTo } from './replies.test.kit.ts';

const entry = (code: number): AuditEntry => ({
  ...({ at: '2026-01-01T00:00:00.000Z', kind: 'key', administrator: false, key: '01', who: 'a' } as const),
  ...{ what: 'SetKey', code, application: 'b', number: 1, detail: '' },
});

let calls: Call[];
let old: { _id: string }[];
let answer: (call: Call) => { status?: number; body?: object };
beforeEach(() => {
  calls = [];
  old = [];
  answer = ({ path }) => ({ body: path.includes('_search') ? { hits: { hits: old } } : { number_of_data_nodes: 3 } });
});

const connection = {
  address: clusterAddress('http://127.0.0.1:1'),
  send: async (call: Call): Promise<Reply> => {
    calls.push(call);
    return replyTo(call, answer(call));
  },
} as unknown as Connection;
const paths = (): string[] => calls.map(({ method, path }) => `${method} ${path.replace(/^\/sosia-[^/?]+/, '/INDEX')}`);

test('the index is made before the first entry, once, and again where that failed', async () => {
  const audit = new ClusterAudit(connection);
  const sound = answer;
  answer = () => {
    throw new Error('no cluster');
  };
  await assert.rejects(audit.append([entry(0)]), /no cluster/);
  assert.deepEqual(paths(), ['GET /_cluster/health']);
  answer = sound;
  calls = [];
  await audit.append([entry(0), entry(0)]);
  await audit.append([entry(0)]);
  const add = 'POST /INDEX/_doc?refresh=true';
  assert.deepEqual(paths(), ['GET /_cluster/health', 'PUT /INDEX?wait_for_active_shards=2', add, add, add]);
  assert.ok(
    calls.slice(1).every(({ changes }) => changes),
    'what may have been done is of unknown outcome',
  );
});

test('after a refused attempt, those older than 30 days are removed, and never a change', async () => {
  const audit = new ClusterAudit(connection);
  await audit.append([entry(0)]);
  calls = [];
  await audit.append([entry(errors.SCOPE_REFUSED.code)]);
  assert.deepEqual(paths().slice(1), ['POST /INDEX/_search']);
  assert.deepEqual(calls[1]!.body, {
    size: 1000,
    _source: false,
    query: { bool: { filter: [{ range: { code: { lt: 0 } } }, { range: { at: { lt: 'now-30d' } } }] } },
  });
  calls = [];
  old = [{ _id: 'x' }, { _id: 'y' }];
  await audit.append([entry(0), entry(errors.SCOPE_REFUSED.code)]);
  assert.equal(calls.at(-1)!.body, '{"delete":{"_id":"x"}}\n{"delete":{"_id":"y"}}\n');
});

test('a page is what the cluster finds, up to the 10,000 it can number, and nothing before the first entry', async () => {
  const audit = new ClusterAudit(connection);
  answer = () => ({ body: { hits: { hits: [{ _source: entry(0) }] } } });
  assert.deepEqual(await audit.read({ start: 3, count: 5 }, 1), [entry(0)]);
  const { from, size, query } = calls[0]!.body as Record<string, unknown>;
  assert.deepEqual([from, size, query], [3, 5, { term: { number: 1 } }]);
  for (const [start, expected] of [
    [9_998, 2],
    [10_000, 0],
    [20_000, 0],
  ] as const) {
    await audit.read({ start, count: 5 });
    assert.equal((calls.at(-1)!.body as { size: number }).size, expected);
  }
  answer = () => ({ status: 404, body: {} });
  assert.deepEqual(await audit.read({ start: 0, count: 5 }), []);
});
