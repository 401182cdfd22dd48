import { readFileSync } from 'node:fs';
import type { Narrowing, Sosia } from '@sosia/client';
import { Command } from 'commander';
import { bar, swatch } from '../terminal/colours.ts';
import { addConnection, connect, whole, type ConnectionOptions } from '../connection/connection.ts';
import { withHelp } from '../help.ts';
import { addNarrowing, narrowingOf } from '../connection/narrowing.ts';
import { print } from '../terminal/output.ts';
import { writeTable } from '../terminal/table.ts';
import { UsageError } from '../usage.ts';

interface PaletteOptions extends ConnectionOptions, Narrowing {
  readonly id?: string;
  readonly colors?: readonly string[];
  readonly count: number;
}

/** Columns of the longest bar. */
const BAR = 30;

export function paletteCommand(): Command {
  const command = new Command('palette')
    .description('Show the colours of an application, of one of its pictures or of a file. Color similarity.')
    .argument('[file]', 'a picture; the application if missing')
    .option('--id <ID>', 'The colours of a reference picture.')
    .option('--colors <COLORS...>', 'Only pictures that have all of these colours, rrggbb.');
  addNarrowing(command).option('--count <N>', 'Number of colours, 1 to 1000.', whole(1, 1000), 16);
  return withHelp(addConnection(command, ['query']), {
    examples: [
      'sosia palette --app KEY',
      'sosia palette --keywords poster --count 5 --app KEY',
      'sosia palette photo.jpg --app KEY --json',
    ],
    notes: [
      'For an application the list has the number of pictures with each colour, for one picture the share of each colour.',
    ],
  }).action((file: string | undefined, options: PaletteOptions) => palette(file, options));
}

async function palette(file: string | undefined, options: PaletteOptions): Promise<void> {
  if (file !== undefined && options.id !== undefined) throw new UsageError('Expected a file or --id, not both.');
  const { title, colors } = await colorsOf(connect(options), file, options);
  if (options.json) return colors.forEach(({ rgb, value }) => print({ rgb, [title]: value }));
  const most = Math.max(1, ...colors.map(({ value }) => value));
  writeTable(
    colors.map(({ rgb, value }) => {
      return { '': { sequence: swatch(rgb) }, colour: rgb, [title]: value, ' ': bar(value / most, BAR) };
    }),
  );
}

async function colorsOf(sosia: Sosia, file: string | undefined, options: PaletteOptions) {
  if (file === undefined && options.id === undefined) {
    const { colors, count } = options;
    const found = await sosia.palette({ ...narrowingOf(options), ...(colors && { colors }), count });
    return { title: 'pictures', colors: found.map(({ rgb, images }) => ({ rgb, value: images })) };
  }
  const found = await (file === undefined ? sosia.colors(options.id!) : sosia.colorsOf(readFileSync(file)));
  return { title: 'share', colors: found.slice(0, options.count).map(({ rgb, share }) => ({ rgb, value: share })) };
}
