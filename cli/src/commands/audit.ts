import { AuditFiles } from '@sosia/server';
import { Command } from 'commander';
import { whole } from '../connection/connection.ts';
import { existing } from '../data-folder/folder.ts';
import { addSettings, configOf } from '../data-folder/settings.ts';
import { withHelp } from '../help.ts';
import { print } from '../terminal/output.ts';
import { writeTable } from '../terminal/table.ts';

export function auditCommand(): Command {
  const command = new Command('audit')
    .description('Print who changed what, the latest first. The log is in the data folder.')
    .option('--last <N>', 'Number of entries. (default: 50)', whole(1, 1_000_000))
    .option('--json', 'Print JSON.')
    .action(({ last = 50, json }: { last?: number; json?: boolean }) => {
      const log = new AuditFiles(existing(configOf(command).data));
      const entries = log.read({ start: 0, count: last });
      if (json) return print(entries);
      writeTable(
        ['at', 'who', 'what', 'application', 'detail'],
        entries.map(({ at, who, what, application, detail }) => [at, who, what, application || '-', detail]),
      );
    });
  return withHelp(addSettings(command, ['data']), { examples: ['sosia audit', 'sosia audit --last 1000 --json'] });
}
