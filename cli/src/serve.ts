import { fileURLToPath } from 'node:url';
import { consoleFolder } from '@sosia/console';
import { createLog, startServer, stopOnSignals } from '@sosia/server';
import { Command } from 'commander';
import { prepareDemo } from './demo.ts';
import { withHelp } from './help.ts';
import { addSettings, configOf } from './settings.ts';

export function serveCommand(): Command {
  const command = new Command('serve')
    .description(
      'Run the service. The first line on stdout, once it is ready, is JSON with both ports; the log is on stderr.',
    )
    .option('--demo <DIR>', 'On an empty data folder, make an application "demo" of the pictures in DIR/samples.')
    .action((options: { demo?: string }) => serve(command, options.demo));
  return withHelp(addSettings(command), {
    examples: [
      'sosia serve',
      'sosia serve --data /var/lib/sosia --host 0.0.0.0',
      'SOSIA_QUERY_PORT=80 sosia serve --config /etc/sosia.json',
    ],
    notes: ['SIGTERM and SIGINT let what is under way end first; a second one stops at once.'],
  });
}

async function serve(command: Command, demoFolder?: string): Promise<void> {
  const config = configOf(command);
  const log = createLog(config.log_level);
  const server = await startServer(config, log, { consoleFolder: fileURLToPath(consoleFolder) });
  const stopped = stopOnSignals(server, log);

  const demo = demoFolder === undefined ? null : await prepareDemo(demoFolder, config, server);
  process.stdout.write(`${JSON.stringify({ ready: true, modify: server.modifyPort, query: server.queryPort })}\n`);
  if (demo) process.stderr.write(demo);
  await stopped;
}
