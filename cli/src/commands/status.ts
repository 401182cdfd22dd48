import { Command } from 'commander';
import { addConnection, connect, withHelp, type ConnectionOptions } from '../command.ts';
import { print, writeFields } from '../terminal/output.ts';

export function statusCommand(): Command {
  const command = new Command('status').description('Show the state of an application of a running service.');
  return withHelp(addConnection(command, ['modify', 'query']), {
    examples: ['sosia status --app KEY', 'sosia status --app KEY --query-url https://pictures.example --json'],
  }).action((options: ConnectionOptions) => status(options));
}

async function status(options: ConnectionOptions): Promise<void> {
  const sosia = connect(options);
  const answer = {
    pictures: await sosia.count(),
    damaged: await sosia.damaged(),
    takes_changes: await sosia.writable(),
  };
  if (options.json) return print(answer);
  const { pictures, damaged, takes_changes } = answer;
  writeFields({ pictures, ...(damaged > 0 && { damaged }), 'takes changes': takes_changes ? 'yes' : 'no' });
}
