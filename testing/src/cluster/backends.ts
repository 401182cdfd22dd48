import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApplicationType } from '@sosia/engine';
import { EmbeddedBackend } from '@sosia/server/applications/embedded-backend';
import type { References } from '@sosia/server/applications/references';
import { clusterAddress } from '@sosia/server/cluster/address';
import { ClusteredBackend } from '@sosia/server/cluster/clustered-backend';
import { Metrics } from '@sosia/server/metrics/metrics';
import { Shards } from '@sosia/server/shards/shards';
import { openApplicationStore } from '@sosia/server/store/application-store';
import { openImageStore } from '@sosia/server/store/image-store';
import { standardDefaults } from '@sosia/server/applications/create';

/** A new application in a backend of its own, for tests that compare backends. */
export interface OpenedBackend {
  readonly name: string;
  readonly references: References;
  close(): Promise<void>;
}

const rowOf = (type: ApplicationType) => ({
  keys: [],
  type,
  name: type,
  enabled: true,
  defaults: standardDefaults,
});

export async function openEmbedded(type: ApplicationType): Promise<OpenedBackend> {
  const folder = await mkdtemp(join(tmpdir(), 'sosia-backends-'));
  const images = await openImageStore(folder);
  const store = openApplicationStore(folder);
  const shards = new Shards(2, (cause) => {
    throw cause;
  });
  const backend = new EmbeddedBackend(store, { images, shards });
  return {
    name: 'embedded',
    references: backend.open(store.create(rowOf(type)), false),
    async close() {
      await shards.close();
      await images.close();
      store.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** @param url  with a prefix of its own */
export async function openClustered(
  name: string,
  url: string,
  type: ApplicationType,
  shards: number,
): Promise<OpenedBackend> {
  const backend = await ClusteredBackend.start(clusterAddress(url), {
    threads: 2,
    metrics: new Metrics(),
    warn: () => {},
  });
  const record = await backend.store.create(rowOf(type), undefined, shards);
  return {
    name,
    references: backend.open(record),
    async close() {
      await backend.store.delete(record.number);
      await backend.close();
    },
  };
}
