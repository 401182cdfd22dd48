import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { removeLogs, restore, snapshot, verify } from '@sosia/server';
import { Command } from 'commander';
import { damageLine, existing, soundness } from '../data-folder/folder.ts';
import { withHelp } from '../help.ts';
import { counted, print, printLine, logLine } from '../terminal/output.ts';
import { addSettings, configOf } from '../data-folder/settings.ts';

interface BackupOptions {
  readonly json?: boolean;
  readonly damaged?: boolean;
}

export function backupCommand(): Command {
  const command = new Command('backup')
    .description('Copy the data folder, with or without a running server, and verify the copy.')
    .argument('<folder>', 'the new folder; missing or empty')
    .action((to: string, options: BackupOptions) => copy(existing(configOf(command).data), to, options));
  return withHelp(addSettings(command, ['data']).option('--json', 'Print JSON.'), {
    examples: ['sosia backup /mnt/backup/monday', 'sosia backup --data /var/lib/sosia "/mnt/backup/$(date +%F)"'],
    notes: [
      'The copy has every change acknowledged before the command began; later ones may be in it. It is a data folder without the audit log: `sosia serve --data` serves it, `sosia restore` copies it back. Of keys it has digests alone, but it contains the secrets of webhooks and buckets: keep it where only you can read it.',
    ],
  });
}

export function restoreCommand(): Command {
  const command = new Command('restore')
    .description('Restore a backup into a data folder, record by record.')
    .argument('<backup>', 'a folder made by `sosia backup`')
    .option('--damaged', 'Damaged records in the backup are no failure.')
    .action((from: string, options: BackupOptions) =>
      takeBack(existing(from, '<backup>'), configOf(command).data, options),
    );
  return withHelp(addSettings(command, ['data']).option('--json', 'Print JSON.'), {
    examples: ['sosia restore /mnt/backup/monday', 'sosia restore /mnt/backup/monday --data /var/lib/sosia'],
    notes: [
      'The data folder must be empty or missing: files are never overwritten. Stop the server and move the old folder away first. The keys of the applications are those of the backup.',
      'From a damaged backup every sound record is restored. Losses are listed on stderr, and are a failure without --damaged. A backup that lacks a file, or has tables or triggers that Sosia did not make, is refused.',
    ],
  });
}

function takeBack(from: string, to: string, { json, damaged }: BackupOptions): void {
  const restored = restore(from, to);
  const { damages } = restored;
  if (json) print({ from, to, bytes: bytesIn(to), ...restored });
  else printLine(`${soundness(restored)} in ${to}, ${megabytes(to)}`);
  for (const damage of damages) logLine(`lost: ${damageLine(damage)}`);
  if (damages.length > 0 && !damaged) {
    throw new Error(`${counted(damages.length, 'damage')} in ${from}; ${to} holds all the rest and is sound`);
  }
}

/** Copies a data folder and verifies the copy. */
async function copy(from: string, to: string, { json }: BackupOptions): Promise<void> {
  await snapshot(from, to);
  const found = verify(to);
  for (const folder of [from, to]) await removeLogs(folder, true).catch(() => {}); // a folder that may not be written stays as it is
  if (json) print({ from, to, bytes: bytesIn(to), ...found });
  else printLine(`${soundness(found)} in ${to}, ${megabytes(to)}`);
  for (const damage of found.damages) logLine(`damaged: ${damageLine(damage)}`);
  if (found.damages.length > 0) throw new Error(`${counted(found.damages.length, 'damage')} copied to ${to}`);
}

function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

function megabytes(folder: string): string {
  return `${(bytesIn(folder) / 1e6).toFixed(1)} MB`;
}
