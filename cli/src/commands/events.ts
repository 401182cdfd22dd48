import { Command, Option } from 'commander';
import type { Event } from '@sosia/client';
import { addConnection, connect, whole } from '../connection/connection.ts';
import type { ConnectionOptions } from '../connection/connection.ts';
import { withHelp } from '../help.ts';
import { print, printLine } from '../terminal/output.ts';

interface EventsOptions extends ConnectionOptions {
  readonly after: number;
  readonly follow?: boolean;
}

export function eventsCommand(): Command {
  const command = new Command('events')
    .description('List the pictures that saved searches have found, in the order of the additions.')
    .addOption(
      new Option('--after <ID>', 'Only events behind this one.').argParser(whole(0, 999_999_999_999)).default(0),
    )
    .option('--follow', 'Also those to come, until the command is ended.');
  return withHelp(addConnection(command, ['modify']), {
    examples: ['sosia events --app KEY', 'sosia events --app KEY --after 42 --follow --json'],
    notes: ['docs/events.md describes saved searches and events.'],
  }).action(async ({ after, follow, ...options }: EventsOptions) => {
    const { events } = connect(options);
    const show = (event: Event) => (options.json ? print(event) : printLine(lineOf(event)));
    if (follow) for await (const event of events.follow(after)) show(event);
    for (let page = await events.after(after); page.length > 0; page = await events.after(page.at(-1)!.id)) {
      page.forEach(show);
    }
  });
}

function lineOf({ id, at, search_id, image_id, decision, similarity, count }: Event): string {
  const times = count > 1 ? `, ${count} times` : '';
  return `${id}  ${at}  ${search_id} found ${image_id}: ${decision ? `${decision}, ` : ''}${similarity} %${times}`;
}
