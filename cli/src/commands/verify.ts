import { exposedIn, verify } from '@sosia/server';
import { Command } from 'commander';
import { damageLine, existing, soundness } from '../data-folder/folder.ts';
import { withHelp } from '../help.ts';
import { counted, print, printLine, logLine } from '../terminal/output.ts';
import { addSettings, configOf } from '../data-folder/settings.ts';

export function verifyCommand(): Command {
  const command = new Command('verify')
    .description('Check every record of a data folder. A server may use the folder; nothing is changed.')
    .argument('[folder]', 'a data folder or a backup; by default that of the settings')
    .action((folder: string | undefined, { json }: { json?: boolean }) =>
      check(existing(folder ?? configOf(command).data), json ?? false),
    );
  return withHelp(addSettings(command, ['data']).option('--json', 'Print JSON.'), {
    examples: ['sosia verify', 'sosia verify --data /var/lib/sosia --json', 'sosia verify /mnt/backup/monday'],
    notes: [
      'A file that is missing, empty, an earlier copy, of another folder or with foreign tables is a failure, too. Permissions for other users than the owner are a warning.',
      'A damaged record is reported with its picture, and is a failure. The server leaves such a picture out and serves the rest.',
    ],
  });
}

function check(folder: string, json: boolean): void {
  const found = verify(folder);
  const warnings = exposedIn(folder).map((what) => `${what}: others than its owner may use it`);
  if (json) print({ folder, ...found, warnings });
  else {
    for (const warning of warnings) logLine(`warning: ${warning}`);
    printLine(`${soundness(found)} in ${folder}`);
    for (const damage of found.damages) printLine(`damaged: ${damageLine(damage)}`);
  }
  if (found.damages.length > 0) throw new Error(`${counted(found.damages.length, 'damage')} found`);
}
