import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { snapshot, verify } from '@sosia/server';
import { Command } from 'commander';
import { damageLine, existing, soundness } from './folder.ts';
import { withHelp } from './help.ts';
import { counted, print, say, tell } from './output.ts';
import { addSettings, configOf } from './settings.ts';

interface BackupOptions {
  readonly json?: boolean;
  readonly damaged?: boolean;
}

export function backupCommand(): Command {
  const command = new Command('backup')
    .description('Copy the data folder, while the server runs on it or not, and check the copy.')
    .argument('<folder>', 'where to; made if it is missing, else empty')
    .action((to: string, options: BackupOptions) => copy(existing(configOf(command).data), to, options));
  return withHelp(addSettings(command, ['data']).option('--json', 'Print JSON.'), {
    examples: ['sosia backup /mnt/backup/monday', 'sosia backup --data /var/lib/sosia "/mnt/backup/$(date +%F)"'],
    notes: [
      'The copy holds all that was acknowledged before the command began, and nothing after some later moment. It is a data folder: `sosia serve --data` serves it, `sosia restore` copies it back. It holds DNA and keywords and no key, only digests of keys.',
    ],
  });
}

export function restoreCommand(): Command {
  const command = new Command('restore')
    .description('Check a backup and make a data folder of it.')
    .argument('<backup>', 'what `sosia backup` made')
    .option('--damaged', 'Take a backup with damaged records; the server leaves them out.')
    .action((from: string, options: BackupOptions) =>
      restore(existing(from, '<backup>'), configOf(command).data, options),
    );
  return withHelp(addSettings(command, ['data']).option('--json', 'Print JSON.'), {
    examples: ['sosia restore /mnt/backup/monday', 'sosia restore /mnt/backup/monday --data /var/lib/sosia'],
    notes: [
      'The data folder must be empty or missing: what is there is never overwritten. Stop the server and move the old folder away first. The keys of the applications are those of the backup.',
    ],
  });
}

async function restore(from: string, to: string, options: BackupOptions): Promise<void> {
  const { damages } = verify(from);
  for (const damage of damages) tell(`damaged: ${damageLine(damage)}`);
  if (damages.length > 0 && !options.damaged) {
    throw new Error(`${counted(damages.length, 'damage')} in ${from}; --damaged restores the rest. Nothing was done`);
  }
  await copy(from, to, options);
}

/** Copies a data folder and checks the copy. */
async function copy(from: string, to: string, { json, damaged }: BackupOptions): Promise<void> {
  await snapshot(from, to);
  const found = verify(to);
  const bytes = readdirSync(to).reduce((sum, name) => sum + statSync(join(to, name)).size, 0);
  if (json) print({ from, to, bytes, ...found });
  else say(`${soundness(found)} in ${to}, ${(bytes / 1e6).toFixed(1)} MB`);
  for (const damage of found.damages) tell(`damaged: ${damageLine(damage)}`);
  if (found.damages.length > 0 && !damaged)
    throw new Error(`${counted(found.damages.length, 'damage')} copied to ${to}`);
}
