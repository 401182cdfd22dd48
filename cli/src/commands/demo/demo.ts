import { dirname } from 'node:path';
import { samplesFolder } from '@sosia/fixtures';
import { Command } from 'commander';
import { prepareDemo } from './demo-application.ts';
import { withHelp } from '../../help.ts';
import { readyJson, serve } from '../serve.ts';
import { addSettings, configOf } from '../../data-folder/settings.ts';
import { UsageError } from '../../usage.ts';

/** The samples of this installation. */
const shipped = dirname(samplesFolder);

/** `sosia demo`: `sosia serve` with an application of the sample pictures. */
export function demoCommand(): Command {
  const command = new Command('demo')
    .description(
      'Run the service with an application "demo" of sample pictures, find the original of an edited one, and print commands to try.',
    )
    .option('--pictures <DIR>', 'Use the pictures of DIR/samples, and suggest those of DIR/edited as queries.')
    .addOption(readyJson())
    .action(({ pictures = shipped }: { pictures?: string }) => {
      if (configOf(command).cluster !== undefined) throw new UsageError('the demo needs a data folder, not a cluster');
      return serve(command, (config, server) => prepareDemo(pictures, config, server), true);
    });
  for (const option of addSettings(command).options) if (option.long?.startsWith('--cluster')) option.hideHelp();
  return withHelp(command, {
    examples: ['sosia demo', 'sosia demo --data /tmp/sosia-demo --modify-port 0 --query-port 0'],
    notes: ['The first line on stdout is JSON with both ports, as with `sosia serve`.'],
  });
}
