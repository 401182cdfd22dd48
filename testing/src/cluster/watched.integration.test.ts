import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCodes } from '@sosia/client';
import { faultsOfNames } from '@sosia/server/http/conventions.test.kit';
import { sumOf } from '@sosia/server/http/exposition.test.kit';
import { fires, recommendedAlarms, scrape, type Scrape } from '../service/alarms.ts';
import { sampleFile, sampleIds } from '../service/samples.ts';
import { codeOf, createApplicationIn, sosia, startService, type Service } from '../service/service.ts';
import { startCluster, stopCluster, type ClusterNode } from './cluster.ts';
import { engineInstalled } from './engine.ts';

// What a balancer and an operator see of a Sosia node while its cluster is well, loses a node, hangs, and comes back.

const skip = !engineInstalled() && 'OpenSearch is not installed: `npm run cluster -- install`';
const quick = { javaOptions: ['-XX:TieredStopAtLevel=1'], settings: { 'node.store.allow_mmap': 'true' } };
const folder = mkdtempSync(join(tmpdir(), 'sosia-watched-'));
const alarms = recommendedAlarms('cluster.md');
let nodes: readonly ClusterNode[] = [];
let service: Service;
let close = async (): Promise<void> => {};
let key: string;
let unwatched: string;

before(async () => {
  if (skip) return;
  nodes = await startCluster(folder, quick);
  const place = ['--cluster', nodes.map(({ url }) => url).join()];
  key = createApplicationIn(place, 'media-matching');
  unwatched = createApplicationIn(place, 'mobile-matching');
  service = await startService({ flags: [...place, '--search-workers', '1'] });
  close = () => service.close();
});
after(async () => {
  signal('SIGCONT', nodes);
  await close();
  await stopCluster(folder);
});

function signal(name: NodeJS.Signals, to: readonly ClusterNode[]): void {
  for (const { pid } of to) process.kill(pid, name);
}

async function probe(path: string): Promise<{ http: number; code: number; ms: number }> {
  const begin = performance.now();
  const answer = await fetch(`${service.query}${path}`);
  const { status } = (await answer.json()) as { status: { code: number } };
  return { http: answer.status, code: status.code, ms: performance.now() - begin };
}

async function readyIs(http: number, withinMs: number): Promise<void> {
  for (const begin = performance.now(); (await probe('/ready')).http !== http; await pause(50))
    assert.ok(performance.now() - begin < withinMs, `/ready is not ${http} after ${withinMs} ms`);
}

/** Scrapes until the alarm fires. */
async function untilFires(name: string, scrapes: Scrape[], seconds: number): Promise<void> {
  const expression = alarms.get(name)!;
  assert.ok(expression, `no alarm ${name}`);
  for (const begin = performance.now(); !fires(expression, scrapes); await pause(1000)) {
    assert.ok(performance.now() - begin < 1000 * seconds, `${expression} does not fire`);
    scrapes.push(await scrape(service.modify));
  }
}

const health = ({ families }: Scrape): string[] =>
  families
    .get('sosia_cluster_health')!
    .samples.filter(({ value }) => value === 1)
    .map(({ labels }) => labels['status']!);

test('a healthy cluster: each gauge says what is so, and no alarm fires', { skip }, async () => {
  const client = service.client(key);
  const [id] = sampleIds(1) as [string];
  await client.add(id, sampleFile(id));
  for (const end = Date.now() + 60_000; Date.now() < end; await pause(500)) {
    const { families } = await scrape(service.modify);
    if (sumOf(families, 'sosia_pictures', { type: 'media-matching' }) === 1) break;
  }
  const now = await scrape(service.modify);
  assert.deepEqual(health(now), ['green']);
  assert.deepEqual(faultsOfNames(now.families), []);
  const value = (name: string, labels = {}) => sumOf(now.families, name, labels);
  assert.equal(value('sosia_cluster_missing_copies'), 0);
  assert.deepEqual(
    ['used', 'avoided'].map((state) => value('sosia_cluster_hosts', { state })),
    [3, 0],
  );
  assert.equal(value('sosia_pictures', { type: 'media-matching' }), 1);
  assert.ok(value('sosia_cluster_requests_total', { outcome: 'answered' }) > 10);
  assert.equal(value('sosia_cluster_requests_total', { outcome: 'unknown' }), 0);
  assert.ok(value('sosia_cluster_request_duration_seconds_count') > 10);
  for (const name of ['sosia_store_writable', 'sosia_store_bytes'])
    assert.deepEqual(now.families.get(name)!.samples, [], `${name} is about a data folder`);
  for (const [name, expression] of alarms) assert.ok(!fires(expression, [now]), name);
  assert.equal((await probe('/ready')).http, 200);
});

