import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { bar } from '../terminal/colours.ts';
import { addConnection, connect, type ConnectionOptions } from '../connection/connection.ts';
import { withHelp } from '../help.ts';
import { messageOf } from '../terminal/message.ts';
import { print, logLine, visible } from '../terminal/output.ts';
import { writeTable } from '../terminal/table.ts';

/** Columns of a bar for a score of 1, a clear case. */
const BAR = 10;

export function classifyCommand(): Command {
  const command = new Command('classify')
    .description('Score pictures by the profiles of an application. Filter.')
    .argument('<files...>', 'pictures');
  return withHelp(addConnection(command, ['query']), {
    examples: ['sosia classify scan.png --app KEY', 'sosia classify *.jpg --app KEY --json'],
    notes: ['A score is positive where a profile fits, about 1 for a clear case, negative where it does not.'],
  }).action((files: string[], options: ConnectionOptions) => classify(files, options));
}

async function classify(files: readonly string[], options: ConnectionOptions): Promise<void> {
  const sosia = connect(options);
  const rows: Record<string, string>[] = [];
  let failed = 0;
  for (const file of files) {
    try {
      const scores = await sosia.classify(readFileSync(file));
      if (options.json) print({ file, scores });
      for (const [profile, score] of Object.entries(scores)) {
        rows.push({ profile, score: score.toFixed(2), '': bar(Math.min(2, Math.max(0, score)), BAR), file });
      }
    } catch (cause) {
      failed++;
      logLine(visible(`${file}: ${messageOf(cause)}`));
    }
  }
  if (!options.json) writeTable(rows);
  if (failed > 0) throw new Error(`${failed} of ${files.length} failed`);
}
