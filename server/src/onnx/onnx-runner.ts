import type { Picture } from '@sosia/engine';
import { Child, type Trade } from '../workers/confined-child.ts';
import { NOBODY } from '../workers/confinement/launch.ts';
import type { Body } from '../workers/frames.ts';
import { fail } from '../errors.ts';
import { FairQueue } from '../workers/fair-queue.ts';
import { deliveryOf } from './stored-network.ts';
import { checkedAnswer, type AboutNetwork, type Answer, type Question } from './protocol.ts';

export interface OnnxOptions {
  /** Milliseconds for a network to be read and run once. */
  readonly loadLimit: number;
  /** Milliseconds for a picture. */
  readonly scoreLimit: number;
  /** Most milliseconds that a picture waits for its turn; then OVERLOADED. */
  readonly waitLimit: number;
  /** Most pictures that wait; one more is refused with OVERLOADED. */
  readonly waiting: number;
  /** Most bytes of networks that are held ready; beyond, the child is started anew with the one that is asked for. */
  readonly mostHeld: number;
  /** The user and group that the child runs as where the server is root. */
  readonly user: number;
}

const usual: OnnxOptions = {
  loadLimit: 30_000,
  scoreLimit: 2800,
  waitLimit: 5000, // the first picture waits until the network is read
  waiting: 16,
  mostHeld: 128_000_000,
  user: NOBODY,
};

const trade: Trade<Answer> = {
  script: new URL('./onnx.child.js', import.meta.url),
  dataLimit: 1200 * 1024,
  largestAnswer: 0,
  check: checkedAnswer,
  failures: { late: 'NETWORK_FAILED', crashed: 'NETWORK_FAILED' },
};

/** A network of a data folder. */
export interface Source {
  readonly folder: string;
  readonly name: string;
  /** Tells it from others, and from itself before a change. */
  readonly mark: string;
  readonly bytes: number;
}

interface Job {
  run(): Promise<void>;
  readonly overdue: NodeJS.Timeout;
  reject(cause: unknown): void;
}

/**
 * Runs networks in a child process that is started with the first of them: one question at a time, applications in turns.
 * A network that takes too long or too much memory ends the child and nothing else.
 */
export class OnnxRunner {
  readonly #line = new FairQueue<Job>();
  #child: Child<Answer> | undefined;
  /** Bytes by mark, of what the child has. */
  #held = new Map<string, number>();
  #trials = 0;
  #busy = false;
  #closed = false;
  readonly #options: OnnxOptions;

  constructor(options: Partial<OnnxOptions> = {}) {
    this.#options = { ...usual, ...options };
  }

  /** Process id of the child, where there is one. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /**
   * How well a picture fits, in [-1, 1]. Fails with NETWORK_FAILED, NO_NETWORK_RUNTIME, BAD_PROFILE or OVERLOADED.
   */
  score(network: Source, { width, height, rgb }: Picture, tenant = 0): Promise<number> {
    return this.#inTurn(tenant, async () => {
      const { folder, name, mark, bytes } = network;
      if (!this.#held.has(mark)) await this.#load(mark, { length: bytes, pieces: await deliveryOf(folder, name) });
      const question = { ask: 'score', mark: network.mark, size: { width, height } } as const;
      const answer = await this.#ask(question, rgb, this.#options.scoreLimit);
      return (answer as { score: number }).score;
    });
  }

  /** Runs a network on a picture of its own, to see that it can be asked. Fails as `score` does. */
  trial(block: Uint8Array): Promise<AboutNetwork> {
    return this.#inTurn(0, () => this.#load(`trial ${++this.#trials}`, block));
  }

  /** What waits or runs is rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { overdue, reject } of this.#line.drain()) {
      clearTimeout(overdue);
      reject(fail('SHUTTING_DOWN'));
    }
    await this.#end();
  }

  #inTurn<T>(tenant: number, work: () => Promise<T>): Promise<T> {
    const { waiting, waitLimit } = this.#options;
    return new Promise((done, reject) => {
      if (this.#closed) throw fail('SHUTTING_DOWN');
      if (this.#line.length >= waiting) {
        const full = fail('OVERLOADED', `expected at most ${waiting} pictures waiting for a network`);
        const displaced = this.#line.evictFor(tenant);
        if (!displaced) throw full;
        clearTimeout(displaced.overdue);
        displaced.reject(full);
      }
      const overdue = setTimeout(() => {
        this.#line.remove(job);
        reject(fail('OVERLOADED', `expected a network's turn within ${waitLimit} ms`));
      }, waitLimit);
      const job: Job = { run: () => work().then(done, reject), overdue, reject };
      this.#line.push(tenant, job);
      void this.#work();
    });
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (let job = this.#line.shift(); job; job = this.#line.shift()) {
      clearTimeout(job.overdue);
      await job.run();
    }
    this.#busy = false;
  }

  async #load(mark: string, block: Body): Promise<AboutNetwork> {
    const held = [...this.#held.values()].reduce((a, b) => a + b, 0);
    if (held > 0 && held + block.length > this.#options.mostHeld) await this.#end();
    const answer = await this.#ask({ ask: 'load', mark }, block, this.#options.loadLimit);
    this.#held.set(mark, block.length);
    return (answer as { about: AboutNetwork }).about;
  }

  async #ask(question: Question, body: Body, limit: number): Promise<Answer> {
    const child = (this.#child ??= this.#started());
    if (!(await child.ready)) throw this.#lost(await child.ended);
    const { answer } = await child.ask(question, body, limit).catch((cause) => {
      throw this.#closed ? fail('SHUTTING_DOWN') : cause;
    });
    if ('failed' in answer) throw fail(answer.failed, answer.detail);
    if ('fault' in answer) throw new Error(`in the network child: ${answer.fault}`);
    return answer;
  }

  #started(): Child<Answer> {
    const child = new Child(trade, this.#options.user);
    void child.ended.then(() => this.#forget(child));
    return child;
  }

  #forget(child: Child<Answer>): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#held = new Map();
  }

  #lost(how: string): Error {
    return this.#closed ? fail('SHUTTING_DOWN') : fail('NETWORK_FAILED', how);
  }

  async #end(): Promise<void> {
    const child = this.#child;
    child?.kill();
    await child?.ended;
    if (child) this.#forget(child);
  }
}
