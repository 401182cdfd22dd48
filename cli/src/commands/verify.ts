import { clusterAddress, clusterFiles, exposedIn, removeLogs, verify, verifyCluster } from '@sosia/server';
import type { Verification } from '@sosia/server';
import { Command } from 'commander';
import { damageLine, existing, soundness } from '../data-folder/folder.ts';
import { withHelp } from '../help.ts';
import { counted, print, printLine, logLine } from '../terminal/output.ts';
import { addSettings, configOf } from '../data-folder/settings.ts';
import { placeSettings } from '../data-folder/with-store.ts';

export function verifyCommand(): Command {
  const command = new Command('verify')
    .description('Check every record of a data folder, or of a cluster. A server may use it; nothing is changed.')
    .argument('[folder]', 'a data folder or a backup; by default that of the settings')
    .action(async (folder: string | undefined, { json }: { json?: boolean }) => {
      const config = configOf(command);
      const { data, cluster } = config;
      if (folder !== undefined || cluster === undefined) return check(existing(folder ?? data), json ?? false);
      const hosts = clusterAddress(cluster).hosts.map(({ host }) => host);
      report(`the cluster at ${hosts.join(', ')}`, await verifyCluster(cluster, clusterFiles(config)), json ?? false);
    });
  return withHelp(addSettings(command, placeSettings).option('--json', 'Print JSON.'), {
    examples: [
      'sosia verify',
      'sosia verify --data /var/lib/sosia --json',
      'sosia verify /mnt/backup/monday',
      'sosia verify --cluster http://127.0.0.1:9200',
    ],
    notes: [
      'A file that is missing, empty, an earlier copy, of another folder or with foreign tables is a failure, too. Permissions for other users than the owner are a warning.',
      'A damaged record is reported with its picture, and is a failure. The server leaves such a picture out and serves the rest.',
    ],
  });
}

async function check(folder: string, json: boolean): Promise<void> {
  const warnings = exposedIn(folder).map((what) => `${what}: others than its owner may use it`);
  const found = verify(folder);
  await removeLogs(folder, true).catch(() => {}); // a folder that may not be written stays as it is
  report(folder, { ...found, warnings }, json);
}

function report(folder: string, { warnings, ...found }: Verification & { warnings: string[] }, json: boolean): void {
  if (json) print({ folder, ...found, warnings });
  else {
    for (const warning of warnings) logLine(`warning: ${warning}`);
    printLine(`${soundness(found)} in ${folder}`);
    for (const damage of found.damages) printLine(`damaged: ${damageLine(damage)}`);
  }
  if (found.damages.length > 0) throw new Error(`${counted(found.damages.length, 'damage')} found`);
}
