import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApplicationType, NetworkIdentity } from '@sosia/engine';
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
  /** Those of each node in succession. */
  readonly references: References;
  close(): Promise<void>;
}

const rowOf = (type: ApplicationType, network?: NetworkIdentity) => ({
  ...(network && { network }),
  keys: [],
  type,
  name: type,
  enabled: true,
  defaults: standardDefaults,
});

export async function openEmbedded(type: ApplicationType, network?: NetworkIdentity): Promise<OpenedBackend> {
  const folder = await mkdtemp(join(tmpdir(), 'sosia-backends-'));
  const images = await openImageStore(folder);
  const store = openApplicationStore(folder);
  const shards = new Shards(2, (cause) => {
    throw cause;
  });
  const backend = new EmbeddedBackend(store, { images, shards });
  return {
    name: 'embedded',
    references: backend.open(store.create(rowOf(type, network)), false),
    async close() {
      await shards.close();
      await images.close();
      store.close();
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * With two nodes.
 * @param url  with a prefix of its own
 */
export async function openClustered(
  name: string,
  url: string,
  type: ApplicationType,
  shards: number,
  network?: NetworkIdentity,
): Promise<OpenedBackend> {
  const options = { threads: 2, metrics: new Metrics(), warn: () => {} };
  const start = () => ClusteredBackend.start(clusterAddress(url), options);
  const backend = await start();
  const other = await start();
  const record = await backend.store.create(rowOf(type, network), undefined, shards);
  const references = [backend.open(record), other.open(record)] as const;
  let calls = 0;
  return {
    name,
    get references() {
      return references[calls++ % 2]!;
    },
    async close() {
      await backend.store.delete(record.number);
      await other.close();
      await backend.close();
    },
  };
}
