import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { extname, parse } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Failure, fail } from '../errors.ts';
import { readFrames, writeFrame, type Frame } from './frames.ts';
import { checkedAnswer, LARGEST_DECODED_SIDE, type Answer, type Done, type Question } from './protocol.ts';

/** Kilobytes of heap, stacks and anonymous memory; reservations do not count, so V8 and WebAssembly live with it. */
const DATA_LIMIT = 400 * 1024;
/** Seconds of processor time: ends a child that the server, killed in a bad moment, could not end. */
const CPU_LIMIT = 3600;
const LARGEST_ANSWER = 3 * LARGEST_DECODED_SIDE ** 2;

/** Limits first; where a system knows one of them not, the others still hold. `exec` keeps the process one process. */
const start = `
ulimit -c 0 2>/dev/null
ulimit -d ${DATA_LIMIT} 2>/dev/null
ulimit -t ${CPU_LIMIT} 2>/dev/null
echo 500 2>/dev/null >/proc/self/oom_score_adj
exec nice -n 5 "$@"`;

const self = fileURLToPath(import.meta.url);
const script = fileURLToPath(new URL(`./child${extname(self)}`, import.meta.url));

/** Nothing of the server's environment: it may hold secrets. */
const environment = {
  MALLOC_ARENA_MAX: '2',
  UV_THREADPOOL_SIZE: '2',
  VIPS_BLOCK_UNTRUSTED: '1',
  VIPS_WARNING: '0',
};

/** What a child said; `body` belongs to it. */
export interface Heard {
  readonly answer: Answer;
  readonly body: Uint8Array;
}

/** A decode child as the server sees it. It takes one question at a time. */
export class DecodeChild {
  /** Resolves to whether it can be asked; false where it ended before. */
  readonly ready: Promise<boolean>;
  /** Resolves once the process is gone, to how it went. */
  readonly ended: Promise<string>;
  answered = 0;
  /** Resident memory after the last answer, in bytes. */
  memory = 0;
  readonly #process: ChildProcess | undefined;
  readonly #answers: AsyncGenerator<Frame>;

  constructor() {
    const { process, ended } = startConfined();
    this.#process = process;
    this.ended = ended;
    process?.stdin?.on('error', () => {}); // a child that is gone shows on its other pipe
    this.#answers = readFrames((process?.stdio?.[3] as Readable | undefined) ?? [], LARGEST_ANSWER);
    this.ready = this.#hear('start').then(
      () => true,
      () => false,
    );
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /**
   * @param timeLimit  milliseconds; the child is killed when they are over
   * @throws Failure DECODE_TIMEOUT, or DECODER_CRASHED where the child ended or says what no sound child says. The
   *   child is of no use afterwards.
   */
  async ask(question: Question, file: Uint8Array, timeLimit: number): Promise<Heard> {
    let late = false;
    const watchdog = setTimeout(() => {
      late = true;
      this.kill();
    }, timeLimit);
    try {
      writeFrame(this.#process!.stdin!, question, file);
      const heard = await this.#hear(question.ask);
      this.answered++;
      return heard;
    } catch (cause) {
      this.kill();
      if (late) throw fail('DECODE_TIMEOUT', `expected an answer within ${Math.round(timeLimit)} ms, got none`);
      throw cause instanceof Failure ? cause : fail('DECODER_CRASHED', (cause as Error).message);
    } finally {
      clearTimeout(watchdog);
    }
  }

  kill(): void {
    this.#process?.kill('SIGKILL');
  }

  async #hear(asked: Done['done']): Promise<Heard> {
    const { done, value } = await this.#answers.next();
    if (done) throw fail('DECODER_CRASHED', await this.ended);
    const answer = checkedAnswer(value, asked);
    this.memory = answer.rss;
    return { answer, body: value.body };
  }
}

interface Started {
  /** Without its streams, or not there at all, where the system has no more to give. */
  readonly process?: ChildProcess;
  readonly ended: Promise<string>;
}

function startConfined(): Started {
  const command = [process.execPath, script];
  const [file, ...rest] = process.platform === 'win32' ? command : ['sh', '-c', start, 'sh', ...command];
  try {
    const child = spawn(file!, rest, {
      cwd: parse(self).root,
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
