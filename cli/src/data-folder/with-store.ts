import { openApplicationStore } from '@sosia/server';
import type { ApplicationStore } from '@sosia/server';
import type { Command } from 'commander';
import { logLine } from '../terminal/output.ts';
import { configOf } from './settings.ts';

/**
 * Opens the applications and profiles of the data folder of a command line, and closes them in any case. Damage is
 * reported on stderr; sound data is used.
 * @param folder  may refuse the folder before it is opened or created
 */
export async function withStore(
  command: Command,
  folder: (data: string) => string,
  work: (store: ApplicationStore) => unknown,
): Promise<void> {
  const store = openApplicationStore(folder(configOf(command).data), ({ file, what }) =>
    logLine(`damaged: ${file}: ${what}`),
  );
  try {
    await work(store);
  } finally {
    store.close();
  }
}
