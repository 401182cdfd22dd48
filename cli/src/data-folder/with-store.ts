import { clusterFiles } from '@sosia/server/cluster/address';
import { openClusterStore } from '@sosia/server/cluster/application-store';
import { openApplicationStore } from '@sosia/server/store/application-store';
import { removeLogs } from '@sosia/server/store/remove-logs';
import type { SharedStore } from '@sosia/server';
import type { Command } from 'commander';
import { logLine } from '../terminal/output.ts';
import { configOf } from './settings.ts';

/** The settings that say where applications are. */
export const placeSettings = [
  'data',
  'cluster',
  'cluster_ca',
  'cluster_cert',
  'cluster_key',
  'cluster_password',
] as const;

/**
 * Opens the applications and profiles that a command line means, and closes them in any case. Damage of a data folder is
 * reported on stderr; sound data is used.
 * @param folder  may refuse the data folder before it is opened or created
 */
export async function withStore(
  command: Command,
  folder: (data: string) => string,
  work: (store: SharedStore) => unknown,
): Promise<void> {
  const config = configOf(command);
  const { data, cluster } = config;
  const store: SharedStore =
    cluster === undefined
      ? openApplicationStore(folder(data), ({ file, what }) => logLine(`damaged: ${file}: ${what}`))
      : await openClusterStore(cluster, clusterFiles(config), logLine);
  try {
    await work(store);
  } finally {
    store.close();
    if (cluster === undefined) await removeLogs(data).catch(() => {}); // they have everything
  }
}
