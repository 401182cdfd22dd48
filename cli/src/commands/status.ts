import { Command } from 'commander';
import { addConnection, connect, type ConnectionOptions } from '../connection/connection.ts';
import { withHelp } from '../help.ts';
import { print } from '../terminal/output.ts';
import { writeFields } from '../terminal/table.ts';

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
