import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { consoleFolder } from '@sosia/console';
import type { RunningServer } from '@sosia/server';
import { clusterAddress } from '@sosia/server/cluster/address';
import { ClusteredBackend } from '@sosia/server/cluster/clustered-backend';
import { Metrics } from '@sosia/server/metrics/metrics';
import { startServerOn } from '@sosia/server/service.test.kit';
import { folderRecords } from '@sosia/server/store/folder-records';
import { openImageStore } from '@sosia/server/store/image-store';
import type { SharedRecords } from '@sosia/server/store/store';

const options = { consoleFolder: fileURLToPath(consoleFolder) };

/** Services on one backend, for tests that hold for both kinds. */
export interface ReviewServices {
  /** In this process: two on a cluster, one that is listed twice on a data folder. */
  readonly nodes: readonly [RunningServer, RunningServer];
  readonly administratorKey: string;
  /** Milliseconds until each node has what another one has changed. */
  readonly delay: number;
  /** The options of a command that name the backend. */
  readonly place: readonly string[];
  /** Stops all services, works on the records, and starts the services again. */
  between(work: (records: SharedRecords) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export async function startOnFolder(): Promise<ReviewServices> {
  const data = await mkdtemp(join(tmpdir(), 'sosia-review-'));
  let server = await startServerOn(data, {}, options);
  return {
    get nodes() {
      return [server, server] as const;
    },
    administratorKey: server.administratorKey!,
    delay: 0,
    place: ['--data', data],
    async between(work) {
      await server.close();
      const images = await openImageStore(data);
      await work(folderRecords(images));
      await images.close();
      server = await startServerOn(data, {}, options);
    },
    async close() {
      await server.close();
      await rm(data, { recursive: true });
    },
  };
}

/** @param cluster  with a prefix of its own */
export async function startOnCluster(cluster: string): Promise<ReviewServices> {
  const start = () => startServerOn(tmpdir(), { cluster }, options);
  const first = await start();
  let nodes: readonly [RunningServer, RunningServer] = [first, await start()];
  const stop = () => Promise.all(nodes.map((node) => node.close()));
  return {
    get nodes() {
      return nodes;
    },
    administratorKey: first.administratorKey!,
    delay: 2000,
    place: ['--cluster', cluster],
    async between(work) {
      await stop();
      const backend = await ClusteredBackend.start(clusterAddress(cluster), {
        threads: 1,
        metrics: new Metrics(),
        warn: () => {},
      });
      await work(backend.records);
      await backend.close();
      nodes = [await start(), await start()];
    },
    async close() {
      await stop();
    },
  };
}
