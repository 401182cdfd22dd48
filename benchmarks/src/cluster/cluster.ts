import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { clusterAddress } from '@sosia/server/cluster/address';
import { ClusteredBackend } from '@sosia/server/cluster/clustered-backend';
import { errors } from '@sosia/server/errors';
import { Metrics } from '@sosia/server/metrics/metrics';
import { roomIn } from '@sosia/server/store/folder';
import { startCluster, stopCluster, type ClusterNode } from '@sosia/testing/cluster/cluster';
import { engineInstalled } from '@sosia/testing/cluster/engine';
import { drawer } from '@sosia/testing/describing/drawn';
import { population } from '@sosia/testing/describing/population';
import { attackedReferences } from '@sosia/testing/pictures/attacked';
import { photographs } from '@sosia/testing/pictures/corpus';
import { randomFor } from '@sosia/testing/pictures/random';
import { dnasOf } from '@sosia/testing/searching/partition';
import { processorMsOf } from '@sosia/testing/service/processes';
import { codeOf, createApplicationIn, sosia, startService, type Service } from '@sosia/testing/service/service';
import { median, quantile } from '@sosia/testing/statistics';
import { benchmark, countOf, ofTheService, missingCorpora } from '../harness/benchmark.ts';
import { inTemporaryFolder } from '../harness/temporary.ts';
import { elapsed } from '../harness/timing.ts';

const TYPE = 'media-matching';
const SEED = 1;
/** Photographs among the references, which the queries show. */
const SHOWN = 100;
/** Pictures whose features are drawn, besides. */
const SOURCES = 300;
const BATCH = 100;
/** Batches sent at once. */
const AT_ONCE = 3;
/** Rounds of all queries before those that are measured: each node compiles its code for itself. */
const WARM = 5;
/** Codes of an addition beside a split: it is done, refused, or its outcome is unknown. */
const EXPECTED: readonly number[] = [0, errors.OVERLOADED.code, errors.CLUSTER_OUTCOME_UNKNOWN.code];

export default benchmark({
  title: 'A cluster',
  kind: 'speed',
  about: 'Drawn pictures in one segment, three OpenSearch nodes.',
  missing: engineInstalled() ? missingCorpora('photos') : 'OpenSearch is not installed',
  targets: {
    'search by DNA, ms of processor': '<= 80',
    'addition, median, ms': '<= 300',
  },
  options: { sizes: '10000,100000', queries: 60, additions: 60, copies: 3, heapMB: 512 },
  size: ({ sizes, queries, additions }) => {
    const pictures = countOf(sizes.split(',').at(-1)!);
    return { addition: `${pictures} pictures, ${additions} additions`, '': `${pictures} pictures, ${queries} queries` };
  },
  measures: ofTheService,
  async run({ sizes, queries: count, additions, copies, heapMB }) {
    const known = (await population(TYPE, SHOWN + SOURCES, SEED))!;
    const attacked = await attackedReferences(photographs(300, SEED)!, 4 * count, SEED);
    const shown = attacked.filter(({ image }) => image < SHOWN).slice(0, count);
    const dnas = await dnasOf(
      TYPE,
      shown.map(({ path }) => path),
      'query',
    );
    const queries = dnas.map((dna, i) => ({ dna, image: shown[i]!.image }));
    const draw = drawer(known.slice(SHOWN), randomFor('drawn references', SEED));
    const { rows, refused } = await inTemporaryFolder(async (folder) => {
      chmodSync(folder, 0o755); // the nodes run as another user
      const cluster = join(folder, 'cluster');
      try {
        const nodes = await startCluster(cluster, {
          settings: { 'node.store.allow_mmap': 'true' },
          javaOptions: [`-Xmx${heapMB}m`],
        });
        const site = await Site.start(nodes, join(folder, 'data'));
        const rows = [];
        for (const size of sizes.split(',').map(Number)) {
          await site.fill(size, copies, (n) => (n < SHOWN ? known[n]! : draw()));
          rows.push(await site.measure('as added', queries, additions, draw));
          if (await site.merge(folder)) rows.push(await site.measure('merged', queries, additions, draw));
        }
        const refused = await site.split(draw);
        await site.close();
        return { rows, refused };
      } finally {
        await stopCluster(cluster);
      }
    });
    const last = rows.at(-1)!;
    return {
      figures: {
        'search by DNA, ms of processor': last['search, ms of processor'],
        'search by DNA, median, ms': last['search, median, ms'],
        'addition, median, ms': last['addition, median, ms'],
        'memory of a Sosia node, MB': last['memory of the Sosia node, MB'],
        'index a picture and copy, bytes': last['index a picture and copy, bytes'],
        'changes refused for another shard, s': refused,
      },
      tables: { sizes: rows },
    };
  },
});

