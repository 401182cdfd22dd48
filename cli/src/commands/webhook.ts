import type { Command } from 'commander';
import { commandsOf, connect, deletes, whole, type ConnectionOptions } from '../connection/connection.ts';
import { groupOf } from '../help.ts';
import { counted, print, printLine, printOutcome } from '../terminal/output.ts';
import { writeList } from '../terminal/table.ts';

export function webhookCommand(): Command {
  const parts = [addCommand(), listCommand(), rotateCommand(), resumeCommand(), deleteCommand()];
  return groupOf('webhook', 'Manage webhooks: addresses that the service sends events to.', parts, {
    examples: ['sosia webhook add newsroom https://example.org/events --app KEY', 'sosia webhook list --app KEY'],
    notes: ['docs/events.md describes what is sent, and how a receiver checks it.'],
  });
}

const managing = commandsOf('webhook');

interface AddOptions extends ConnectionOptions {
  readonly after?: number;
}

function addCommand(): Command {
  const about = 'Send events to an address, and print the secret that signs them.';
  return managing('add', about, 'newsroom https://example.org/events')
    .argument('<id>', 'its name; the address of a known one is changed')
    .argument('<url>', 'an http or https address that fetch_hosts allows')
    .option('--after <ID>', 'Begin behind this event. (default: the latest one)', whole(0, 999_999_999_999))
    .action(async (id: string, url: string, { after, ...options }: AddOptions) => {
      const secret = await connect(options).webhooks.add(id, url, after === undefined ? {} : { after });
      showSecret(id, secret, options);
    });
}

function listCommand(): Command {
  return managing('list', 'List the webhooks, and why one fails.', '--app KEY').action(
    async (options: ConnectionOptions) => {
      const webhooks = await connect(options).webhooks.list();
      if (options.json) return webhooks.forEach((each) => print(each));
      writeList('webhook', webhooks, ({ id, url, state, position, waiting, fault }) => {
        return { id, url, state, received: position, waiting, fault };
      });
    },
  );
}

function rotateCommand(): Command {
  return managing('rotate', 'Print a new secret; the previous one signs for 24 hours, too.', 'newsroom')
    .argument('<id>', 'its name')
    .action(async (id: string, options: ConnectionOptions) =>
      showSecret(id, await connect(options).webhooks.rotate(id), options),
    );
}

function resumeCommand(): Command {
  return managing('resume', 'Send at once what a failing or dead webhook has not received.', 'newsroom')
    .argument('<id>', 'its name')
    .action(async (id: string, options: ConnectionOptions) => {
      const webhook = await connect(options).webhooks.resume(id);
      printOutcome(options.json, webhook, `resumed: ${id}, ${counted(webhook.waiting, 'event')} to send`);
    });
}

function deleteCommand(): Command {
  const command = managing('delete', 'Delete a webhook.', 'newsroom').argument('<id>', 'its name');
  return deletes(command, ({ webhooks }, id) => webhooks.delete(id));
}

function showSecret(id: string, secret: string, { json }: ConnectionOptions): void {
  if (json) print({ webhook: id, secret });
  else printLine(secret);
}
