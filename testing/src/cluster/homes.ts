import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApplicationType } from '@sosia/engine';
import { embeddedHome } from '@sosia/server/applications/embedded-references';
import type { Home } from '@sosia/server/applications/home';
import type { References } from '@sosia/server/applications/references';
import { clusterAddress } from '@sosia/server/cluster/address';
import { ClusterHome } from '@sosia/server/cluster/cluster-home';
import { Metrics } from '@sosia/server/metrics/metrics';
import { Shards } from '@sosia/server/shards/shards';
import { openApplicationStore } from '@sosia/server/store/application-store';
import { openImageStore } from '@sosia/server/store/image-store';
import { standardDefaults } from '@sosia/server/applications/create';

/** A new application in a home of its own kind, for tests that compare homes. */
export interface OpenedHome {
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

export async function openEmbedded(type: ApplicationType): Promise<OpenedHome> {
  const folder = await mkdtemp(join(tmpdir(), 'sosia-homes-'));
  const images = await openImageStore(folder);
  const store = openApplicationStore(folder);
  const shards = new Shards(2, (cause) => {
    throw cause;
  });
  const home: Home = embeddedHome(store, { images, shards });
  return {
    name: 'embedded',
    references: home.open(store.create(rowOf(type)), false),
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
): Promise<OpenedHome> {
  const home = await ClusterHome.start(clusterAddress(url), { threads: 2, metrics: new Metrics(), warn: () => {} });
  const record = await home.store.create(rowOf(type), undefined, shards);
  return {
    name,
    references: home.open(record),
    async close() {
      await home.store.delete(record.number);
      await home.close();
    },
  };
}
