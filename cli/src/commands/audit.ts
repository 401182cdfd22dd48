import { clusterFiles } from '@sosia/server/cluster/address';
import { withClusterAudit } from '@sosia/server/cluster/audit';
import { AuditFiles } from '@sosia/server/store/audit-log';
import type { AuditEntry } from '@sosia/server';
import { Command } from 'commander';
import { whole } from '../connection/connection.ts';
import { existing } from '../data-folder/folder.ts';
import { addSettings, configOf } from '../data-folder/settings.ts';
import { placeSettings } from '../data-folder/with-store.ts';
import { withHelp } from '../help.ts';
import { print } from '../terminal/output.ts';
import { writeTable } from '../terminal/table.ts';
import { UsageError } from '../usage.ts';

/** Entries that OpenSearch gives in one answer. */
const MOST_IN_CLUSTER = 10_000;

/** By whom, in words that no name of a key can be: names are in a column of their own. */
function byOf({ kind, administrator }: AuditEntry): string {
  if (kind !== 'key' && kind !== 'console') return kind;
  return `${administrator ? 'administrator' : 'key'}${kind === 'console' ? ', console' : ''}`;
}

export function auditCommand(): Command {
  const command = new Command('audit')
    .description(
      'Print who changed what, and what was refused, the latest first. The log is in the data folder or in the cluster.',
    )
    .option('--last <N>', 'Number of entries; at most 10000 in a cluster. (default: 50)', whole(1, 1_000_000))
    .option('--json', 'Print JSON.')
    .action(async ({ last = 50, json }: { last?: number; json?: boolean }) => {
      const config = configOf(command);
      const { data, cluster } = config;
      const page = { start: 0, count: last };
      if (cluster !== undefined && last > MOST_IN_CLUSTER)
        throw new UsageError(`--last: expected at most ${MOST_IN_CLUSTER} entries of a cluster, got ${last}`);
      const entries =
        cluster === undefined
          ? new AuditFiles(existing(data)).read(page)
          : await withClusterAudit(cluster, clusterFiles(config), (log) => log.read(page));
      if (json) return print(entries);
      writeTable(
        entries.map((entry) => ({
          at: entry.at,
          by: byOf(entry),
          key: entry.key || '-',
          name: entry.who || '-',
          what: entry.code === 0 ? entry.what : `${entry.what} refused (${entry.code})`,
          application: entry.application || '-',
          detail: entry.detail,
        })),
      );
    });
  return withHelp(addSettings(command, placeSettings), { examples: ['sosia audit', 'sosia audit --last 1000 --json'] });
}
