import { Command, Option } from 'commander';
import { addConnection, connect, whole } from '../../connection/connection.ts';
import { withHelp } from '../../help.ts';
import { print, logLine, visible } from '../../terminal/output.ts';
import { LEADS_OUT, LINKED_FOLDER } from '../../sources/folder.ts';
import { planOf, type Passed, type Plan } from '../../sources/plan.ts';
import { writeFields, writeTable } from '../../terminal/table.ts';
import { ImportRun, type RunOptions, type Summary } from './import-run.ts';

interface ImportOptions extends RunOptions {
  readonly keywordsFrom?: 'folders';
  readonly dryRun?: boolean;
}

export function importCommand(): Command {
  const command = new Command('import')
    .description('Add a folder of pictures, or the pictures of a list, to an application of a running service.')
    .argument('<source>', 'a folder, FILE.csv or FILE.jsonl');
  return withHelp(
    addConnection(command, ['modify'])
      .option('--parallel <N>', 'Concurrent uploads, 1 to 64.', whole(1, 64), 16)
      .addOption(new Option('--keywords-from <WHAT>', 'The names of the folders as keywords.').choices(['folders']))
      .option('--set-keywords', 'Replace the keywords of pictures whose ids exist.')
      .option('--dry-run', 'Show what would be added, and add nothing.')
      .option(
        '--report <FILE>',
        'File for the list of failures and skipped files, as JSONL. (default: SOURCE.import.jsonl here)',
      ),
    {
      examples: [
        'sosia import pictures/ --app KEY',
        'sosia import pictures/ --app KEY --keywords-from folders --dry-run',
        'sosia import list.csv --app KEY --parallel 8 --report problems.jsonl',
        'SOSIA_KEY=KEY sosia import pictures/ --json',
      ],
      notes: [
        'The id of a picture is its path below the folder, with _ instead of any ;. A CSV has the columns image_id, path, keywords, named in its first line; columns metadata.NAME become metadata. Keywords are separated by ;, and without an image_id the path is the id. JSONL has the same fields, with keywords as a list and metadata as an object. Lines with image_id and dna, as written by `sosia export`, need no file. Paths are relative to the folder of the list.',
        'The same command resumes an interrupted import: REPORT.journal, beside the report, records the progress until the end of the import. An existing id counts as done. A link out of the folder is skipped and reported. The report also lists files that are no pictures, and added pictures that are hard to match; neither is a failure.',
      ],
    },
  ).action((source: string, options: ImportOptions) => importAll(source, options));
}

async function importAll(source: string, options: ImportOptions): Promise<void> {
  const plan = await planOf(source, options.keywordsFrom === 'folders');
  const links = plan.passed.filter(({ why }) => why === LEADS_OUT || why === LINKED_FOLDER);
  for (const { path, why } of links.slice(0, SHOWN)) logLine(visible(`${path}: ${why}, skipped`));
  if (links.length > SHOWN) logLine(`and ${links.length - SHOWN} more links, skipped`);
  if (options.dryRun) return foretell(plan, options.json ?? false);
  const sosia = connect(options);
  if (!(await sosia.writable()))
    throw new Error(
      'the application accepts no changes now: it was moved to another place, or the log of the server has the reason',
    );

  const run = new ImportRun(source, plan, options);
  await run.send(sosia);
  const { summary, failures } = run.finish();
  if (options.json) print(summary);
  else show(summary, failures);
  if (failures.length > 0) throw new Error(`${failures.length} failed; ${summary.report} lists them with the reasons`);
}

/** Failures printed at the end of a run; the report has all of them. */
const SHOWN = 5;

function show(summary: Summary, failures: readonly Passed[]): void {
  const { added, seconds } = summary;
  const rate = added > 0 && seconds > 0 ? ` (${(added / seconds).toFixed(1)} a second)` : '';
  const fields: [string, string][] = Object.entries(summary).map(([name, value]) => [
    name.replaceAll('_', ' '),
    name === 'seconds' ? `${value}${rate}` : String(value),
  ]);
  writeFields(Object.fromEntries(fields));
  for (const { path, why } of failures.slice(0, SHOWN)) logLine(visible(`${path}: ${why}`));
  if (failures.length > SHOWN) logLine(`and ${failures.length - SHOWN} more`);
}

function foretell({ entries, passed }: Plan, json: boolean): void {
  if (json) {
    const plain = entries.map(({ id, keywords, path }) => ({ image_id: id, path, keywords }));
    return print({ would_add: plain, passed });
  }
  const line = (what: string, which: string, words: string) => ({
    '': what,
    'id or path': which,
    'keywords, or why not': words,
  });
  const rows = entries.map(({ id, keywords }) => line('add', id, keywords.join('; ')));
  const others = passed.map(({ path, why, fault }) => line(fault ? 'fail' : 'skip', path, why));
  writeTable([...rows, ...others]);
  logLine(`${rows.length} would be added, ${others.length} would not; nothing was sent`);
}
