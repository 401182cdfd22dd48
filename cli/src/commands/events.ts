import { once } from 'node:events';
import { extname } from 'node:path';
import { Command } from 'commander';
import type { Event } from '@sosia/client';
import { addConnection, connect, whole, type ConnectionOptions } from '../connection/connection.ts';
import { withHelp } from '../help.ts';
import { counted, print, printLine, printOutcome } from '../terminal/output.ts';
import { UsageError } from '../usage.ts';
import { writeWhole } from '../whole-file.ts';
import { reports } from './event-report.ts';

interface EventsOptions extends ConnectionOptions {
  readonly after: number;
  readonly follow?: boolean;
  readonly report?: string;
  readonly since?: string;
  readonly until?: string;
}

export function eventsCommand(): Command {
  const command = new Command('events')
    .description('List the pictures that saved searches and lists of hashes have found, in their order.')
    .option('--after <ID>', 'Only events behind this one.', whole(0, 999_999_999_999), 0)
    .option('--follow', 'Also those to come, until the command is ended.')
    .option('--report <FILE>', 'Write a report for people: a page with both pictures (.html), or a table (.csv).')
    .option('--since <TIME>', 'The report begins with this day or time, in ISO 8601.')
    .option('--until <TIME>', 'The report ends before this day or time. (default: now)');
  return withHelp(addConnection(command, ['modify']), {
    examples: [
      'sosia events --app KEY',
      'sosia events --app KEY --after 42 --follow --json',
      'sosia events --app KEY --report autumn.html --since 2026-09-01',
    ],
    notes: ['docs/events.md describes saved searches and events.'],
  }).action(async ({ after, follow, report, ...options }: EventsOptions) => {
    if (report !== undefined) return writeReport(report, options);
    if ((options.since ?? options.until) !== undefined) throw new UsageError('--since and --until are for --report');
    const { events } = connect(options);
    const show = (event: Event) => (options.json ? print(event) : printLine(lineOf(event)));
    if (follow) for await (const event of events.follow(after)) show(event);
    for (let page = await events.after(after); page.length > 0; page = await events.after(page.at(-1)!.id)) {
      page.forEach(show);
    }
  });
}

/** The latest event first. */
async function writeReport(file: string, options: Omit<EventsOptions, 'after'>): Promise<void> {
  const report = reports[extname(file).toLowerCase()];
  if (!report) throw new UsageError(`--report: expected a file that ends with .html or .csv, got ${file}`);
  const { since, until = new Date().toISOString() } = options;
  const { events } = connect(options);
  const period = { ...(since !== undefined && { since }), until };
  const counts = new Map<string, number>();
  for await (const { search_id, decision } of events.reviewed(period)) {
    const what = [search_id, decision].filter(Boolean).join(': ');
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  await writeWhole(file, async (out) => {
    const title = `${counted(total, 'event')} ${since === undefined ? '' : `from ${since} `}until ${until}`;
    out.write(report.begin(title, counts));
    for await (const event of events.reviewed({ ...period, pictures: true })) {
      if (!out.write(report.event(event))) await once(out, 'drain');
    }
    out.write(report.end);
  });
  printOutcome(options.json, { events: total, file }, `${counted(total, 'event')} in ${file}`);
}

function lineOf({ id, at, search_id, watched_in, hash, image_id, decision, similarity, count }: Event): string {
  const times = count > 1 ? `, ${count} times` : '';
  const by = watched_in?.image_id ?? hash?.label ?? hash?.pdq;
  const how = hash ? counted(hash.distance, 'bit') : decision;
  return `${id}  ${at}  ${search_id} found ${image_id}${by ? ` by ${by}` : ''}: ${how ? `${how}, ` : ''}${similarity} %${times}`;
}
