import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { commandsOf, connect, deletes, type ConnectionOptions } from '../connection/connection.ts';
import { groupOf } from '../help.ts';
import { idOfFile } from '../sources/ids.ts';
import { print, printOutcome } from '../terminal/output.ts';
import { writeList } from '../terminal/table.ts';

export function ignoredCommand(): Command {
  const about = 'Manage the ignore list of an application: logos, banners and watermarks that are no match.';
  return groupOf('ignored', about, [addCommand(), listCommand(), deleteCommand()], {
    examples: ['sosia ignored add logo.png --app KEY', 'sosia ignored list --app KEY'],
    notes: ['docs/ignoring.md describes the effect on searches.'],
  });
}

const managing = commandsOf('ignored');

function addCommand(): Command {
  return managing('add', 'Ignore a picture.', 'logo.png')
    .argument('<file>', 'the picture')
    .option('--id <ID>', 'Its name in the list. (default: its path here, or its name if the path is absolute)')
    .action(async (file: string, { id = idOfFile(file), ...options }: ConnectionOptions & { readonly id?: string }) => {
      await connect(options).review.ignore(id, { picture: readFileSync(file) });
      printOutcome(options.json, { ignored: id }, `ignored: ${id}`);
    });
}

function listCommand(): Command {
  return managing('list', 'List the ignored pictures.', '--app KEY').action(async (options: ConnectionOptions) => {
    const ignored = await connect(options).review.ignored();
    if (options.json) return print(ignored);
    writeList('ignored picture', ignored, ({ id, width, height, added, who }) => {
      return { id, size: width === null ? '' : `${width} x ${height}`, added, who };
    });
  });
}

function deleteCommand(): Command {
  const command = managing('delete', 'Ignore a picture no longer.', 'logo.png').argument(
    '<id>',
    'its name in the list',
  );
  return deletes(command, ({ review }, id) => review.stopIgnoring(id), 'no longer ignored');
}