interface Query {
  readonly dna: Uint8Array;
  /** The picture that it shows. */
  readonly image: number;
}

/** What an index takes. */
interface Stats {
  readonly merges: { readonly current: number };
  readonly store: { readonly size_in_bytes: number };
  readonly segments: { readonly count: number };
}

/** A Sosia node on a cluster with one application, and what both take. */
class Site {
  readonly #nodes: readonly ClusterNode[];
  readonly #service: Service;
  readonly #key: string;
  readonly #backend: ClusteredBackend;
  #size = 0;
  #added = 0;

  private constructor(nodes: readonly ClusterNode[], service: Service, key: string, backend: ClusteredBackend) {
    this.#nodes = nodes;
    this.#service = service;
    this.#key = key;
    this.#backend = backend;
  }

  static async start(nodes: readonly ClusterNode[], data: string): Promise<Site> {
    const cluster = nodes.map(({ url }) => url).join();
    const key = createApplicationIn(['--cluster', cluster, '--shards', '1'], TYPE);
    const service = await startService({ data, flags: ['--cluster', cluster] });
    const options = { threads: 2, metrics: new Metrics(), warn: () => {} };
    return new Site(nodes, service, key, await ClusteredBackend.start(clusterAddress(cluster), options));
  }

  /** Adds pictures up to this number. The further copies are made at the end, since the disk is slow. */
  async fill(size: number, copies: number, dnaOf: (n: number) => Uint8Array): Promise<void> {
    const transfer = this.#backend.transfer(this.#backend.store.list()[0]!);
    await this.#set({ number_of_replicas: 0, 'translog.durability': 'async' });
    const took = await elapsed(async () => {
      while (this.#size < size) {
        const numbers = Array.from({ length: Math.min(AT_ONCE * BATCH, size - this.#size) }, (_, i) => this.#size + i);
        const pictures = numbers.map((n) => ({ id: String(n), keywords: [], dna: dnaOf(n) }));
        const starts = Array.from({ length: AT_ONCE }, (_, i) => i * BATCH);
        await Promise.all(starts.map(async (start) => transfer.put(pictures.slice(start, start + BATCH))));
        this.#size += numbers.length;
      }
    });
    console.error(`${size} pictures after ${Math.round(took / 1000)} s`);
    await this.#set({ number_of_replicas: copies - 1, 'translog.durability': 'request' });
    await this.#ask('GET', '/_cluster/health?wait_for_status=green&wait_for_no_relocating_shards=true&timeout=1h');
    await this.#ask('POST', '/sosia-1/_flush');
    do await pause(5000);
    while ((await this.#stats()).merges.current > 0);
  }

  /** @returns false, and nothing is done, where the disk of this folder has too little room */
  async merge(folder: string): Promise<boolean> {
    const { store } = await this.#stats();
    if (roomIn(folder) < 1.5 * store.size_in_bytes) return false;
    // as a task, since a request of more than five minutes has no answer
    const path = '/sosia-1/_forcemerge?max_num_segments=1&wait_for_completion=false';
    const { task } = (await this.#ask('POST', path)) as { task: string };
    const ended = async () => ((await this.#ask('GET', `/_tasks/${task}`)) as { completed: boolean }).completed;
    while (!(await ended())) await pause(1000);
    return true;
  }

  async measure(state: string, queries: readonly Query[], additions: number, draw: () => Uint8Array) {
    const client = this.#service.client(this.#key);
    for (let round = 0; round < WARM; round++) for (const { dna } of queries) await client.searchByDna(dna);
    let right = 0;
    const searching = await this.#timed(queries.length, async (i) => {
      const { images } = await client.searchByDna(queries[i]!.dna);
      if (images[0]?.id === String(queries[i]!.image)) right++;
    });
    const { store, segments } = await this.#stats('primaries');
    const { main, children } = this.#service.memory();
    const adding = await this.#timed(additions, () => client.addDna(`added ${this.#added++}`, draw()));
    const row = {
      pictures: this.#size,
      state,
      segments: segments.count,
      'search, ms of processor': searching.processor,
      'of which OpenSearch': searching.ofNodes,
      'search, median, ms': median(searching.wall),
      'search, 95 %, ms': quantile(searching.wall, 0.95),
      'right picture first': right / queries.length,
      'addition, median, ms': median(adding.wall),
      'addition, ms of processor': adding.processor,
      'memory of the Sosia node, MB': main + children,
      'index a picture and copy, bytes': store.size_in_bytes / (this.#size + this.#added),
    };
    console.error(JSON.stringify(row)); // kept when a larger size fails after an hour
    return row;
  }

  /** Divides the index into two shards, beside additions. @returns for how many seconds they were refused */
  async split(draw: () => Uint8Array): Promise<number> {
    const client = this.#service.client(this.#key);
    const words = ['app', 'shards', this.#key, '2', '--cluster', this.#nodes.map(({ url }) => url).join()];
    const command = spawn(process.execPath, [sosia, ...words], { stdio: ['ignore', 2, 2] });
    const ended = once(command, 'exit');
    let first = 0;
    let last = 0;
    while (command.exitCode === null) {
      const at = performance.now();
      const code = await codeOf(client.addDna(`added ${this.#added++}`, draw()));
      if (!EXPECTED.includes(code)) throw new Error(`an addition beside the command has the code ${code}`);
      if (code !== 0) [first, last] = [first || at, performance.now()];
      await pause(100);
    }
    const [code] = (await ended) as [number];
    if (code !== 0) throw new Error(`sosia app shards ended with ${code}`);
    return (last - first) / 1000;
  }

  async close(): Promise<void> {
    await this.#service.close();
    await this.#backend.close();
  }

  async #timed(count: number, request: (i: number) => Promise<unknown>) {
    const ofNodes = (): number => this.#nodes.reduce((sum, { pid }) => sum + processorMsOf(pid), 0);
    const before = { nodes: ofNodes(), service: this.#service.processorMs() };
    const wall: number[] = [];
    for (let i = 0; i < count; i++) wall.push(await elapsed(async () => request(i)));
    const nodes = (ofNodes() - before.nodes) / count;
    const service = (this.#service.processorMs() - before.service) / count;
    return { wall, ofNodes: nodes, processor: nodes + service };
  }

  async #stats(shards: 'primaries' | 'total' = 'total'): Promise<Stats> {
    const path = '/sosia-1/_stats/merge,store,segments';
    const { _all } = (await this.#ask('GET', path)) as { _all: Record<typeof shards, Stats> };
    return _all[shards];
  }

  async #set(index: object): Promise<void> {
    await this.#ask('PUT', '/sosia-1/_settings', { index });
  }

  async #ask(method: string, path: string, body?: object): Promise<unknown> {
    const content = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${this.#nodes[0]!.url}${path}`, { method, ...content });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response.json();
  }
}
