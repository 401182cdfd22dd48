import { repair } from '@sosia/server';
import { Command } from 'commander';
import { damageLine, existing, soundness } from '../data-folder/folder.ts';
import { withHelp } from '../help.ts';
import { counted, print, printLine } from '../terminal/output.ts';
import { addSettings, configOf } from '../data-folder/settings.ts';

export function repairCommand(): Command {
  const command = new Command('repair')
    .description('Write a sound data folder out of a damaged one, record by record. The damaged one is not changed.')
    .requiredOption('--out <FOLDER>', 'The new folder; missing or empty.')
    .action(({ out, json }: { out: string; json?: boolean }) =>
      rewrite(existing(configOf(command).data), out, json ?? false),
    );
  return withHelp(addSettings(command, ['data']).option('--json', 'Print JSON.'), {
    examples: [
      'sosia repair --out ./repaired',
      'sosia repair --data /var/lib/sosia --out /var/lib/sosia-repaired --json',
    ],
    notes: [
      'Stop the server first. Applications keep their numbers, keys and settings, pictures their ids, keywords, DNA and thumbnails. Unreadable records are listed, and are a failure; the new folder is complete without them. Then move the new folder to the place of the old one, and keep the old one until the lost pictures are added again.',
    ],
  });
}

function rewrite(from: string, to: string, json: boolean): void {
  const rewritten = repair(from, to);
  const { thumbnails, profiles, damages } = rewritten;
  if (json) print({ from, to, ...rewritten });
  else {
    const rest = `with ${counted(thumbnails, 'small picture')} and ${counted(profiles, 'profile')}`;
    printLine(`${soundness(rewritten)} in ${to}, ${rest}`);
    for (const damage of damages) printLine(`lost: ${damageLine(damage)}`);
  }
  if (damages.length > 0) throw new Error(`${counted(damages.length, 'damage')} in ${from}; ${to} is sound without it`);
}
