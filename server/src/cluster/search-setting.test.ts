import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { clusterAddress } from './address.ts';
import type { Call, Connection } from './connection.ts';
import { withoutPauses } from './pauses.test.kit.ts';
import { replyTo } from './replies.test.kit.ts';
import { SearchSetting } from './search-setting.ts';

const pauses = withoutPauses();

test('a living node with the other setting is noticed once, one of the past is not, and one that ended is forgotten', async () => {
  const documents = new Map<string, { version: number; body: any }>();
  const connection = {
    address: clusterAddress('http://127.0.0.1:1'),
    send: async (call: Call) => {
      const { method, path, body } = call;
      const found = documents.get(path);
      if (method === 'PUT') documents.set(path, { version: (found?.version ?? 0) + 1, body });
      if (!found) return replyTo(call, { status: method === 'PUT' ? 201 : 404 });
      return replyTo(call, { body: { _seq_no: found.version, _primary_term: 1, _source: found.body } });
    },
  } as unknown as Connection;
  const warnings: string[] = [];
  let read: () => unknown = () => assert.fail();
  const metrics = { sample: (_name: string, reader: () => unknown) => void (read = reader) };
  const node = (own: 'terms' | 'lists', warn: (what: string) => void = () => {}) =>
    new SearchSetting(connection, own, { metrics, warn });
  const other = node('lists');
  await other.look(0);
  await node('terms').look(0);
  const own = node('terms', (what) => void warnings.push(what));
  await own.look(1000);
  await own.look(6000);
  assert.deepEqual([warnings, read()], [[], [[0]]], 'signs of nodes with the same setting, and an old one of another');
  for (const now of [11_000, 16_000]) {
    await other.look(now);
    await own.look(now);
    assert.deepEqual(read(), [[1]]);
  }
  assert.deepEqual(warnings, [
    `cluster_search is lists on ${hostname()}, and terms here: the nodes answer differently until all have the same setting`,
  ]);
  await own.look(35_000);
  assert.deepEqual(read(), [[1]]);
  await own.look(36_000);
  assert.deepEqual(read(), [[0]]);
});

test('a node gives a sign each 5 s until the signal, also after one that failed', async () => {
  const end = new AbortController();
  const sent: string[] = [];
  const connection = {
    address: clusterAddress('http://127.0.0.1:1'),
    send: async (call: Call) => {
      sent.push(call.method);
      if (sent.length === 1) throw new Error('no cluster');
      if (sent.length === 7) end.abort();
      return replyTo(call, { status: call.method === 'PUT' ? 201 : 404 });
    },
  } as unknown as Connection;
  pauses.length = 0;
  await new SearchSetting(connection, 'terms', { metrics: { sample: () => {} }, warn: () => {} }).run(end.signal);
  assert.deepEqual(sent, ['GET', 'GET', 'PUT', 'GET', 'PUT', 'GET', 'PUT']);
  assert.deepEqual(pauses, [5000, 5000, 5000]);
});
