import { setTimeout as pause } from 'node:timers/promises';
import { ClusteredBackend, clusterAddress, type ClusterFiles, Metrics, recordsNumber } from '@sosia/server';
import { logLine } from '../../terminal/output.ts';
import { networkOf, type Source, type Storage, type Target } from './storage.ts';

/** Milliseconds after which every node heeds a change of an application. */
const HEEDED_MS = 2000;

/** Milliseconds in which a process that was killed loses the application. */
const LOST_MS = 30_000;

/** A cluster whose services are stopped. @param threads  see `openTargetCluster` */
export async function openSourceCluster(text: string, files: ClusterFiles, threads: number): Promise<Source> {
  const { backend, storage } = await openBackend(text, files, threads);
  return {
    ...storage,
    async update(application, row) {
      await storage.update(application, row);
      await pause(HEEDED_MS); // by nodes that run nevertheless
    },
    network: (application) => networkOf(application, backend.store.profiles),
    versions: async () => undefined,
    async *pictures(application) {
      const { number } = application;
      await backend.records.collectEvents({ records: recordsNumber({ record: application }), pictures: number });
      for await (const batch of backend.transfer(application).all())
        yield batch.map((picture) => ({ version: 0, picture }));
    },
  };
}

/** A cluster, beside its services. @param threads  that derive what the cluster finds pictures by */
export async function openTargetCluster(text: string, files: ClusterFiles, threads: number): Promise<Target> {
  const { backend, storage } = await openBackend(text, files, threads);
  return {
    ...storage,
    create: (row, network) => backend.store.create(row, network),
    alone: ({ number }, work) => backend.records.exclusively(`move-${number}`, work, LOST_MS),
    pictures: (application, ids) => backend.transfer(application).all(ids),
    put: (application, pictures) => backend.transfer(application).put(pictures),
    remove: (application, ids) => backend.transfer(application).remove(ids),
  };
}

async function openBackend(
  text: string,
  files: ClusterFiles,
  threads: number,
): Promise<{ backend: ClusteredBackend; storage: Storage }> {
  const address = clusterAddress(text, files);
  const backend = await ClusteredBackend.start(address, { threads, metrics: new Metrics(), warn: logLine });
  const { records, store } = backend;
  const storage: Storage = {
    name: `the cluster at ${address.hosts.map(({ host }) => host).join(', ')}`,
    records,
    applications: async () => store.list(),
    update: ({ number }, row) => store.update(number, row),
    close: () => backend.close(),
  };
  return { backend, storage };
}
