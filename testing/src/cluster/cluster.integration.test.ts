import assert from 'node:assert/strict';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { nodesIn, startCluster, stopCluster, type ClusterNode } from './cluster.ts';
import { engineInstalled } from './engine.ts';

const missing = !engineInstalled() && 'OpenSearch is not installed: `npm run cluster -- install`';
/** Quick to start, slow to search. */
const quick = { javaOptions: ['-XX:TieredStopAtLevel=1'] };

async function send(node: ClusterNode, method: string, path: string, body?: object): Promise<any> {
  const answer = await fetch(`${node.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: body ? JSON.stringify(body) : null,
    signal: AbortSignal.timeout(15_000),
  });
  const text = await answer.text();
  assert.ok(answer.ok, `${method} ${path}: ${text}`);
  return JSON.parse(text);
}

/** Adds a document and waits until searches find it. */
const add = async (node: ClusterNode, id: number): Promise<any> =>
  send(node, 'PUT', `/numbers/_doc/${id}?refresh=wait_for`, { square: id * id });

/** As `add`, while a node is lost: a request may then get no answer, and is sent again. */
const addAgain = async (node: ClusterNode, id: number): Promise<any> =>
  add(node, id).catch((cause: unknown) => {
    if ((cause as Error).name === 'TimeoutError') return add(node, id);
    throw cause;
  });

async function count(node: ClusterNode): Promise<number> {
  const { hits } = await send(node, 'POST', '/numbers/_search?allow_partial_search_results=false', {
    size: 0,
    track_total_hits: true,
  });
  return hits.total.value;
}

test('a cluster survives the loss of a node, and nothing of it is left at the end', { skip: missing }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-cluster-'));
  t.after(() => stopCluster(folder));
  const nodes = await startCluster(folder, quick);
  assert.deepEqual(
    nodes.map(({ name }) => name),
    ['node-1', 'node-2', 'node-3'],
  );
  assert.deepEqual(await startCluster(folder), nodes, 'a second start changes nothing');

  const settings = { number_of_shards: 3, number_of_replicas: 1, refresh_interval: '200ms' };
  await send(nodes[0]!, 'PUT', '/numbers?wait_for_active_shards=all', { settings });
  for (let id = 0; id < 10; id++) assert.equal((await add(nodes[id % 3]!, id))._shards.successful, 2);

  // the node that leads the cluster, the heaviest loss
  const [{ node: leader }] = await send(nodes[0]!, 'GET', '/_cat/cluster_manager?format=json');
  process.kill(nodes.find(({ name }) => name === leader)!.pid, 'SIGKILL');
  const others = nodes.filter(({ name }) => name !== leader);
  for (let id = 10; id < 20; id++) await addAgain(others[id % 2]!, id);
  for (const node of others) assert.equal(await count(node), 20);
  assert.deepEqual(
    nodesIn(folder).map(({ name }) => name),
    others.map(({ name }) => name),
  );

  const again = await startCluster(folder, quick);
  assert.deepEqual(
    again.map(({ url }) => url),
    nodes.map(({ url }) => url),
  );
  for (const node of again) assert.equal(await count(node), 20);

  await stopCluster(folder);
  assert.deepEqual(nodesIn(folder), []);
  assert.ok(!existsSync(folder));
  await stopCluster(folder);
});

test('a node that does not start is named, with what it has written', { skip: missing }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-cluster-'));
  t.after(() => stopCluster(folder));
  await assert.rejects(
    startCluster(folder, { javaOptions: ['-XX:NoSuchOption'] }),
    /node-1 did not start:.*NoSuchOption/s,
  );
});
