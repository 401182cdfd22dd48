import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { Failure, fail, type ErrorName } from '../errors.ts';
import { launch } from './confinement/launch.ts';
import { checkedConfinement, type Confinement } from './confinement/measures.ts';
import { readFrames, sendFrame, writeFrame, type Body, type Frame } from './frames.ts';
import { watch, type Lateness } from './watchdog.ts';

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
  /** The last that it wrote to standard error: for the log, not for clients. */
  readonly said: () => string;
  /** Which measures hold; undefined until it is ready. */
  confinement: Confinement | undefined;
  /** Resident memory after the last answer, in bytes. */
  memory = 0;
  readonly #trade: Trade<A>;
  readonly #process: ChildProcess | undefined;
  readonly #answers: AsyncGenerator<Frame>;

  /** @param user  what it runs as where the server is root */
  constructor(trade: Trade<A>, user: number) {
    const { process, ended, said } = launch(trade.script, trade.dataLimit, user);
    this.#trade = trade;
    this.#process = process;
    this.ended = ended;
    this.said = said;
    process?.stdin?.on('error', () => {}); // a child that is gone shows on its other pipe
    this.#answers = readFrames((process?.stdio?.[3] as Readable | undefined) ?? [], trade.largestAnswer);
    this.ready = this.#begin().then(
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
    body: Body,
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
      await sendFrame(this.#process!.stdin!, question, body);
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

  async #begin(): Promise<void> {
    const { answer } = await this.#hear('start');
    this.confinement = checkedConfinement((answer as { confinement?: unknown }).confinement);
  }

  async #hear(asked: string): Promise<Heard<A>> {
    const { done, value } = await this.#answers.next();
    if (done) throw fail(this.#trade.failures.crashed, await this.ended);
    const answer = this.#trade.check(value, asked);
    this.memory = answer.rss;
    return { answer, body: value.body };
  }
}
