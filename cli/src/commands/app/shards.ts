import { ClusterApplicationStore } from '@sosia/server/cluster/application-store';
import { Command } from 'commander';
import { whole } from '../../connection/connection.ts';
import { existing } from '../../data-folder/folder.ts';
import { choose, wireRecord } from '../../data-folder/records.ts';
import { addSettings } from '../../data-folder/settings.ts';
import { placeSettings, withStore } from '../../data-folder/with-store.ts';
import { withHelp } from '../../help.ts';
import { logLine, printOutcome } from '../../terminal/output.ts';
import { audit } from '../key/key.ts';

export function shardsCommand(): Command {
  const command = new Command('shards')
    .description('In a cluster: divide the index of an application into more shards, beside running services.')
    .argument('<application>', 'its key, its name or its number')
    .argument('<shards>', 'twice as many as now, four times, and so on', whole(2, 1024))
    .action((selector: string, shards: number, { json }: { json?: boolean }) =>
      withStore(command, existing, async (store) => {
        if (!(store instanceof ClusterApplicationStore)) throw new Error('shards are for clusters');
        const record = choose(store.list(), selector);
        const stopping = new AbortController();
        const stop = () => stopping.abort(new Error(`stopped: ${record.name} is as before`));
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
        const progress = (ready: number) => logLine(`${ready} of ${shards} shards ready`);
        await store.addShards(record.number, shards, { signal: stopping.signal, progress });
        await audit(command, { what: 'SetApplication', detail: `shards=${shards}` }, record);
        printOutcome(json, { ...wireRecord(record), shards }, `${record.name} has ${shards} shards`);
      }),
    );
  addSettings(command, placeSettings).option('--json', 'Print JSON.');
  return withHelp(command, {
    examples: ['sosia app shards posters 4 --cluster http://127.0.0.1:9200'],
    notes: [
      'Searches go on. Additions and deletions are answered with OVERLOADED until the new shards are there; clients of the SDK wait.',
      'Where the command was killed, run it again: it first makes the application take changes.',
    ],
  });
}
