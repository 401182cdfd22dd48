import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Sosia } from '@sosia/client';
import { samplesFolder } from '@sosia/fixtures';
import { clusterFiles } from '@sosia/server';
import { Command, Option } from 'commander';
import { addSettings, configOf } from '../../data-folder/settings.ts';
import { placeSettings } from '../../data-folder/with-store.ts';
import { withHelp } from '../../help.ts';
import { addressOf } from '../../terminal/address.ts';
import { logLine, print } from '../../terminal/output.ts';
import { aligned } from '../../terminal/table.ts';
import { checkCluster } from './check-cluster.ts';
import { checkDecoding, checkFolder, checkKey, checkNode, checkPort, type Check } from './checks.ts';

interface DoctorFlags {
  readonly app?: string;
  readonly json?: boolean;
}

/** `sosia doctor`: what is wrong with an installation, its data folder, its ports and a key. */
export function doctorCommand(): Command {
  const command = new Command('doctor')
    .description('Check this installation, the data folder or cluster, the ports and a key, and say what to do.')
    .addOption(new Option('--app <KEY>', 'Key to check with the running service.').env('SOSIA_KEY'))
    .option('--json', 'Print JSON.')
    .action((options: DoctorFlags) => examine(command, options));
  return withHelp(addSettings(command, [...placeSettings, 'host', 'modify_port', 'query_port', 'child_user']), {
    examples: ['sosia doctor', 'sosia doctor --data /var/lib/sosia --app KEY'],
    notes: [
      'Nothing is changed. A warning does not prevent the service from working; anything that is wrong ends the command with 1.',
    ],
  });
}

async function examine(command: Command, { app, json }: DoctorFlags): Promise<void> {
  const config = configOf(command);
  const { engines } = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as {
    engines: { node: string };
  };
  const checks: Check[] = [
    checkNode(process.versions.node, engines.node),
    ...(await checkDecoding(join(samplesFolder, 'kodim05.jpg'), config.child_user)),
    ...(config.cluster === undefined
      ? checkFolder(config.data)
      : await checkCluster(config.cluster, clusterFiles(config))),
    await checkPort('MODIFY', config),
    await checkPort('QUERY', config),
  ];
  if (app !== undefined) {
    const [modify, query] = [config.modify_port, config.query_port].map((port) => addressOf(config.host, port));
    checks.push(await checkKey(new Sosia({ modify: modify!, query: query!, key: app })));
  }
  if (json) for (const check of checks) print(check);
  else logLine(report(checks).trimEnd());
  const wrong = checks.filter(({ state }) => state === 'wrong').length;
  if (wrong > 0) throw new Error(`${wrong} of ${checks.length} checks found something wrong`);
}

function report(checks: readonly Check[]): string {
  return aligned(
    checks.flatMap(({ what, state, detail, remedy }) => [
      [state, what, detail],
      ...(remedy === undefined ? [] : [['', '', `-> ${remedy}`]]),
    ]),
  );
}
