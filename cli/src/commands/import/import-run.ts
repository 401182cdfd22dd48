import { createHash } from 'node:crypto';
import { appendFileSync, writeFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { ConnectionError, errorCodes, SosiaError } from '@sosia/client';
import type { Added, NewImage, Sosia } from '@sosia/client';
import type { ConnectionOptions } from '../../connection/connection.ts';
import { Journal } from '../../journal.ts';
import { LEADS_OUT } from '../../sources/folder.ts';
import type { Entry, Passed, Plan } from '../../sources/plan.ts';
import { logLine } from '../../terminal/output.ts';
import { progress } from '../../terminal/progress.ts';

export interface RunOptions extends ConnectionOptions {
  readonly parallel: number;
  readonly setKeywords?: boolean;
  readonly report?: string;
}

export interface Summary extends Readonly<Record<string, number | string>> {
  readonly added: number;
  readonly seconds: number;
  readonly report: string;
}

/** One run of an import: what is left by its journal is sent, and its report lists what is worth a look. */
export class ImportRun {
  readonly #plan: Plan;
  readonly #options: RunOptions;
  readonly #report: string;
  readonly #journal: Journal<string>;
  readonly #failures: Passed[];
  readonly #count = { added: 0, exists: 0, failed: 0, weak: 0, copies: 0, keywords: 0 };
  readonly #left: readonly FileToSend[];
  readonly #started = performance.now();

  constructor(source: string, plan: Plan, options: RunOptions) {
    this.#plan = plan;
    this.#options = options;
    this.#report = options.report ?? `${basename(resolve(source))}.import.jsonl`;
    this.#journal = new Journal<string>(`${this.#report}.journal`, 'import', {
      source: resolve(source),
      application: createHash('sha256').update(options.app).digest('hex').slice(0, 16),
      modify: options.modifyUrl,
    });
    writeFileSync(this.#report, plan.passed.map((each) => `${JSON.stringify(each)}\n`).join(''));
    this.#failures = plan.passed.filter(({ fault }) => fault);
    const done = new Set(this.#journal.lines);
    const sent = new Map<string, string>();
    this.#left = plan.entries.filter(({ id }) => !done.has(id)).map((entry) => fileToSend(entry, sent));
  }

  /** Sends the rest of the plan, or as much of it as the service takes before an interrupt. */
  async send(sosia: Sosia): Promise<void> {
    if (this.#before > 0)
      logLine(`going on with ${this.#journal.path}: ${this.#before} of ${this.#plan.entries.length} are done`);
    const bar = progress('adding pictures', this.#left.length);
    const stopped = stopSign();
    let why = 'stopped';
    for await (const result of sosia.addAll(this.#left, { parallel: this.#options.parallel })) {
      if (result.outcome === 'failed' && endsAll(result.error)) {
        why = result.error!.message;
        break;
      }
      await this.#take(result, sosia);
      bar.step();
      if (stopped()) break;
    }
    bar.end();
    const done = this.#before + this.#count.added + this.#count.exists;
    if (done + this.#count.failed === this.#plan.entries.length) return;
    throw new Error(
      `${why}\n${done} of ${this.#plan.entries.length} pictures are added; the same command adds the rest (${this.#journal.path})`,
    );
  }

  /** Ends the journal of a complete run. */
  finish(): { readonly summary: Summary; readonly failures: readonly Passed[] } {
    this.#journal.remove();
    const { added, exists, copies, keywords, weak } = this.#count;
    const { passed } = this.#plan;
    const seconds = (performance.now() - this.#started) / 1000;
    const summary = {
      added,
      there_before: this.#before + exists,
      failed: this.#failures.length,
      ...(this.#options.setKeywords && { keywords_set: keywords }),
      ...(copies > 0 && { identical_copies: copies }),
      hard_to_match: weak,
      no_pictures: passed.filter(({ fault, why }) => !fault && why !== LEADS_OUT).length,
      links_out: passed.filter(({ why }) => why === LEADS_OUT).length,
      seconds: Number(seconds.toFixed(1)),
      report: this.#report,
    };
    return { summary, failures: this.#failures };
  }

  /** Pictures that an earlier run has sent. */
  get #before(): number {
    return this.#plan.entries.length - this.#left.length;
  }

  async #take({ item, outcome, grade, error }: Added<FileToSend>, sosia: Sosia): Promise<void> {
    if (outcome === 'exists' && this.#options.setKeywords) {
      await sosia.setKeywords(item.id, item.keywords);
      this.#count.keywords++;
    }
    this.#count[outcome]++;
    if (outcome === 'added' && item.copyOf !== undefined) {
      this.#count.copies++;
      const why = `the same file as ${item.copyOf}`;
      this.#list({ path: item.path ?? item.id, image_id: item.id, why, fault: false });
    }
    if (outcome === 'failed') {
      const failure = failureOf(item, error);
      this.#failures.push(failure);
      this.#list(failure);
    } else this.#journal.add(item.id);
    if ((grade?.grade ?? Infinity) <= WEAK) {
      this.#count.weak++;
      const why = `hard to match: ${grade!.reasons.join(', ')}`;
      this.#list({ path: item.path ?? item.id, image_id: item.id, grade: grade!.grade, why, fault: false });
    }
  }

  #list(passed: Passed): void {
    appendFileSync(this.#report, `${JSON.stringify(passed)}\n`);
  }
}

const LARGEST_FILE = 20_000_000;

interface FileToSend extends NewImage {
  readonly keywords: Entry['keywords'];
  readonly path: Entry['path'];
  /** The id of a picture that this import sent before from the same bytes. */
  copyOf?: string;
}

/**
 * Reads a file right before its upload; a file that the service would refuse for its length is not sent.
 * @param sent  the id of the first picture by the digest of its file
 */
function fileToSend({ id, keywords, metadata, path, dna }: Entry, sent: Map<string, string>): FileToSend {
  const read = async (): Promise<{ picture: Uint8Array } | { dna: Uint8Array }> => {
    if (dna) return { dna: await dna() };
    const { size } = await stat(path!);
    if (size > LARGEST_FILE) throw new Error(`expected at most ${LARGEST_FILE} bytes, got ${size}`);
    const picture = await readFile(path!);
    const digest = createHash('sha256').update(picture).digest('base64');
    const first = sent.get(digest) ?? id;
    sent.set(digest, first);
    if (first !== id) file.copyOf = first;
    return { picture };
  };
  const file: FileToSend = { id, keywords, metadata, path, read };
  return file;
}

const { UNKNOWN_APPLICATION, STORE_WRITE_FAILED, STORE_READ_ONLY, STORE_FULL } = errorCodes;
const ofTheService: readonly number[] = [UNKNOWN_APPLICATION, STORE_WRITE_FAILED, STORE_READ_ONLY, STORE_FULL];

/** Whether every further picture would fail in the same way. */
function endsAll(error: unknown): boolean {
  if (error instanceof SosiaError) return error.http === 503 || ofTheService.includes(error.code);
  return error instanceof ConnectionError;
}

function failureOf({ id, path }: FileToSend, error: unknown): Passed {
  const code = error instanceof SosiaError ? { code: error.code } : {};
  return { path: path ?? id, image_id: id, ...code, why: (error as Error).message, fault: true };
}

/** Grades up to here mean that a picture is found only if much of it shows. */
const WEAK = 1;

/** Becomes true at the first interrupt of the terminal; the second one ends the process. */
function stopSign(): () => boolean {
  let stopped = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (stopped = true));
  return () => stopped;
}
