import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { Failure, fail, type ErrorName } from '../errors.ts';
import { launch } from './confinement/launch.ts';
import { checkedConfinement, type Confinement } from './confinement/measures.ts';
import { readFrames, sendFrame, writeFrame, type Body, type Frame } from './frames.ts';
import { watch, type Lateness } from './watchdog.ts';

/** A kind of child process: its script, its bounds, and how its answers are read. */
export interface ChildKind<A> {
  /** In reports. */
  readonly name: string;
  /** Ends in `serveConfined`. */
  readonly script: URL;
  /** Bytes of heap, stacks and anonymous memory; reservations do not count, so V8 and WebAssembly work with a bound. */
  readonly memory: number;
  /** Most bytes behind the head of an answer. */
  readonly largestAnswer: number;
  /** The frame as the answer to a task. Throws for anything that no sound child sends. */
  check(frame: Frame, task: string): A;
  /** The errors of a child that exceeds its time, and of one that ends. */
  readonly failures: { readonly late: ErrorName; readonly crashed: ErrorName };
}

/** `body` is not shared with anything else. */
export interface Answered<A> {
  readonly answer: A;
  readonly body: Uint8Array;
}

/** The server's end of a confined child process. The child does one task at a time. */
export class ConfinedChild<A extends { readonly rss: number }> {
  /** Resolves to whether the child can be given tasks; false where it ended before. */
  readonly ready: Promise<boolean>;
  /** Resolves once the process has ended, to how it ended. */
  readonly ended: Promise<string>;
  /** Tasks answered. */
  answered = 0;
  /** Resident memory after the last answer, in bytes. */
  memory = 0;
  /** False once the child has ended or was killed. */
  alive = true;
  /** The end of its standard error: for the log, not for clients. */
  readonly stderr: () => string;
  /** Which measures hold; undefined until it is ready. */
  confinement: Confinement | undefined;
  readonly #kind: ChildKind<A>;
  readonly #process: ChildProcess | undefined;
  readonly #answers: AsyncGenerator<Frame, undefined>;

  /** @param user  what the child runs as where the server is root */
  constructor(kind: ChildKind<A>, user: number) {
    const { process, ended, stderr } = launch(kind.script, kind.memory, user);
    this.#kind = kind;
    this.#process = process;
    this.ended = ended.finally(() => (this.alive = false));
    this.stderr = stderr;
    process?.stdin?.on('error', () => {}); // the end of the child shows on its other pipe
    this.#answers = readFrames(answersOf(process) ?? [], kind.largestAnswer);
    this.ready = this.#begin().then(
      () => true,
      () => false,
    );
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /**
   * @param timeLimit  milliseconds, of the clock or, on a busy machine, of processor time; then the child is killed
   * @param patience  milliseconds of the clock after which a child that got too little processor time is killed
   * @throws Failure of the kind where the child is late, ends or answers what no sound child sends; OVERLOADED where the
   *   machine was too busy. The child is killed in all these cases.
   */
  async run(
    task: { readonly kind: string },
    body: Body,
    timeLimit: number,
    patience = timeLimit,
  ): Promise<Answered<A>> {
    const { crashed } = this.#kind.failures;
    if (!(await this.ready)) throw fail(crashed, await this.ended);
    let late: Failure | undefined;
    const callOff = watch(this.pid!, timeLimit, patience, (how) => {
      late = this.#lateness(how, timeLimit, patience);
      this.kill();
    });
    try {
      await sendFrame(this.#process!.stdin!, task, body);
      const answered = await this.#read(task.kind);
      this.answered++;
      return answered;
    } catch (cause) {
      this.kill();
      if (late) throw late;
      throw cause instanceof Failure ? cause : fail(crashed, (cause as Error).message);
    } finally {
      callOff();
    }
  }

  kill(): void {
    this.alive = false;
    this.#process?.kill('SIGKILL');
  }

  /** Sends the process id of another child, so that after the death of the server one child resumes those that are stopped. */
  introduce({ pid: sibling }: ConfinedChild<A>): void {
    if (sibling !== undefined && this.#process?.stdin) writeFrame(this.#process.stdin, { sibling }, new Uint8Array());
  }

  /** Suspends the child until `resume`. Not on Windows. */
  stop(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  #lateness(how: Lateness, timeLimit: number, patience: number): Failure {
    return how === 'starved'
      ? fail('OVERLOADED', `expected enough of the processor within ${Math.round(patience)} ms`)
      : fail(this.#kind.failures.late, `expected an answer within ${Math.round(timeLimit)} ms, got none`);
  }

  async #begin(): Promise<void> {
    const { answer } = await this.#read('start');
    this.confinement = checkedConfinement((answer as { confinement?: unknown }).confinement);
  }

  async #read(task: string): Promise<Answered<A>> {
    const { done, value } = await this.#answers.next();
    if (done) throw fail(this.#kind.failures.crashed, await this.ended);
    const answer = this.#kind.check(value, task);
    this.memory = answer.rss;
    return { answer, body: value.body };
  }
}

/** Undefined where the system had no more processes or descriptors. */
function answersOf(process: Partial<Pick<ChildProcess, 'stdio'>> | undefined): Readable | undefined {
  return process?.stdio?.[3] as Readable | undefined;
}
