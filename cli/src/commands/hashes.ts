import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { HashQuery, Hashes } from '@sosia/client';
import { Option, type Command } from 'commander';
import { commandsOf, connect, deletes, whole, type ConnectionOptions } from '../connection/connection.ts';
import { groupOf } from '../help.ts';
import { addressOf, idOfFile } from '../sources/ids.ts';
import { counted, print, printLine, printOutcome, visible } from '../terminal/output.ts';
import { writeList } from '../terminal/table.ts';
import { UsageError } from '../usage.ts';
import { writeWhole } from '../whole-file.ts';

const MOST_BITS = 128;

export function hashesCommand(): Command {
  const about = 'Manage lists of PDQ hashes: each added picture that is near to one is an event.';
  const parts = [importCommand(), listCommand(), exportCommand(), searchCommand(), deleteCommand()];
  return groupOf('hashes', about, parts, {
    examples: ['sosia hashes import known.csv --app KEY', 'sosia hashes search photo.jpg --app KEY'],
    notes: ['docs/events.md describes lists of hashes.'],
  });
}

const managing = commandsOf('hashes');

function importCommand(): Command {
  return managing('import', 'Store a list: a hash a line, CSV, or JSON of ThreatExchange.', 'known.csv')
    .argument('<file>', 'the list')
    .option(
      '--id <ID>',
      'Name of the list; a known one is replaced. (default: the path of the file without ./ and ../ before it, of an absolute path the last name)',
    )
    .option('--distance <N>', 'Differing bits up to which a picture is an event. (default: 31)', whole(0, MOST_BITS))
    .action(async (file: string, { id = idOfFile(file), distance, ...options }: Options) => {
      const { hashes } = connect(options);
      const { list, skipped } = await hashes.save(id, readFileSync(file), distance === undefined ? {} : { distance });
      const others = skipped > 0 ? `; left out, since of another kind: ${skipped}` : '';
      printOutcome(options.json, { ...list, skipped }, `imported: ${id}, ${counted(list.nb_hashes, 'hash')}${others}`);
    });
}

interface Options extends ConnectionOptions {
  readonly id?: string;
  readonly distance?: number;
}

function listCommand(): Command {
  return managing('list', 'List the lists.', '--app KEY').action(async (options: ConnectionOptions) => {
    const lists = await connect(options).hashes.lists();
    if (options.json) return lists.forEach((list) => print(list));
    writeList('list', lists, ({ id, nb_hashes, ...rest }) => ({ id, hashes: nb_hashes, ...rest }));
  });
}

function exportCommand(): Command {
  return managing('export', 'Write a list to a file, in the order of its import.', 'known.csv all.csv')
    .argument('<id>', 'its name')
    .argument('<file>', 'where to')
    .addOption(new Option('--format <FORMAT>', 'How.').choices(['csv', 'text', 'json']).default('csv'))
    .action(async (id: string, file: string, { format, ...options }: ConnectionOptions & { format: Format }) => {
      await writeWhole(file, async (out) => {
        for await (const text of pieces(connect(options).hashes, id, format))
          if (!out.write(text)) await once(out, 'drain');
      });
      printOutcome(options.json, { exported: id, file }, `exported: ${id} to ${file}`);
    });
}

type Format = 'csv' | 'text' | 'json';

async function* pieces(hashes: Hashes, id: string, format: Format): AsyncGenerator<string> {
  if (format !== 'json') return yield* hashes.text(id, format);
  let before = '{"data":[';
  for await (const entry of hashes.entries(id)) {
    yield `${before}\n${JSON.stringify(entry)}`;
    before = ',';
  }
  yield `${before === ',' ? '' : before}\n]}\n`;
}

interface SearchOptions extends Options {
  readonly pdq?: string;
  readonly list?: string;
}

function searchCommand(): Command {
  return managing('search', 'Find the hashes that are near to a picture, or to a hash.', 'photo.jpg')
    .argument('[picture]', 'a file or an address')
    .option('--id <ID>', 'Search for a reference picture, by its thumbnail.')
    .option('--pdq <HASH>', 'Search for a hash.')
    .option('--list <ID>', 'In this list alone.')
    .option('--distance <N>', 'Differing bits of a hash. (default: 31)', whole(0, MOST_BITS))
    .action(async (picture: string | undefined, { list, distance, ...options }: SearchOptions) => {
      const narrowing = { ...(list !== undefined && { list }), ...(distance !== undefined && { distance }) };
      const { total, matches } = await connect(options).hashes.search(queryOf(picture, options), narrowing);
      if (options.json) return matches.forEach((match) => print(match));
      for (const { list_id, pdq, distance, label = '' } of matches)
        printLine(visible(`${distance}  ${pdq}  ${list_id}  ${label}`.trimEnd()));
      if (matches.length < total) printLine(`the nearest ${matches.length} of ${total}`);
    });
}

function queryOf(picture: string | undefined, { id, pdq }: SearchOptions): HashQuery {
  if ([picture, id, pdq].filter((each) => each !== undefined).length !== 1)
    throw new UsageError('expected one of a picture, --id and --pdq');
  if (pdq !== undefined) return { pdq };
  if (id !== undefined) return { id };
  return { picture: addressOf(picture!) ?? readFileSync(picture!) };
}

function deleteCommand(): Command {
  const command = managing('delete', 'Delete a list; its events remain.', 'known.csv').argument('<id>', 'its name');
  return deletes(command, ({ hashes }, id) => hashes.delete(id));
}
