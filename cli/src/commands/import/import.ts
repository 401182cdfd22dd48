import { createHash } from 'node:crypto';
import { appendFileSync, writeFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { ConnectionError, errorCodes, SosiaError } from '@sosia/client';
import type { Grade, NewImage } from '@sosia/client';
import { Command, Option } from 'commander';
import { addConnection, connect, whole } from '../../connection/connection.ts';
import type { ConnectionOptions } from '../../connection/connection.ts';
import { withHelp } from '../../help.ts';
import { Journal } from '../../journal.ts';
import { print, logLine, visible } from '../../terminal/output.ts';
import { progress } from '../../terminal/progress.ts';
import { LEADS_OUT, LINKED_FOLDER } from '../../sources/folder.ts';
import { planOf } from '../../sources/plan.ts';
import type { Entry, Passed, Plan } from '../../sources/plan.ts';
import { writeFields, writeTable } from '../../terminal/table.ts';

interface ImportOptions extends ConnectionOptions {
  readonly parallel: number;
  readonly keywordsFrom?: 'folders';
  readonly setKeywords?: boolean;
  readonly dryRun?: boolean;
  readonly report?: string;
}

export function importCommand(): Command {
  const command = new Command('import')
    .description('Add a folder of pictures, or the pictures of a list, to an application of a running service.')
    .argument('<source>', 'a folder, FILE.csv or FILE.jsonl');
  return withHelp(
    addConnection(command, ['modify'])
      .addOption(new Option('--parallel <N>', 'Concurrent uploads, 1 to 64.').argParser(whole(1, 64)).default(4))
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
        'The id of a picture is its path below the folder, with _ instead of any ;. A CSV has the columns image_id, path, keywords, named in its first line. Keywords are separated by ;, and without an image_id the path is the id. JSONL has the same fields, with keywords as a list. Lines with image_id and dna, as written by `sosia export`, need no file. Paths are relative to the folder of the list.',
        'The same command resumes an interrupted import: REPORT.journal, beside the report, records the progress until the end of the import. An existing id counts as done. A link out of the folder is skipped and reported. The report also lists files that are no pictures, and added pictures that are hard to match; neither is a failure.',
      ],
    },
  ).action((source: string, options: ImportOptions) => importAll(source, options));
}

async function importAll(source: string, options: ImportOptions): Promise<void> {
  const plan = await planOf(source, options.keywordsFrom === 'folders');
  const leadingOut = plan.passed.filter(({ why }) => why === LEADS_OUT);
  const links = plan.passed.filter(({ why }) => why === LEADS_OUT || why === LINKED_FOLDER);
  for (const { path, why } of links.slice(0, SHOWN)) logLine(visible(`${path}: ${why}, skipped`));
  if (links.length > SHOWN) logLine(`and ${links.length - SHOWN} more links, skipped`);
  if (options.dryRun) return foretell(plan, options.json ?? false);
  const sosia = connect(options);
  if (!(await sosia.writable()))
    throw new Error('the application accepts no changes now; the log of the server has the reason');

  const report = options.report ?? `${basename(resolve(source))}.import.jsonl`;
  const application = createHash('sha256').update(options.app).digest('hex').slice(0, 16);
  const journal = new Journal<string>(`${report}.journal`, 'import', {
    source: resolve(source),
    application,
    modify: options.modifyUrl,
  });
  writeFileSync(report, plan.passed.map((each) => `${JSON.stringify(each)}\n`).join(''));

  const known = new Set(journal.lines);
  const copies = new Map<string, string>();
  const left = plan.entries.filter(({ id }) => !known.has(id)).map((entry) => toSend(entry, copies));
  const before = plan.entries.length - left.length;
  if (before > 0) logLine(`going on with ${journal.path}: ${before} of ${plan.entries.length} are done`);
  const count = { added: 0, exists: 0, failed: 0, weak: 0, copies: 0, keywords: 0 };
  const failures = plan.passed.filter(({ fault }) => fault);
  const started = performance.now();
  const bar = progress('adding pictures', left.length);
  const stopped = stopSign();
  let fatal: unknown;
  for await (const { item, outcome, grade, error } of sosia.addAll(left, { parallel: options.parallel })) {
    if (outcome === 'failed' && endsAll(error)) {
      fatal = error;
      break;
    }
    if (outcome === 'exists' && options.setKeywords) {
      await sosia.setKeywords(item.id, item.keywords);
      count.keywords++;
    }
    count[outcome]++;
    if (outcome === 'added' && item.copyOf() !== undefined) {
      count.copies++;
      const why = `the same file as ${item.copyOf()}`;
      appendFileSync(
        report,
        `${JSON.stringify({ path: item.path ?? item.id, image_id: item.id, why, fault: false })}\n`,
      );
    }
    if (outcome === 'failed') {
      const failure = failureOf(item, error);
      failures.push(failure);
      appendFileSync(report, `${JSON.stringify(failure)}\n`);
    } else journal.add(item.id);
    if (grade && isWeak(grade)) {
      count.weak++;
      appendFileSync(report, `${JSON.stringify(weaknessOf(item, grade))}\n`);
    }
    bar.step();
    if (stopped()) break;
  }
  bar.end();

  const done = before + count.added + count.exists;
  const open = plan.entries.length - done - count.failed;
  if (open > 0) {
    const why = fatal ? (fatal as Error).message : 'stopped';
    throw new Error(
      `${why}\n${done} of ${plan.entries.length} pictures are added; the same command adds the rest (${journal.path})`,
    );
  }
  journal.remove();
  const seconds = (performance.now() - started) / 1000;
  const summary = {
    added: count.added,
    there_before: before + count.exists,
    failed: failures.length,
    ...(options.setKeywords && { keywords_set: count.keywords }),
    ...(count.copies > 0 && { identical_copies: count.copies }),
    hard_to_match: count.weak,
    no_pictures: plan.passed.filter(({ fault, why }) => !fault && why !== LEADS_OUT).length,
    links_out: leadingOut.length,
    seconds: Number(seconds.toFixed(1)),
    report,
  };
  if (options.json) print(summary);
  else show(summary, failures);
  if (failures.length > 0) throw new Error(`${failures.length} failed; ${report} lists them with the reasons`);
}

