import { readFileSync } from 'node:fs';
import type { FileChanges } from '@sosia/client';
import { Command } from 'commander';
import { addConnection, connect, whole, type ConnectionOptions } from '../connection/connection.ts';
import { withHelp } from '../help.ts';
import { counted, print, printLine, logLine, visible } from '../terminal/output.ts';
import { progress } from '../terminal/progress.ts';
import { UsageError } from '../usage.ts';
import { filesOption, report, type FileChoice } from './files.ts';

interface DeleteOptions extends ConnectionOptions {
  readonly from?: string;
  readonly parallel: number;
  readonly files: FileChoice;
}

export function deleteCommand(): Command {
  const command = new Command('delete')
    .description('Delete reference pictures of an application, without a confirmation.')
    .argument('[ids...]', 'ids of pictures')
    .option('--from <FILE>', 'Ids, one per line, or JSONL with image_id or id; - is stdin.')
    .option('--parallel <N>', 'Concurrent requests, 1 to 64.', whole(1, 64), 16)
    .addOption(filesOption());
  return withHelp(addConnection(command, ['modify']), {
    examples: [
      'sosia delete posters/harbour.jpg --app KEY',
      'sosia delete --from old.txt --app KEY',
      'sosia delete --from old.txt --files trash --app KEY',
      'sosia export --keywords 2019 --app KEY | sosia delete --from - --app KEY',
    ],
    notes: ['An unknown id is counted and is no failure, so that an interrupted command can be repeated.'],
  }).action((ids: string[], options: DeleteOptions) => deleteAll(ids, options));
}

/** Deletions that are too fast for a progress bar. */
const FEW = 20;

async function deleteAll(named: readonly string[], options: DeleteOptions): Promise<void> {
  const ids = [...new Set([...named, ...(options.from === undefined ? [] : listed(options.from))])];
  if (named.length === 0 && options.from === undefined) throw new UsageError('Expected ids or --from FILE.');
  const count = { deleted: 0, missing: 0, failed: 0 };
  const bar = ids.length < FEW ? null : progress('deleting', ids.length);
  const missing: string[] = [];
  const failures: string[] = [];
  const files = { changed: 0, kept: [] as FileChanges['kept'][number][] };
  for await (const { id, outcome, error, files: changes } of connect(options).deleteAll(ids, options)) {
    count[outcome]++;
    if (outcome === 'missing') missing.push(id);
    if (outcome === 'failed') failures.push(visible(`${id}: ${(error as Error).message}`));
    files.changed += changes?.changed ?? 0;
    files.kept.push(...(changes?.kept ?? []));
    bar?.step();
  }
  bar?.end();
  if (options.json) print({ ...count, missing_ids: missing, ...(options.files !== 'keep' && { files }) });
  else printLine(`${counted(count.deleted, 'picture')} deleted`);
  for (const id of missing) logLine(`not there: ${visible(id)}`);
  for (const failure of failures) logLine(failure);
  report(options.files, files);
  if (count.failed > 0) throw new Error(`${counted(count.failed, 'picture')} could not be deleted`);
}

function listed(path: string): string[] {
  const lines = readFileSync(path === '-' ? 0 : path, 'utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/);
  return lines.filter((line) => line !== '').map(idIn);
}

/** An id may begin with a brace, so a line that is no JSON object is an id. */
function idIn(line: string): string {
  if (!line.startsWith('{')) return line;
  try {
    const { image_id, id } = JSON.parse(line) as Record<string, unknown>;
    return typeof image_id === 'string' ? image_id : typeof id === 'string' ? id : line;
  } catch {
    return line;
  }
}
