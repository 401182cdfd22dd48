import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Sosia } from '@sosia/client';
import { newApplication } from '@sosia/server/applications/create';
import { clusterAddress } from '@sosia/server/cluster/address';
import { ClusteredBackend } from '@sosia/server/cluster/clustered-backend';
import { Metrics } from '@sosia/server/metrics/metrics';
import { startCluster, stopCluster, type ClusterNode } from '@sosia/testing/cluster/cluster';
import { engineInstalled } from '@sosia/testing/cluster/engine';
import { drawer } from '@sosia/testing/describing/drawn';
import { population } from '@sosia/testing/describing/population';
import { attackedReferences } from '@sosia/testing/pictures/attacked';
import { photographs } from '@sosia/testing/pictures/corpus';
import { randomFor } from '@sosia/testing/pictures/random';
import { dnasOf } from '@sosia/testing/searching/partition';
import { processorMsOf } from '@sosia/testing/service/processes';
import { startService, type Service } from '@sosia/testing/service/service';
import { median, quantile } from '@sosia/testing/statistics';
import { benchmark, countOf, missingCorpora, ofTheService } from '../harness/benchmark.ts';
import { inTemporaryFolder } from '../harness/temporary.ts';
import { costOf, elapsed } from '../harness/timing.ts';

const TYPE = 'media-matching';
const SEED = 1;
/** Photographs that queries show: each application has one of them, so that its neighbours have it, too. */
const SHOWN = 100;
/** Pictures whose features are drawn, besides. */
const SOURCES = 300;
/** Applications that are filled at once. */
const AT_ONCE = 2;
const REST_SECONDS = 30;

export default benchmark({
  title: 'Many small applications',
  kind: 'speed',
  about: 'Heaps of 512 MB.',
  missing: engineInstalled() ? missingCorpora('photos') : 'OpenSearch is not installed',
  targets: { applications: '>= 2000', 'right picture first': '>= 1' },
  options: { applications: 2000, pictures: 100, queries: 100, heapMB: 512 },
  size: ({ applications, pictures, queries }) =>
    `${countOf(applications)} applications of ${pictures} pictures, ${queries} queries`,
  measures: ofTheService,
  async run({ applications, pictures, queries, heapMB }) {
    const known = (await population(TYPE, SHOWN + SOURCES, SEED))!;
    const attacked = await attackedReferences(photographs(300, SEED)!, 4 * queries, SEED);
    const shown = attacked.filter(({ image }) => image < SHOWN).slice(0, queries);
    const dnas = await dnasOf(TYPE, shown.map(({ path }) => path), 'query'); // prettier-ignore
    const draw = drawer(known.slice(SHOWN), randomFor('drawn references', SEED));
    const dnaOf = (n: number, i: number): Uint8Array => (i === 0 ? known[n % SHOWN]! : draw());
    return inTemporaryFolder(async (folder) => {
      chmodSync(folder, 0o755); // the nodes run as another user
      const cluster = join(folder, 'cluster');
      try {
        const nodes = await startCluster(cluster, {
          settings: { 'node.store.allow_mmap': 'true' },
          javaOptions: [`-Xms${heapMB}m`, `-Xmx${heapMB}m`],
        });
        const { keys, ...filled } = await fill(nodes, applications, pictures, dnaOf);
        const service = await startService({ flags: ['--cluster', addressOf(nodes)] });
        const clients = shown.map(({ image }, i) => {
          const n = image + SHOWN * Math.floor(((i + 0.5) / shown.length) * (applications / SHOWN));
          return service.client(keys[n]!);
        });
        const searched = await searches(nodes, service, clients, dnas);
        const added = await timed(nodes, service, clients.length, (i) => clients[i]!.addDna(`added ${i}`, draw()));
        const rest = await timed(nodes, service, 1, () => pause(1000 * REST_SECONDS));
        const { main, children } = service.memory();
        await service.close();
        const shards = (await (await fetch(`${nodes[0]!.url}/_cluster/health`)).json()) as { active_shards: number };
        return {
          figures: { applications: keys.length, ...searched },
          tables: {
            'the cluster': [
              {
                ...filled,
                'shards of the cluster': shards.active_shards,
                'start of a Sosia node, s': service.startMs / 1000,
                'memory of a Sosia node, MB': main + children,
                'addition, median, ms': median(added.wall),
                'processor at rest, share of a core': rest.processor.all / rest.wall[0]!,
              },
            ],
          },
        };
      } finally {
        await stopCluster(cluster);
      }
    });
  },
});

const addressOf = (nodes: readonly ClusterNode[]): string => nodes.map(({ url }) => url).join();

async function fill(
  nodes: readonly ClusterNode[],
  applications: number,
  pictures: number,
  dnaOf: (n: number, i: number) => Uint8Array,
) {
  const backend = await ClusteredBackend.start(clusterAddress(addressOf(nodes)), {
    ...{ threads: 2, metrics: new Metrics() },
    warn: (what) => console.error(what),
  });
  const keys: string[] = [];
  const creations: number[] = [];
  const begin = performance.now();
  for (let n = 0; n < applications; n++) {
    const { key, row } = newApplication({ type: TYPE, name: `application ${n}` });
    creations.push(await elapsed(async () => void (await backend.store.create(row))));
    keys.push(key);
    if (n % 100 === 99)
      console.error(`${n + 1} applications after ${Math.round((performance.now() - begin) / 1000)} s`);
  }
  const records = backend.store.list();
  const filling = await elapsed(async () => {
    for (let start = 0; start < applications; start += AT_ONCE) {
      await Promise.all(
        records.slice(start, start + AT_ONCE).map((record, k) => {
          const all = Array.from({ length: pictures }, (_, i) => ({
            id: `${i}`,
            keywords: [],
            dna: dnaOf(start + k, i),
          }));
          return backend.transfer(record).put(all);
        }),
      );
      if (start % 100 === 0) console.error(`${start} filled after ${Math.round((performance.now() - begin) / 1000)} s`);
    }
  });
  await backend.close();
  return {
    keys,
    'creation of an application, last 100, median, ms': median(creations.slice(-100)),
    'pictures a second': (1000 * applications * pictures) / filling,
  };
}

async function searches(
  nodes: readonly ClusterNode[],
  service: Service,
  clients: readonly Sosia[],
  dnas: readonly Uint8Array[],
) {
  let right = 0;
  const search = async (i: number): Promise<void> => {
    const { images } = await clients[i]!.searchByDna(dnas[i]!);
    if (images[0]?.id === '0') right++;
  };
  await timed(nodes, service, clients.length, search); // each node compiles its code for itself
  right = 0;
  const { wall, processor } = await timed(nodes, service, clients.length, search);
  return {
    'right picture first': right / clients.length,
    'search by DNA, ms of processor': processor.all,
    'search by DNA, median, ms': median(wall),
    'search by DNA, 95 %, ms': quantile(wall, 0.95),
  };
}

/** Of one request after another. */
function timed(
  nodes: readonly ClusterNode[],
  service: Service,
  count: number,
  request: (i: number) => Promise<unknown>,
) {
  const all = (): number => service.processorMs() + nodes.reduce((sum, { pid }) => sum + processorMsOf(pid), 0);
  return costOf({ all }, count, request);
}
