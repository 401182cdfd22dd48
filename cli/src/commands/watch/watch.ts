import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { typeDefinitions, type ApplicationType } from '@sosia/engine';
import type { Entry } from '@sosia/server/sources/entries';
import { FolderKind } from '@sosia/server/sources/folder';
import { Pass, type Outcome, type Progress } from '@sosia/server/sources/follower';
import { changesOf, planOf } from '@sosia/server/sources/plan';
import type { Source } from '@sosia/server/sources/source';
import { Command, Option } from 'commander';
import { addConnection, connect, whole, type ConnectionOptions } from '../../connection/connection.ts';
import { withHelp } from '../../help.ts';
import { counted, logLine, print, printLine, visible } from '../../terminal/output.ts';
import { agrees } from '../../terminal/question.ts';
import { writeFields } from '../../terminal/table.ts';
import { UsageError } from '../../usage.ts';
import { ServiceReceiver } from './service-receiver.ts';
import { StateFile } from './state-file.ts';

/** Milliseconds between two lines that say how far a pass has come. */
const PROGRESS_MS = 10_000;
/** Milliseconds for the description of a picture. */
const PATIENCE = 60_000;

interface WatchOptions extends ConnectionOptions {
  readonly prefix: string;
  readonly keyword: readonly string[];
  readonly interval: number;
  readonly parallel: number;
  readonly dna?: ApplicationType;
  readonly once?: boolean;
  readonly dryRun?: boolean;
  readonly removals: number;
  readonly state?: string;
}

export function watchCommand(): Command {
  const types = Object.entries(typeDefinitions).flatMap(([type, { traits }]) => (traits.references ? type : []));
  const command = new Command('watch')
    .description('Follow a folder of this machine: its pictures come to an application, change and leave it.')
    .argument('<folder>', 'with the folders inside')
    .addOption(new Option('--dna <TYPE>', 'Send DNA alone, for an application of this type.').choices(types))
    .option('--prefix <TEXT>', 'Beginning of each image_id.', '')
    .option('--keyword <WORDS...>', 'Keywords of new pictures.', [])
    .option('--interval <SECONDS>', 'Seconds between two passes.', whole(1, 31_536_000), 10)
    .option('--parallel <N>', 'Concurrent uploads, 1 to 64.', whole(1, 64), 4)
    .option('--once', 'End after one pass.')
    .option('--dry-run', 'Say what a pass would do, and change nothing.')
    .option('--removals <N>', 'Agree to as many removals at the start.', whole(0, 999_999_999), 0)
    .option('--state <FILE>', 'File for what is known of the folder. (default: FOLDER.watch.jsonl here)');
  return withHelp(addConnection(command, ['modify', 'query']), {
    examples: [
      'sosia watch pictures/ --app KEY --dry-run',
      'sosia watch pictures/ --app KEY --keyword studio --once',
      'sosia watch pictures/ --app KEY --dna media-matching --once',
    ],
    notes: [
      'Without --once it follows the folder until it is ended. The same command resumes after an interruption. docs/sources.md says what is followed, and which removals need an answer.',
    ],
  }).action((folder: string, options: WatchOptions) => watch(folder, options));
}

async function watch(folder: string, options: WatchOptions): Promise<void> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`there is no folder ${folder}`);
  const path = await realpath(folder);
  const source = await new FolderKind([path]).open({ path });
  const application = createHash('sha256').update(options.app).digest('hex').slice(0, 16);
  const run = { folder: path, application, modify: options.modifyUrl, prefix: options.prefix };
  const file = options.state ?? `${basename(path)}.watch.jsonl`;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  if (options.dryRun) {
    const known = existsSync(file) ? await new StateFile(file, run).all() : new Map<string, Entry>();
    return foretell(source, known, options, stop.signal);
  }
  const entries = new StateFile(file, run);
  const decoder = options.dna && (await startDecoder(options.parallel));
  const describe = decoder && ((content: Uint8Array) => decoder.describe(content, options.dna!, 'reference', 0, {}));
  const receiver = new ServiceReceiver(connect(options), describe);
  try {
    await new Watch({ source, entries, receiver, options, signal: stop.signal }).run();
  } catch (cause) {
    if (!stop.signal.aborted) throw cause;
  } finally {
    await decoder?.close();
  }
}

