import { setTimeout as sleep } from 'node:timers/promises';
import { recipes, type ApplicationType, type DescribeOptions, type Picture, type Side } from '@sosia/engine';
import { fail, Failure } from '../errors.ts';
import { FairLine } from '../fair-line.ts';
import { Metrics } from '../metrics/metrics.ts';
import type { Heard } from './confined-child.ts';
import { DecodeChild } from './decode-child.ts';
import type { Decoder, Kept, MarkedComparison } from './decoder.ts';
import { LARGEST_FILE, tooLargeFile } from './limits.ts';
import { assertDone, type Answer, type Question } from './protocol.ts';
import { Quarantine } from './quarantine.ts';

export interface DecoderOptions {
  /** Child processes. */
  readonly children: number;
  /** Most requests that wait for a child; one more is refused with OVERLOADED. */
  readonly waiting: number;
  /** Longest wait for a child, in milliseconds; then OVERLOADED. */
  readonly waitLimit: number;
  /**
   * Milliseconds from the request to its answer, the wait included; twice as many for two pictures. On a busy machine
   * processor time counts instead.
   */
  readonly timeLimit: number;
  /** Milliseconds of the clock from the request to OVERLOADED where a child gets too little of a busy machine. */
  readonly patience: number;
  /** Pictures after which a child is replaced. */
  readonly picturesPerChild: number;
  /** Resident bytes over which a child is replaced. */
  readonly memoryPerChild: number;
  readonly metrics: Metrics;
  /** Told what became of a child that ended unasked. */
  report(event: string): void;
}

const usual: Omit<DecoderOptions, 'metrics'> = {
  children: 2,
  waiting: 16,
  waitLimit: 1000,
  timeLimit: 2800, // so that an answer over HTTP is there within 3 s
  patience: 12_000,
  picturesPerChild: 1000,
  memoryPerChild: 300_000_000,
  report: () => {},
};

const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5000;

interface Job {
  readonly question: Question;
  readonly file: Uint8Array;
  readonly arrived: number;
  readonly overdue: NodeJS.Timeout;
  resolve(heard: Heard<Answer>): void;
  reject(cause: unknown): void;
}

/** The decode children and the line in front of them. */
export class DecoderPool implements Decoder {
  readonly #options: DecoderOptions;
  readonly #idle: DecodeChild[] = [];
  readonly #line = new FairLine<Job>();
  readonly #quarantine = new Quarantine();
  readonly #closing = new AbortController();
  /** One entry a place in the pool: the child that has it. */
  readonly #children: DecodeChild[];
  #kept: Promise<void>[] = [];

