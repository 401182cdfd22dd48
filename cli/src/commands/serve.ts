import { fileURLToPath } from 'node:url';
import { consoleFolder } from '@sosia/console';
import { createLog, startServer, stopOnSignals } from '@sosia/server';
import type { Config, RunningServer } from '@sosia/server';
import { Command } from 'commander';
import { withHelp } from '../help.ts';
import { logLine } from '../terminal/output.ts';
import { addSettings, configOf } from '../data-folder/settings.ts';

export function serveCommand(): Command {
  const command = new Command('serve')
    .description(
      'Run the service. The first line on stdout, once it is ready, is JSON with both ports; the log is on stderr.',
    )
    .action(() => serve(command));
  return withHelp(addSettings(command), {
    examples: [
      'sosia serve',
      'sosia serve --data /var/lib/sosia --host 0.0.0.0',
      'SOSIA_QUERY_PORT=80 sosia serve --config /etc/sosia.json',
    ],
    notes: ['After SIGTERM or SIGINT the service finishes its requests; a second signal stops it at once.'],
  });
}

/**
 * Runs the service until a signal stops it.
 * @param prepare  called once both ports answer and before the line that reports it; returns a text for people
 */
export async function serve(
  command: Command,
  prepare?: (config: Config, server: RunningServer) => Promise<string>,
): Promise<void> {
  const config = configOf(command);
  const log = createLog(config.log_level);
  const server = await startServer(config, log, { consoleFolder: fileURLToPath(consoleFolder) });
  const stopped = stopOnSignals(server, log);

  const hints = await prepare?.(config, server);
  if (server.administratorKey !== undefined) {
    logLine(`administrator's key: ${server.administratorKey} (shown once; \`sosia admin key\` makes another one)`);
  }
  process.stdout.write(`${JSON.stringify({ ready: true, modify: server.modifyPort, query: server.queryPort })}\n`);
  if (hints) logLine(hints.trimEnd());
  await stopped;
}