/** Loaded where it is used, as decoding needs most of the memory. */
async function startDecoder(children: number) {
  const { Decoder } = await import('@sosia/server/decode/decoder');
  return Decoder.start({ children: Math.min(children, 4), addWaitLimit: PATIENCE, timeLimit: PATIENCE });
}

async function foretell(
  source: Source,
  known: ReadonlyMap<string, Entry>,
  { prefix, json }: WatchOptions,
  signal: AbortSignal,
): Promise<void> {
  const plan = await planOf(source, known, { prefix, retry: false, signal });
  if (plan.fault) throw plan.fault;
  if (json) print(changesOf(plan));
  else writeFields({ ...changesOf(plan) });
}

interface WatchParts {
  readonly source: Source;
  readonly entries: StateFile;
  readonly receiver: ServiceReceiver;
  readonly options: WatchOptions;
  readonly signal: AbortSignal;
}

/** The passes over a folder. */
class Watch {
  readonly #parts: WatchParts;
  #agreed: number;
  /** What was said last, so that it is said once. */
  #said = '';

  constructor(parts: WatchParts) {
    this.#parts = parts;
    this.#agreed = parts.options.removals;
  }

  /** Until the signal; with --once after one pass, which fails where something is left. */
  async run(): Promise<void> {
    const { options, signal } = this.#parts;
    const { once, interval } = options;
    for (;;) {
      const left = await this.#pass().catch((cause: Error) => {
        signal.throwIfAborted();
        return cause.message;
      });
      if (once && left !== '') throw new Error(left);
      if (left !== '' && left !== this.#said) logLine(visible(left));
      this.#said = left;
      if (once) return;
      await pause(1000 * interval, undefined, { signal });
    }
  }

  /** @returns what is left, for people */
  async #pass(): Promise<string> {
    const { source, entries, receiver, signal } = this.#parts;
    const { prefix, keyword: keywords, parallel } = this.#parts.options;
    const options = { prefix, keywords, parallel, batch: parallel, retry: false, agreed: this.#agreed, signal };
    const before = await entries.all();
    const pass = new Pass(receiver, source, entries, { ...options, checkLease: () => {} });
    const reports = setInterval(() => {
      const { done, work } = pass.progress;
      if (work > 0) logLine(`${done} of ${counted(work, 'picture')} are read`);
    }, PROGRESS_MS).unref();
    const outcome = await pass.run().finally(() => clearInterval(reports));
    for (const [id, { key, fault }] of await entries.all()) {
      if (fault && before.get(id)?.fault?.message !== fault.message) logLine(visible(`${key}: ${fault.message}`));
    }
    this.#show(pass.progress, outcome);
    this.#agreed = 0;
    if (outcome.fault) return `${outcome.fault.message}; nothing was removed`;
    return outcome.question ? this.#answered(outcome.question) : '';
  }

  #show(progress: Progress, { pictures, failed }: Outcome): void {
    const { added, changed, moved, removed } = progress;
    if (added + changed + moved + removed === 0 && !this.#parts.options.once) return;
    const counts = { pictures, added, changed, moved, removed, failed };
    if (this.#parts.options.json) return print(counts);
    const text = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
    printLine(text.join(', '));
  }

  async #answered({ removals, of }: NonNullable<Outcome['question']>): Promise<string> {
    const what = `remove ${removals} of ${counted(of, 'picture')}`;
    const refused = `would ${what}; nothing was removed. --removals ${removals} agrees`;
    if (!process.stdin.isTTY || this.#said === refused || !(await agrees(`${what}?`))) return refused;
    this.#agreed = removals;
    return this.#pass();
  }
}
