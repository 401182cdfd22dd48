import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { minimise } from './minimise.ts';
import { inputIn, numberIn } from './note.ts';
import { kindOf, type Finding } from './target.ts';

/** What a child process is to do: search for findings, or execute stored inputs. */
export interface Task {
  readonly target: string;
  /** The file in which the child keeps the input under way. */
  readonly note: string;
  readonly seed: string | number;
  readonly seconds: number;
  /** Without coverage, for comparison. */
  readonly blind?: boolean;
  readonly replay?: readonly string[];
}

export type Report =
  | { readonly executions: number; readonly kept: number; readonly characters: number }
  | { readonly fault: string; readonly input: string; readonly smaller: boolean }
  | { readonly broken: string };

export interface Outcome {
  readonly executions: number;
  readonly kept: number;
  readonly characters: number;
  readonly findings: readonly Finding[];
}

/** One input may take so long, in milliseconds, however busy the machine is; the processor time of targets is bounded closer. */
const HANG = 20_000;
/** Preparing a target may take so long. */
const START = 120_000;
/** Children started to make an input smaller that ends its process. */
const ATTEMPTS = 24;
/** Most milliseconds of that. */
const MINIMISING = 40_000;

/**
 * Runs the task in a child process and watches over it: an input that ends the process or takes for ever is a finding
 * like any other.
 */
export async function watched(task: Omit<Task, 'note'>): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-fuzz-'));
  try {
    const note = join(folder, 'note');
    writeFileSync(note, '');
    const { reports, ended } = await runChild({ ...task, note });
    const broken = reports.flatMap((each) => ('broken' in each ? each.broken : []));
    if (broken.length > 0) throw new Error(`${task.target}: ${broken[0]}`);

    const found = reports.flatMap((each) =>
      'fault' in each ? { fault: each.fault, input: Buffer.from(each.input, 'base64') } : [],
    );
    const figures = reports.flatMap((each) => ('executions' in each ? each : []))[0];
    const { executions = numberIn(note) + 1, kept = 0, characters = 0 } = figures ?? {};
    if (ended === undefined) return { executions, kept, characters, findings: found };

    if (numberIn(note) < 0) throw new Error(`${task.target} could not be prepared: ${ended}`);
    const input = Uint8Array.from(inputIn(note));
    const smaller = task.replay ? input : await smallerKiller(task, input, ended, folder);
    return { executions, kept, characters, findings: [...found, { input: smaller, fault: ended }] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function smallerKiller(
  task: Omit<Task, 'note'>,
  input: Uint8Array,
  ended: string,
  folder: string,
): Promise<Uint8Array> {
  const file = join(folder, 'input');
  const note = join(folder, 'note-of-attempt');
  const end = performance.now() + MINIMISING;
  const fails = async (candidate: Uint8Array): Promise<boolean> => {
    if (performance.now() > end) return false;
    writeFileSync(file, candidate);
    writeFileSync(note, '');
    const again = await runChild({ ...task, note, replay: [file] });
    return kindOf(again.ended ?? '') === kindOf(ended);
  };
  return minimise(input, fails, ATTEMPTS);
}

/** @returns what the child reported, and how it ended unless it ended by itself and well */
function runChild(task: Task): Promise<{ reports: Report[]; ended: string | undefined }> {
  const child = fork(fileURLToPath(new URL('child.js', import.meta.url)), {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: ['--max-old-space-size=1024'],
  });
  const reports: Report[] = [];
  let words = '';
  let hung: string | undefined;
  child.stderr!.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-2000)));
  child.on('message', (message) => reports.push(message as Report));
  child.send(task);

  let last = -1;
  let since = performance.now();
  const look = setInterval(() => {
    const number = numberIn(task.note);
    if (number !== last) [last, since] = [number, performance.now()];
    const limit = last < 0 ? START : HANG;
    if (performance.now() - since < limit) return;
    hung = `no answer within ${limit / 1000} s`;
    child.kill('SIGKILL');
  }, 200);

  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearInterval(look);
      const faulty = reports.some((each) => 'broken' in each);
      const well = code === 0 || faulty;
      resolve({ reports, ended: hung ?? (well ? undefined : `the process ended by ${signal ?? code}\n${words}`) });
    });
  });
}
