import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { consoleFolder } from '@sosia/console';
import type { Config, RunningServer } from '@sosia/server';
import { Command, Option } from 'commander';
import { withHelp } from '../help.ts';
import { addressOf } from '../terminal/address.ts';
import { readableLog } from '../terminal/log-line.ts';
import { logLine } from '../terminal/output.ts';
import { addSettings, configOf } from '../data-folder/settings.ts';
import { ownName } from '../terminal/own-name.ts';

export function serveCommand(): Command {
  const command = new Command('serve')
    .description(
      'Run the service. Once it is ready, the first line on stdout is JSON with both ports, and the log on stderr is JSON. Where stderr is a terminal, the log and the ports are text there.',
    )
    .addOption(readyJson())
    .action(() => serve(command));
  return withHelp(addSettings(command), {
    examples: [
      'sosia serve',
      'sosia serve --data /var/lib/sosia --host 0.0.0.0',
      'SOSIA_QUERY_PORT=80 sosia serve --config /etc/sosia.json',
    ],
    notes: [
      "The first start makes an administrator's key and shows it once, on stderr or with --json on stdout. `sosia admin key` makes another one.",
      'After SIGTERM or SIGINT the service finishes its requests; a second signal stops it at once.',
    ],
  });
}

export function readyJson(): Option {
  return new Option(
    '--json',
    "Print the line of JSON on a terminal, too. After a first start it has the administrator's key as administrator_key, and stderr does not show the key.",
  );
}

/**
 * Runs the service until a signal stops it.
 * @param prepare  called once both ports answer and before the line that reports it; returns a text for people
 * @param quiet  on a terminal, only warnings are logged unless a level is given
 */
export async function serve(
  command: Command,
  prepare?: (config: Config, server: RunningServer) => Promise<string>,
  quiet = false,
): Promise<void> {
  const given = configOf(command);
  const forPeople = process.stderr.isTTY;
  const config = quiet && forPeople && !isLevelGiven(command) ? { ...given, log_level: 'warn' as const } : given;
  const { clusterAddress, collectLessOften, createLog, startServer, stopOnSignals } = await import('@sosia/server'); // once the settings are sound
  collectLessOften();
  const log = createLog(config.log_level, forPeople ? readableLog : undefined);
  const server = await startServer(config, log, { consoleFolder: fileURLToPath(consoleFolder) });
  const stopped = stopOnSignals(server, log);

  const { modifyPort: modify, queryPort: query, administratorKey } = server;
  const { json } = command.opts<{ json?: boolean }>();
  if (administratorKey !== undefined && !json)
    logLine(firstKeyText(administratorKey, `${addressOf(config.host, modify)}/console/`, config));
  const text = await prepare?.(config, server).catch(async (cause: unknown) => {
    await server.close();
    throw cause;
  });
  // what is undefined is left out
  const line = { ready: true, modify, query, administrator_key: json ? administratorKey : undefined };
  if (json || !process.stdout.isTTY || !forPeople) process.stdout.write(`${JSON.stringify(line)}\n`);
  const hosts = config.cluster === undefined ? [] : clusterAddress(config.cluster).hosts.map((each) => each.host);
  if (forPeople) logLine(running(config, server, hosts));
  if (text) logLine(text.trimEnd());
  await stopped;
  if (forPeople) logLine('\nstopped; everything acknowledged is on the disk');
}

function isLevelGiven(command: Command): boolean {
  const { logLevel, config } = command.optsWithGlobals<{ logLevel?: string; config?: string }>();
  return Boolean(logLevel ?? config ?? process.env['SOSIA_LOG_LEVEL'] ?? process.env['SOSIA_CONFIG']);
}

/** What a person needs to know of a running service. @param hosts  of the cluster; none where there is a data folder */
function running({ host, data }: Config, { modifyPort, queryPort }: RunningServer, hosts: readonly string[]): string {
  const [modify, query] = [addressOf(host, modifyPort), addressOf(host, queryPort)];
  return `
Sosia is running; Ctrl+C stops it.

  console  ${modify}/console/
  docs     ${query}/docs
  add      ${modify}  (MODIFY)
  search   ${query}  (QUERY)
  ${hosts.length > 0 ? `cluster  ${hosts.join(', ')}` : `data     ${resolve(data)}`}
`;
}

/** The text for people with the administrator's key that a start has made. Nothing else shows it. */
function firstKeyText(key: string, page: string, { data, cluster }: Config): string {
  const command = (verb: string): string =>
    `${ownName()} admin ${verb}${cluster === undefined ? ` --data ${shellWord(resolve(data))}` : ''}`;
  return `
The administrator's key, which is shown this once:

  ${key}

Sign in with it at ${page} to make applications and keys.
If it was missed, the first command makes another key and the second one ends this key${cluster === undefined ? '' : ', with the settings of the cluster'}:

  ${command('key')}
  ${command('revoke first')}
`.trimEnd();
}

/** As one word of a POSIX shell. */
function shellWord(text: string): string {
  return /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
