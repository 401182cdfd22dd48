import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errors } from '@sosia/server/errors';
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
import { type Cost, costOf } from '../harness/timing.ts';

const TYPE = 'media-matching';
const SEED = 1;
/** Photographs among the references, which the queries show. */
const SHOWN = 100;
/** Pictures of the corpora and their variations. Of a larger application the others are drawn. */
const REAL = 10_000;
/** Clients that add at the same time. */
const ADDING = 16;
/** Rounds of all queries before those that are measured: each node compiles its code for itself. */
const WARM = 5;
/** Codes of an addition beside a split: it is done, refused, or its outcome is unknown. */
const EXPECTED: readonly number[] = [0, errors.OVERLOADED.code, errors.CLUSTER_OUTCOME_UNKNOWN.code];

export default benchmark({
  title: 'A cluster',
  kind: 'speed',
  about: 'Real pictures, two copies.',
  missing: engineInstalled() ? missingCorpora('photos') : 'OpenSearch is not installed',
  targets: {
    'search by DNA, ms of processor': '<= 40',
    'additions of 16 clients, ms of processor': '<= 20',
  },
  options: { sizes: '10000', queries: 60, additions: 60, copies: 2, heapMB: 512 },
  size: ({ sizes, queries, additions }) => {
    const pictures = countOf(sizes.split(',').at(-1)!);
    return {
      'addition,': `${pictures} pictures, ${additions} additions`,
      additions: `${pictures} pictures`,
      '': `${pictures} pictures, ${queries} queries`,
    };
  },
  measures: ofTheService,
  async run({ sizes, queries: count, additions, copies, heapMB }) {
    const numbers = sizes.split(',').map(Number);
    const known = (await population(TYPE, Math.min(REAL, Math.max(...numbers)), SEED))!;
    const attacked = await attackedReferences(photographs(300, SEED)!, 4 * count, SEED);
    const shown = attacked.filter(({ image }) => image < SHOWN).slice(0, count);
    const dnas = await dnasOf(
      TYPE,
      shown.map(({ path }) => path),
      'query',
    );
    const queries = dnas.map((dna, i) => ({ dna, image: shown[i]!.image }));
    const draw = drawer(known.slice(SHOWN), randomFor('drawn references', SEED));
    const { rows, filled, refused } = await inTemporaryFolder(async (folder) => {
      chmodSync(folder, 0o755); // the nodes run as another user
      const cluster = join(folder, 'cluster');
      try {
        const nodes = await startCluster(cluster, {
          settings: { 'node.store.allow_mmap': 'true' },
          javaOptions: [`-Xmx${heapMB}m`],
        });
        const site = await Site.start(nodes, join(folder, 'data'), copies);
        const rows = [];
        let filled;
        for (const size of numbers) {
          filled = await site.fill(size, (n) => known[n] ?? draw());
          rows.push(await site.measure('as added', queries, additions, draw));
          for (const [segments, state] of [
            [10, 'ten segments'],
            [1, 'merged'],
          ] as const)
            if (await site.merge(segments, folder)) rows.push(await site.measure(state, queries, additions, draw));
        }
        const refused = await site.split(draw);
        await site.close();
        return { rows, filled: filled!, refused };
      } finally {
        await stopCluster(cluster);
      }
    });
    const last = rows.at(-1)!;
    const inTen = rows.findLast(({ state }) => state === 'ten segments') ?? rows.at(-2)!;
    return {
      figures: {
        'search by DNA, ms of processor': last['search, ms of processor'],
        'search by DNA, ten segments, ms of processor': inTen['search, ms of processor'],
        'search by DNA, median, ms': last['search, median, ms'],
        'addition, median, ms': last['addition, median, ms'],
        'additions of 16 clients, a second': filled.rate,
        'additions of 16 clients, ms of processor': filled.processor.all,
        'memory of a Sosia node, MB': last['memory of the Sosia node, MB'],
        'disk a picture and copy, bytes': last['disk a picture and copy, bytes'],
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
  #size = 0;
  #added = 0;

  private constructor(nodes: readonly ClusterNode[], service: Service, key: string) {
    this.#nodes = nodes;
    this.#service = service;
    this.#key = key;
  }

  static async start(nodes: readonly ClusterNode[], data: string, copies: number): Promise<Site> {
    const cluster = nodes.map(({ url }) => url).join();
    const key = createApplicationIn(['--cluster', cluster, '--shards', '1'], TYPE);
    const service = await startService({ data, flags: ['--cluster', cluster] });
    const site = new Site(nodes, service, key);
    await site.#ask('PUT', '/sosia-1/_settings', { index: { number_of_replicas: copies - 1 } });
    return site;
  }

  /** Adds pictures up to this number by several clients, and waits until OpenSearch is quiet. */
  async fill(size: number, dnaOf: (n: number) => Uint8Array): Promise<Cost<'all' | 'nodes'>> {
    const client = this.#service.client(this.#key);
    const first = this.#size;
    const add = (i: number): Promise<unknown> => client.addDna(String(first + i), dnaOf(first + i));
    const cost = await costOf(this.#processes(), size - first, add, ADDING);
    this.#size = size;
    console.error(`${size} pictures: ${JSON.stringify({ ...cost, wall: median(cost.wall) })}`);
    await this.#ask('GET', '/_cluster/health?wait_for_status=green&wait_for_no_relocating_shards=true&timeout=1h');
    await this.#ask('POST', '/sosia-1/_flush');
    do await pause(5000);
    while ((await this.#stats()).merges.current > 0);
    return cost;
  }

  /** @returns false, and nothing is done, where there are no more segments, or the disk of this folder has too little room */
  async merge(most: number, folder: string): Promise<boolean> {
    const { store, segments } = await this.#stats('primaries');
    if (segments.count <= most || roomIn(folder) < 4 * store.size_in_bytes) return false;
    // as a task, since a request of more than five minutes has no answer
    const path = `/sosia-1/_forcemerge?max_num_segments=${most}&wait_for_completion=false`;
    const { task } = (await this.#ask('POST', path)) as { task: string };
    const ended = async () => ((await this.#ask('GET', `/_tasks/${task}`)) as { completed: boolean }).completed;
    while (!(await ended())) await pause(1000);
    return true;
  }

  async measure(state: string, queries: readonly Query[], additions: number, draw: () => Uint8Array) {
    const client = this.#service.client(this.#key);
    for (let round = 0; round < WARM; round++) for (const { dna } of queries) await client.searchByDna(dna);
    let right = 0;
    const searching = await costOf(this.#processes(), queries.length, async (i) => {
      const { images } = await client.searchByDna(queries[i]!.dna);
      if (images[0]?.id === String(queries[i]!.image)) right++;
    });
    const { store, segments } = await this.#stats('primaries');
    const { main, children } = this.#service.memory();
    const adding = await costOf(this.#processes(), additions, () => client.addDna(`added ${this.#added++}`, draw()));
    const row = {
      pictures: this.#size,
      state,
      segments: segments.count,
      'search, ms of processor': searching.processor.all,
      'of which OpenSearch': searching.processor.nodes,
      'search, median, ms': median(searching.wall),
      'search, 95 %, ms': quantile(searching.wall, 0.95),
      'right picture first': right / queries.length,
      'addition, median, ms': median(adding.wall),
      'addition, ms of processor': adding.processor.all,
      'memory of the Sosia node, MB': main + children,
      'disk a picture and copy, bytes': store.size_in_bytes / (this.#size + this.#added),
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
  }

  #processes() {
    const nodes = (): number => this.#nodes.reduce((sum, { pid }) => sum + processorMsOf(pid), 0);
    return { nodes, all: () => nodes() + this.#service.processorMs() };
  }

  async #stats(shards: 'primaries' | 'total' = 'total'): Promise<Stats> {
    const path = '/sosia-1/_stats/merge,store,segments';
    const { _all } = (await this.#ask('GET', path)) as { _all: Record<typeof shards, Stats> };
    return _all[shards];
  }

  async #ask(method: string, path: string, body?: object): Promise<unknown> {
    const content = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${this.#nodes[0]!.url}${path}`, { method, ...content });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response.json();
  }
}
