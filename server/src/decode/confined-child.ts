import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { parse } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Failure, fail, type ErrorName } from '../errors.ts';
import { readFrames, writeFrame, type Frame } from './frames.ts';
import { watch, type Lateness } from './watchdog.ts';

/** Seconds of processor time: ends a child that the server, killed in a bad moment, could not end. */
const CPU_LIMIT = 3600;

/** Limits first; where a system knows one of them not, the others still hold. `exec` keeps the process one process. */
const start = `
ulimit -c 0 2>/dev/null
ulimit -d "$1" 2>/dev/null
ulimit -t ${CPU_LIMIT} 2>/dev/null
echo 500 2>/dev/null >/proc/self/oom_score_adj
shift
exec nice -n 5 "$@"`;

/** Nothing of the server's environment: it may hold secrets. */
const environment = {
  MALLOC_ARENA_MAX: '2',
  UV_THREADPOOL_SIZE: '2',
  VIPS_BLOCK_UNTRUSTED: '1',
  VIPS_WARNING: '0',
};

/** A kind of child: what it runs and within which bounds, and how its answers are read. */
export interface Trade<A> {
  readonly script: URL;
  /** Kilobytes of heap, stacks and anonymous memory; reservations do not count, so V8 and WebAssembly live with it. */
  readonly dataLimit: number;
  /** Most bytes behind the head of an answer. */
  readonly largestAnswer: number;
  /** The frame as an answer to what was asked. Throws for anything that no sound child says. */
  check(frame: Frame, asked: string): A;
  /** What it is where the time is over, and where the child ends. */
  readonly failures: { readonly late: ErrorName; readonly crashed: ErrorName };
}

/** What a child said; `body` belongs to it. */
export interface Heard<A> {
  readonly answer: A;
  readonly body: Uint8Array;
}

/** A confined child process as the server sees it. It takes one question at a time. */
export class Child<A extends { readonly rss: number }> {
  /** Resolves to whether it can be asked; false where it ended before. */
  readonly ready: Promise<boolean>;
  /** Resolves once the process is gone, to how it went. */
  readonly ended: Promise<string>;
  answered = 0;
  /** Resident memory after the last answer, in bytes. */
  memory = 0;
  readonly #trade: Trade<A>;
  readonly #process: ChildProcess | undefined;
  readonly #answers: AsyncGenerator<Frame>;

  constructor(trade: Trade<A>) {
    const { process, ended } = startConfined(trade);
    this.#trade = trade;
    this.#process = process;
    this.ended = ended;
    process?.stdin?.on('error', () => {}); // a child that is gone shows on its other pipe
    this.#answers = readFrames((process?.stdio?.[3] as Readable | undefined) ?? [], trade.largestAnswer);
    this.ready = this.#hear('start').then(
      () => true,
      () => false,
    );
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /**
   * @param timeLimit  milliseconds, of the clock or, on a busy machine, of processor time; the child is killed when they
   *   are over
   * @param patience  milliseconds of the clock after which it is killed for having got too little of the machine
   * @throws Failure as the trade names it, where it is late, or where the child ended or says what no sound child says;
   *   OVERLOADED where the machine was too busy. The child is of no use afterwards.
   */
  async ask(
    question: { readonly ask: string },
    file: Uint8Array,
    timeLimit: number,
    patience = timeLimit,
  ): Promise<Heard<A>> {
    const { crashed } = this.#trade.failures;
    let late: Failure | undefined;
    const callOff = watch(this.pid!, timeLimit, patience, (how) => {
      late = this.#lateAs(how, timeLimit, patience);
      this.kill();
    });
    try {
      writeFrame(this.#process!.stdin!, question, file);
      const heard = await this.#hear(question.ask);
      this.answered++;
      return heard;
    } catch (cause) {
      this.kill();
      if (late) throw late;
      throw cause instanceof Failure ? cause : fail(crashed, (cause as Error).message);
    } finally {
      callOff();
    }
  }

  kill(): void {
    this.#process?.kill('SIGKILL');
  }

  /** Tells it of another child of the server, so that when the server has died one of them lets all go on and end. */
  meet({ pid: beside }: Child<A>): void {
    if (beside !== undefined && this.#process?.stdin) writeFrame(this.#process.stdin, { beside }, new Uint8Array());
  }

  /** Lets it go on later where it is. Not on Windows. */
  stop(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  #lateAs(how: Lateness, timeLimit: number, patience: number): Failure {
    return how === 'starved'
      ? fail('OVERLOADED', `expected enough of the processor within ${Math.round(patience)} ms`)
      : fail(this.#trade.failures.late, `expected an answer within ${Math.round(timeLimit)} ms, got none`);
  }

  async #hear(asked: string): Promise<Heard<A>> {
    const { done, value } = await this.#answers.next();
    if (done) throw fail(this.#trade.failures.crashed, await this.ended);
    const answer = this.#trade.check(value, asked);
    this.memory = answer.rss;
    return { answer, body: value.body };
  }
}

interface Started {
  /** Without its streams, or not there at all, where the system has no more to give. */
  readonly process?: ChildProcess;
  readonly ended: Promise<string>;
}

function startConfined({ script, dataLimit }: Trade<unknown>): Started {
  const path = fileURLToPath(script);
  const command = [process.execPath, path];
  const [file, ...rest] =
    process.platform === 'win32' ? command : ['sh', '-c', start, 'sh', String(dataLimit), ...command];
  try {
    const child = spawn(file!, rest, {
      cwd: parse(path).root,
      env: environment,
      stdio: ['pipe', 'ignore', 'inherit', 'pipe'],
      windowsHide: true,
    });
    return { process: child, ended: once(child, 'exit').then(inWords, notStarted) };
  } catch (cause) {
    return { ended: Promise.resolve(notStarted(cause as Error)) };
  }
}

function inWords([code, signal]: unknown[]): string {
  return signal ? `it was ended by ${signal}` : `it ended with code ${code}`;
}

function notStarted(cause: Error): string {
  return `it could not be started: ${cause.message}`;
}