/** Failures printed at the end of a run; the report has all of them. */
const SHOWN = 5;

interface Summary extends Readonly<Record<string, number | string>> {
  readonly added: number;
  readonly seconds: number;
}

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
  const rows = entries.map(({ id, keywords }) => ['add', id, keywords.join('; ')]);
  const others = passed.map(({ path, why, fault }) => [fault ? 'fail' : 'skip', path, why]);
  if (rows.length + others.length > 0) writeTable(['', 'id or path', 'keywords, or why not'], [...rows, ...others]);
  logLine(`${rows.length} would be added, ${others.length} would not; nothing was sent`);
}

/** `copyOf`: the id of a picture that this import sent before from the same bytes. */
type ToSend = Entry & NewImage & { readonly copyOf: () => string | undefined };

const LARGEST_FILE = 20_000_000;

/**
 * Reads a file right before its upload; a file that the service would refuse for its length is not sent.
 * @param sent  the id of the first picture by the digest of its file
 */
function toSend(entry: Entry, sent: Map<string, string>): ToSend {
  let first: string | undefined;
  const read = async (): Promise<{ picture: Uint8Array } | { dna: Uint8Array }> => {
    if (entry.dna) return { dna: await entry.dna() };
    const { size } = await stat(entry.path!);
    if (size > LARGEST_FILE) throw new Error(`expected at most ${LARGEST_FILE} bytes, got ${size}`);
    const picture = await readFile(entry.path!);
    const digest = createHash('sha256').update(picture).digest('base64');
    first = sent.get(digest);
    if (first === undefined) sent.set(digest, entry.id);
    return { picture };
  };
  return { ...entry, read, copyOf: () => (first === entry.id ? undefined : first) };
}

const { UNKNOWN_APPLICATION, STORE_WRITE_FAILED, STORE_READ_ONLY, STORE_FULL } = errorCodes;
const ofTheService: readonly number[] = [UNKNOWN_APPLICATION, STORE_WRITE_FAILED, STORE_READ_ONLY, STORE_FULL];

/** Whether every further picture would fail in the same way. */
function endsAll(error: unknown): boolean {
  if (error instanceof SosiaError) return error.http === 503 || ofTheService.includes(error.code);
  return error instanceof ConnectionError;
}

function failureOf({ id, path }: Entry, error: unknown): Passed {
  const code = error instanceof SosiaError ? { code: error.code } : {};
  return { path: path ?? id, image_id: id, ...code, why: (error as Error).message, fault: true };
}

/** Grades up to here mean that a picture is found only if much of it shows. */
const WEAK = 1;

function isWeak({ grade }: Grade): boolean {
  return grade !== null && grade <= WEAK;
}

function weaknessOf({ id, path }: Entry, { grade, reasons }: Grade): Passed {
  return { path: path ?? id, image_id: id, grade, why: `hard to match: ${reasons.join(', ')}`, fault: false };
}

/** Becomes true at the first interrupt of the terminal; the second one ends the process. */
function stopSign(): () => boolean {
  let stopped = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (stopped = true));
  return () => stopped;
}
