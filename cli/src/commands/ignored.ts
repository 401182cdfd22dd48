import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { addConnection, connect } from '../connection/connection.ts';
import type { ConnectionOptions } from '../connection/connection.ts';
import { withHelp } from '../help.ts';
import { idOfFile } from '../sources/ids.ts';
import { counted, logLine, print } from '../terminal/output.ts';
import { writeTable } from '../terminal/table.ts';

export function ignoredCommand(): Command {
  const command = new Command('ignored')
    .description('Manage the ignore list of an application: logos, banners and watermarks that are no match.')
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(deleteCommand());
  return withHelp(command, {
    examples: ['sosia ignored add logo.png --app KEY', 'sosia ignored list --app KEY'],
    notes: ['docs/ignoring.md describes the effect on searches.'],
  });
}

function managing(verb: string, description: string, example: string): Command {
  return withHelp(addConnection(new Command(verb).description(description), ['modify']), { examples: [example] });
}

function addCommand(): Command {
  return managing('add', 'Ignore a picture.', 'sosia ignored add logo.png --app KEY')
    .argument('<file>', 'the picture')
    .option('--id <ID>', 'Its name in the list. (default: its path here, or its name if the path is absolute)')
    .action(async (file: string, { id = idOfFile(file), ...options }: ConnectionOptions & { readonly id?: string }) => {
      await connect(options).review.ignore(id, { picture: readFileSync(file) });
      if (options.json) print({ ignored: id });
      else logLine(`ignored: ${id}`);
    });
}

function listCommand(): Command {
  return managing('list', 'List the ignored pictures.', 'sosia ignored list --app KEY').action(
    async (options: ConnectionOptions) => {
      const ignored = await connect(options).review.ignored();
      if (options.json) return print(ignored);
      logLine(counted(ignored.length, 'ignored picture'));
      const rows = ignored.map(({ id, width, height, added, who }) => [
        id,
        width === null ? '' : `${width} x ${height}`,
        added,
        who,
      ]);
      if (rows.length > 0) writeTable(['id', 'size', 'added', 'who'], rows);
    },
  );
}

function deleteCommand(): Command {
  return managing('delete', 'Ignore a picture no longer.', 'sosia ignored delete logo.png --app KEY')
    .argument('<id>', 'its name in the list')
    .action(async (id: string, options: ConnectionOptions) => {
      await connect(options).review.stopIgnoring(id);
      if (options.json) print({ deleted: id });
      else logLine(`no longer ignored: ${id}`);
    });
}
