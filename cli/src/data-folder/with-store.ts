import { openApplicationStore } from '@sosia/server';
import type { ApplicationStore } from '@sosia/server';
import type { Command } from 'commander';
import { tell } from '../terminal/output.ts';
import { configOf } from './settings.ts';

/**
 * Opens the applications and profiles of the data folder that a command line names, and closes them whatever happens.
 * Damage is told on stderr; what is sound serves.
 * @param folder  may refuse the folder before it is opened, or made
 */
export async function withStore(
  command: Command,
  folder: (data: string) => string,
  work: (store: ApplicationStore) => unknown,
): Promise<void> {
  const store = openApplicationStore(folder(configOf(command).data), ({ file, what }) =>
    tell(`damaged: ${file}: ${what}`),
  );
  try {
    await work(store);
  } finally {
    store.close();
  }
}
