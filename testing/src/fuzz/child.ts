import { readFileSync } from 'node:fs';
import { randomFor } from '../pictures/random.ts';
import { Coverage } from './coverage.ts';
import { execute, explore } from './explore.ts';
import { minimise } from './minimise.ts';
import { NoteWriter } from './note.ts';
import { kindOf, type Opened } from './target.ts';
import { targets } from './targets/targets.ts';
import type { Report, Task } from './watch.ts';

/** Inputs tried to make a finding smaller. */
const ATTEMPTS = 3000;
/** Most milliseconds of that. */
const MINIMISING = 20_000;
/** Most resident memory of this process, in bytes. */
const LARGEST = 1.5e9;
const LOOK_AT_MEMORY = 64;
/** Most seconds of the clock for a second of processor time. */
const PATIENCE = 4;

const report = (message: Report): void => void process.send!(message);

process.once('message', (task: Task) => {
  work(task).then(
    () => process.exit(0),
    (cause: unknown) => {
      report({ broken: cause instanceof Error ? String(cause.stack) : String(cause) });
      process.exit(1);
    },
  );
});
process.once('disconnect', () => process.exit(1)); // nobody is left to report to

async function work(task: Task): Promise<void> {
  const target = targets.find(({ name }) => name === task.target)!;
  const note = new NoteWriter(task.note);
  // made before anything is executed, for V8 counts the blocks only of what it compiles from then on
  const coverage = task.blind || task.replay ? undefined : new Coverage(target.covers);
  const opened = await target.open();
  try {
    if (task.replay) await replay(opened, target.limit, task.replay, note);
    else await search(opened, coverage, target.limit, task, note);
  } finally {
    note.close();
    await opened.close?.();
  }
}

/** Executes stored inputs one after the other and reports those that fail. */
async function replay(opened: Opened, limit: number, files: readonly string[], note: NoteWriter): Promise<void> {
  for (const [i, file] of files.entries()) {
    const input = readFileSync(file);
    note.write(input, i);
    const fault = await faultOf(opened, input, limit);
    if (fault !== undefined) report({ fault, input: input.toString('base64'), smaller: false });
  }
}

async function search(
  opened: Opened,
  coverage: Coverage | undefined,
  limit: number,
  task: Task,
  note: NoteWriter,
): Promise<void> {
  // processor time, so that as much is tried on a machine with other work
  const begin = process.cpuUsage();
  const last = performance.now() + 1000 * PATIENCE * task.seconds;
  const over = () => {
    const { user, system } = process.cpuUsage(begin);
    return (user + system) / 1e6 > task.seconds || performance.now() > last;
  };
  let memory = 0;
  const { executions, kept, finding } = await explore(opened, {
    random: randomFor('fuzz', task.target, task.seed),
    coverage,
    limit,
    more(executions) {
      if (executions % LOOK_AT_MEMORY === 0) memory = Math.max(memory, process.memoryUsage.rss());
      if (memory > LARGEST) throw new Error(`expected at most ${LARGEST} bytes of memory, took ${memory}`);
      return !over();
    },
    before: (input, executions) => note.write(input, executions),
  });
  report({ executions, kept, characters: coverage?.size ?? 0 });
  if (!finding) return;

  const kind = kindOf(finding.fault);
  const end = performance.now() + MINIMISING;
  let attempts = 0;
  const smallest = await minimise(
    finding.input,
    async (input) => {
      if (performance.now() > end) return false;
      note.write(input, executions + ++attempts);
      return kindOf((await faultOf(opened, input, limit)) ?? '') === kind;
    },
    ATTEMPTS,
  );
  report({ fault: finding.fault, input: Buffer.from(smallest).toString('base64'), smaller: true });
}

async function faultOf(opened: Opened, input: Uint8Array, limit: number): Promise<string | undefined> {
  try {
    await execute(opened, input, limit);
    return undefined;
  } catch (cause) {
    return String(cause instanceof Error ? cause.stack : cause);
  }
}