test('a node with another --cluster-search is noticed by both, and warned of', { skip }, async () => {
  const flags = ['--cluster', nodes.map(({ url }) => url).join(), '--cluster-search', 'lists', '--search-workers', '1'];
  const other = await startService({ flags });
  try {
    const scrapes: Scrape[] = [await scrape(service.modify)];
    await untilFires('nodes differ in `--cluster-search`', scrapes, 30);
    while ((await other.metric('sosia_cluster_search_differs')) !== 1) await pause(500);
    const { stderr } = spawnSync(process.execPath, [sosia, 'doctor', ...flags.slice(0, 2)], { encoding: 'utf8' });
    assert.match(stderr, /cluster_search +some nodes have terms, others lists/);
    for (const { log } of [service, other]) assert.match(log(), /the nodes answer differently until all have the same/);
  } finally {
    await other.close();
  }
});

test('a node that hangs is avoided, and its copies are missing', { skip }, async () => {
  const scrapes = [await scrape(service.modify)];
  signal('SIGSTOP', [nodes[2]!]);
  await untilFires('a host of the cluster is avoided, for a minute', scrapes, 60);
  await untilFires('copies are missing in the cluster, for 10 minutes', [scrapes.at(-1)!], 120);
  assert.equal((await probe('/ready')).http, 200);
  signal('SIGCONT', [nodes[2]!]);
  for (const end = Date.now() + 120_000; Date.now() < end; await pause(500))
    if (health(await scrape(service.modify))[0] === 'green') return;
  assert.fail('the cluster is not green again');
});

test(
  'a cluster that hangs: /ready is red within 5 s, nothing else waits, and it is green again by itself',
  { skip },
  async () => {
    const scrapes = [await scrape(service.modify)];
    const client = service.client(unwatched); // without saved searches, which are read before an addition
    signal('SIGSTOP', nodes);
    const change = codeOf(client.add('unknown', sampleFile(sampleIds(1)[0]!)));
    await readyIs(503, 5000);
    assert.equal((await probe('/ready')).code, errorCodes.CLUSTER_UNREACHABLE);
    for (let i = 0; i < 5; i++) {
      const alive = await probe('/healthz');
      assert.deepEqual([alive.http, alive.ms < 2000], [200, true], `/healthz after ${alive.ms} ms`);
      const begin = performance.now();
      scrapes.push(await scrape(service.modify));
      assert.ok(performance.now() - begin < 2000, `/metrics after ${performance.now() - begin} ms`);
      await pause(300);
    }
    assert.deepEqual(health(scrapes.at(-1)!), ['unreachable']);
    assert.deepEqual(scrapes.at(-1)!.families.get('sosia_cluster_missing_copies')!.samples, []);
    await untilFires('the cluster cannot be reached', scrapes, 5);
    assert.equal(await change, errorCodes.CLUSTER_OUTCOME_UNKNOWN);
    await untilFires('changes of unknown outcome', scrapes, 20);
    assert.ok(sumOf(scrapes.at(-1)!.families, 'sosia_cluster_retries_total') > 0);
    signal('SIGCONT', nodes);
    await readyIs(200, 60_000);
  },
);

test(
  'the last copies of an index: part of the cluster is missing, and a service starts nevertheless',
  { skip },
  async () => {
    for (const end = Date.now() + 120_000; Date.now() < end; await pause(500))
      if (health(await scrape(service.modify))[0] === 'green') break;
    const place = ['--cluster', nodes.map(({ url }) => url).join()];
    const lost = createApplicationIn([...place, '--shards', '1'], 'media-matching');
    // its index, whose only copy may be on no node
    const index = `${nodes[0]!.url}/sosia-3-1`;
    assert.ok((await fetch(index, { method: 'DELETE' })).ok);
    const made = await fetch(`${index}?wait_for_active_shards=0&timeout=10s`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        aliases: { 'sosia-3': {}, 'sosia-pictures': {} },
        settings: { number_of_replicas: 0, 'index.routing.allocation.require._name': 'none' },
      }),
    });
    assert.ok(made.ok);
    await untilFires('a part of the cluster is missing', [await scrape(service.modify)], 30);
    assert.equal((await probe('/ready')).http, 200, 'the other parts are served');
    const keyText = execFileSync(process.execPath, [sosia, 'admin', 'key', ...place, '--json'], { encoding: 'utf8' });
    const another = await startService({ flags: [...place, '--search-workers', '1'] });
    try {
      assert.equal(await codeOf(another.client(key).count()), 0);
      assert.equal(await codeOf(another.client(lost).count()), errorCodes.CLUSTER_INCOMPLETE);
      const administrator = another.client((JSON.parse(keyText) as { key: string }).key);
      const { applications } = await administrator.ask('administration', 'ListApplications', {});
      const counts = applications.map(({ nb_images: count }) => typeof count);
      assert.deepEqual(counts, ['number', 'number', 'undefined']);
    } finally {
      await another.close();
    }
    await fetch(index, { method: 'DELETE' });
  },
);

test('each alarm on a cluster has fired', { skip }, () => {
  assert.deepEqual([...alarms.keys()].sort(), [
    'a host of the cluster is avoided, for a minute',
    'a part of the cluster is missing',
    'changes of unknown outcome',
    'copies are missing in the cluster, for 10 minutes',
    'nodes differ in `--cluster-search`',
    'the cluster cannot be reached',
  ]);
});