  private constructor(options: DecoderOptions) {
    this.#options = options;
    this.#children = Array.from({ length: options.children }, () => new DecodeChild());
    const { metrics, waiting } = options;
    metrics.sample('decodeWaiting', () => [[this.#line.length]]);
    metrics.sample('decodeWaitingLimit', () => [[waiting]]);
    metrics.sample('decodeChildren', () => [
      [this.#idle.length, { state: 'idle' }],
      [this.#children.length - this.#idle.length, { state: 'busy' }],
    ]);
  }

  /** Resolves once all children can be asked; rejects where one does not start. */
  static async start(options: Partial<DecoderOptions> = {}): Promise<DecoderPool> {
    const pool = new DecoderPool({ metrics: new Metrics(), ...usual, ...options });
    pool.#kept = pool.#children.map((_, place) => pool.#keep(place));
    const ready = await Promise.all(pool.#children.map((child) => child.ready));
    if (ready.every(Boolean)) return pool;

    const how = await pool.#children[ready.indexOf(false)]!.ended;
    await pool.close();
    throw new Error(`expected the decode child to start, but ${how}`);
  }

  /** Process ids of the children that run. */
  get pids(): number[] {
    return this.#children.flatMap(({ pid }) => pid ?? []);
  }

  async describe(
    content: Uint8Array,
    type: ApplicationType,
    side: Side,
    tenant = 0,
    options: DescribeOptions = {},
  ): Promise<Uint8Array> {
    this.#admit(content);
    const { body } = await this.#ask({ ask: 'describe', type, side, options }, content, tenant);
    recipes[type]!.checkDna(body, side); // nothing that comes from a child is believed
    return Uint8Array.from(body); // on its own, so that typed arrays may look at it
  }

  async keep(content: Uint8Array, type: ApplicationType, tenant = 0, options: DescribeOptions = {}): Promise<Kept> {
    this.#admit(content);
    const { dnaBytes, body } = await this.#ask({ ask: 'keep', type, options }, content, tenant);
    const dna = Uint8Array.from(body.subarray(0, dnaBytes));
    recipes[type]!.checkDna(dna, 'reference');
    return { dna, thumbnail: Uint8Array.from(body.subarray(dnaBytes)) };
  }

  async decode(content: Uint8Array, longestSide: number, tenant = 0): Promise<Picture> {
    this.#admit(content);
    const { size, body } = await this.#ask({ ask: 'decode', longestSide }, content, tenant);
    return { ...size!, rgb: body };
  }

  async compare(reference: Uint8Array, query: Uint8Array, tenant = 0): Promise<MarkedComparison> {
    for (const file of [reference, query]) this.#admit(file);
    const question = { ask: 'compare', referenceBytes: reference.length } as const;
    const { compared, body } = await this.#ask(question, Buffer.concat([reference, query]), tenant);
    const { score, regions, referenceBytes } = compared!;
    return { score, regions, reference: body.subarray(0, referenceBytes), query: body.subarray(referenceBytes) };
  }

  /** What waits or runs is rejected. Resolves once no child is left. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const { overdue, reject } of this.#line.drain()) {
      clearTimeout(overdue);
      reject(fail('SHUTTING_DOWN'));
    }
    for (const child of this.#children) child.kill();
    await Promise.all(this.#kept);
  }

  #admit(file: Uint8Array): void {
    if (this.#closed) throw fail('SHUTTING_DOWN');
    if (file.length > LARGEST_FILE) throw tooLargeFile(file.length);
    if (this.#quarantine.refuses(file)) throw fail('QUARANTINED_PICTURE', 'the same file has stopped two decoders');
  }

  /** @param content  one file, or two of which the pair is quarantined when it stops decoders */
  async #ask(question: Question, content: Uint8Array, tenant: number) {
    if (this.#quarantine.refuses(content)) throw fail('QUARANTINED_PICTURE', 'the same two have stopped two decoders');
    const { answer, body } = await this.#queue(question, content, tenant);
    assertDone(answer);
    return { size: answer.size, compared: answer.compared, dnaBytes: answer.dnaBytes, body };
  }

  #queue(question: Question, file: Uint8Array, tenant: number): Promise<Heard<Answer>> {
    const { waiting, waitLimit } = this.#options;
    return new Promise((resolve, reject) => {
      if (this.#line.length >= waiting && this.#idle.length === 0) {
        const full = fail('OVERLOADED', `expected at most ${waiting} pictures waiting for a decoder`);
        const displaced = this.#line.makeRoomFor(tenant);
        if (!displaced) throw full;
        clearTimeout(displaced.overdue);
        displaced.reject(full);
      }
      const overdue = setTimeout(() => {
        this.#line.remove(job);
        reject(fail('OVERLOADED', `expected a free decoder within ${waitLimit} ms`));
      }, waitLimit);
      const job: Job = { question, file, arrived: performance.now(), overdue, resolve, reject };
      this.#line.push(tenant, job);
      this.#dispatch();
    });
  }

  #dispatch(): void {
    while (this.#line.length > 0 && this.#idle.length > 0) void this.#serve(this.#idle.pop()!, this.#line.shift()!);
  }

  async #serve(child: DecodeChild, job: Job): Promise<void> {
    clearTimeout(job.overdue);
    const { metrics } = this.#options;
    const waited = performance.now() - job.arrived;
    metrics.observe('decodeWaitSeconds', waited / 1000);
    const timeLimit = this.#timeLimit(job.question) - waited;
    const patience = Math.max(timeLimit, this.#options.patience - waited);
    const answer = () => child.ask(job.question, job.file, timeLimit, patience);
    try {
      job.resolve(await metrics.time('decodeSeconds', { work: job.question.ask }, answer));
    } catch (cause) {
      const tooBusy = cause instanceof Failure && cause.error === 'OVERLOADED';
      if (!this.#closed && !tooBusy) this.#quarantine.strike(job.file);
      return job.reject(this.#closed ? fail('SHUTTING_DOWN') : cause);
    }
    if (this.#isWorn(child)) child.kill();
    else this.#offer(child);
  }

  /** Two pictures take twice as long as one. */
  #timeLimit({ ask }: Question): number {
    return ask === 'compare' ? 2 * this.#options.timeLimit : this.#options.timeLimit;
  }

  #offer(child: DecodeChild): void {
    this.#idle.push(child);
    this.#dispatch();
  }

  /** Keeps a place of the pool filled until the pool closes. */
  async #keep(place: number): Promise<void> {
    for (let pause = 0; !this.#closed;) {
      const child = this.#children[place]!;
      const ready = await child.ready;
      if (ready) this.#offer(child);
      const how = await child.ended;
      remove(this.#idle, child);
      if (this.#closed) return;

      const worn = this.#isWorn(child);
      this.#options.metrics.count('decodeRestarts', { reason: worn ? 'worn' : 'lost' });
      if (!worn) this.#options.report(`decode child ${child.pid}: ${how}`);
      // a child that does not even start must not be started in a tight loop
      pause = ready ? 0 : Math.min(LONGEST_PAUSE, pause * 2 || FIRST_PAUSE);
      await sleep(pause, undefined, { signal: this.#closing.signal }).catch(() => {});
      if (!this.#closed) this.#children[place] = new DecodeChild();
    }
  }

  #isWorn({ answered, memory }: DecodeChild): boolean {
    return answered >= this.#options.picturesPerChild || memory > this.#options.memoryPerChild;
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted;
  }
}

function remove<T>(from: T[], item: T): void {
  const at = from.indexOf(item);
  if (at >= 0) from.splice(at, 1);
}
