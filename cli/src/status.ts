import { Command } from 'commander';
import { addConnection, connect, exitCodes } from './connection.ts';
import type { ConnectionOptions } from './connection.ts';
import { aligned } from './records.ts';

export function statusCommand(): Command {
  const command = new Command('status').description('Ask a running service how an application is.');
  return addConnection(command, ['modify', 'query'])
    .addHelpText(
      'after',
      `
Examples:
  $ sosia status --app KEY
  $ sosia status --app KEY --query-url https://pictures.example --json

${exitCodes}`,
    )
    .action((options: ConnectionOptions) => status(options));
}

async function status(options: ConnectionOptions): Promise<void> {
  const sosia = connect(options);
  const answer = { pictures: await sosia.count(), takes_changes: await sosia.writable() };
  const rows = [
    ['pictures', String(answer.pictures)],
    ['takes changes', answer.takes_changes ? 'yes' : 'no'],
  ];
  process.stdout.write(options.json ? `${JSON.stringify(answer)}\n` : aligned(rows));
}
