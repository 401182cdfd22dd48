import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { mock, test } from 'node:test';
import timers from 'node:timers/promises';
import { Metrics } from '../metrics/metrics.ts';
import { clusterAddress } from './address.ts';
import { ClusteredBackend } from './clustered-backend.ts';
import { packed } from './directory.ts';
import { CLAUSES, FORMAT } from './layout.ts';

const application = {
  ...({ number: 1, type: 'media-matching', name: 'a', keys: [], enabled: true } as const),
  defaults: { nbResults: 10, colorWeight: 0, retrievalThreshold: 1 },
};
const marked = { mappings: { _meta: { sosia: { format: FORMAT } } } };
const searches = { _shards: { total: 1, successful: 1, failed: 0 }, hits: { hits: [] } };

/** What a cluster that is set up and has one application answers. */
function answerTo(path: string): [status: number, body: object] {
  if (path === '/') return [200, { version: { distribution: 'opensearch', number: '2.19.0' } }];
  if (path.startsWith('/_cluster/settings'))
    return [200, { persistent: { 'indices.query.bool.max_clause_count': `${CLAUSES}` } }];
  if (path.includes('/_settings')) return [200, { index: { settings: {} } }];
  if (path.endsWith('/_mapping')) return [200, { index: marked }];
  if (path.startsWith('/sosia/_doc/directory'))
    return [200, { _seq_no: 1, _primary_term: 1, _source: { content: packed({ applications: [application] }) } }];
  if (path.startsWith('/_cluster/state'))
    return [200, { metadata: { indices: { 'sosia-1-1': { settings: { index: {} }, aliases: ['sosia-1'] } } } }];
  if (path.startsWith('/sosia-1-1/_search')) return [200, searches];
  if (path.startsWith('/sosia-1-1/_stats')) return [200, { indices: { index: {} } }];
  return [404, {}];
}

/** Pauses of so many milliseconds take no time, and they alone move the clock. @returns the clock */
function clockOfPauses(milliseconds: number): () => number {
  let passed = 0;
  const { setTimeout: pause } = timers;
  mock.method(performance, 'now', () => passed);
  mock.method(timers, 'setTimeout', async (...args: Parameters<typeof pause>) => {
    if (args[0] !== milliseconds) return pause(...args);
    passed += milliseconds;
    args[2]?.signal?.throwIfAborted();
    return timers.setImmediate();
  });
  syncBuiltinESMExports();
  return () => passed;
}

test('marks of deleted pictures are looked for each quarter of an hour, first after a part of one by chance', async (t) => {
  const passed = clockOfPauses(700); // of two looks at the directory
  mock.method(Math, 'random', () => 0.1);
  t.after(() => {
    mock.restoreAll();
    syncBuiltinESMExports();
    server.close();
  });
  const sweeps: number[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    if (body.includes('"deleted"') && request.url!.includes('/_search')) sweeps.push(passed());
    const [status, answer] = answerTo(request.url!);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = clusterAddress(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const warnings: string[] = [];
  const metrics = new Metrics();
  const backend = await ClusteredBackend.start(address, {
    threads: 1,
    metrics,
    warn: (what) => void warnings.push(what),
  });
  while (passed() < 1_000_000) await timers.setTimeout(10);
  await backend.close();
  assert.deepEqual(warnings, []);
  assert.deepEqual(sweeps, [90_300, 990_500], 'the first looks after 0.1 and 1.1 quarters');
});
