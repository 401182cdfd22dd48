import { Command, Option } from 'commander';
import { addConnection, connect, whole, type ConnectionOptions } from '../connection/connection.ts';
import { withHelp } from '../help.ts';
import { counted, logLine, print } from '../terminal/output.ts';
import { writeTable } from '../terminal/table.ts';

interface MatchesOptions extends ConnectionOptions {
  readonly ids?: readonly string[];
  readonly order: 'found' | 'last';
  readonly count: number;
  readonly start: number;
}

export function matchesCommand(): Command {
  const command = new Command('matches')
    .description('List how often each reference picture was found, and when last.')
    .option('--ids <IDS...>', 'Only these pictures.')
    .addOption(
      new Option('--order <ORDER>', 'The most frequent or the latest first.')
        .choices(['found', 'last'])
        .default('found'),
    )
    .option('--count <N>', 'Number of pictures, 1 to 1000.', whole(1, 1000), 50)
    .option('--start <N>', 'Number of pictures to skip.', whole(0, 999_999_999), 0);
  return withHelp(addConnection(command, ['modify']), {
    examples: ['sosia matches --app KEY', 'sosia matches --app KEY --order last --count 10 --json'],
    notes: ['Searches with an uploaded picture or a DNA count, with the pictures of their answers.'],
  }).action(async ({ ids, order, count, start, ...options }: MatchesOptions) => {
    const { total, images } = await connect(options).review.matchCounts({ order, count, start, ...(ids && { ids }) });
    if (options.json) return images.forEach((image) => print(image));
    logLine(`${counted(total, 'picture')} found at least once`);
    writeTable(
      images.map(({ id, found, clone, match, similar, other, last }) => {
        return { found, Clone: clone, Match: match, Similar: similar, other, last, id };
      }),
    );
  });
}
