import { setTimeout as sleep } from 'node:timers/promises';
import { recipes, type ApplicationType, type DescribeOptions, type Picture, type Side } from '@sosia/engine';
import { fail, Failure } from '../errors.ts';
import { FairQueue } from '../workers/fair-queue.ts';
import { Metrics } from '../metrics/metrics.ts';
import type { Heard } from '../workers/confined-child.ts';
import { NOBODY } from '../workers/confinement/launch.ts';
import { measureNames, type Confinement, type Measure } from '../workers/confinement/measures.ts';
import { DecodeChild } from './decode-child.ts';
import type { Decoder, Kept, MarkedComparison } from './decoder.ts';
import { LARGEST_FILE, tooLargeFile } from './limits.ts';
import { assertDone, type Answer, type Question } from './protocol.ts';
import { Quarantine } from './quarantine.ts';
import { Scheduler } from '../workers/scheduler.ts';

export interface DecoderOptions {
  /** Pictures worked on at a time, each in a child process. */
  readonly children: number;
  /** Whether, once there is more than one tenant, one child more is there for a picture that comes before what others have begun. */
  readonly spare: boolean;
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
  /** The user and group that children run as where the server is root. */
  readonly user: number;
  readonly metrics: Metrics;
  /** Told what became of a child that ended unasked. */
  report(event: string): void;
}

const usual: Omit<DecoderOptions, 'metrics'> = {
  children: 2,
  spare: process.platform !== 'win32', // where no process can be stopped
  waiting: 16,
  waitLimit: 1000,
  timeLimit: 2800, // so that an answer over HTTP is there within 3 s
  patience: 12_000,
  picturesPerChild: 1000,
  memoryPerChild: 300_000_000,
  user: NOBODY,
  report: () => {},
};

const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5000;

interface Job {
  readonly tenant: number;
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
  readonly #line = new FairQueue<Job>();
  readonly #quarantine = new Quarantine();
  readonly #closing = new AbortController();
  /** One entry a place in the pool: the child that has it. The spare one, if it is there, is the last. */
  readonly #children: DecodeChild[] = [];
  readonly #slices: Scheduler;
  #first: number | undefined;
  #kept: Promise<void>[] = [];

  private constructor(options: DecoderOptions) {
    this.#options = options;
    this.#slices = new Scheduler(options.children);
    for (let place = 0; place < options.children; place++) this.#start(place);
    const { metrics, waiting } = options;
    metrics.sample('decodeWaiting', () => [[this.#line.length]]);
    metrics.sample('decodeWaitingLimit', () => [[waiting]]);
    metrics.sample('decodeChildren', () => [
      [this.#idle.length, { state: 'idle' }],
      [this.#children.length - this.#idle.length, { state: 'busy' }],
    ]);
    metrics.sample('confinement', () =>
      Object.entries(this.confinement).map(([measure, holds]) => [Number(holds), { measure }]),
    );
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

  /** Which measures hold in every child that was started. */
  get confinement(): Confinement {
    const reports = this.#children.flatMap(({ confinement }) => confinement ?? []);
    const holds = (measure: Measure) => [measure, reports.length > 0 && reports.every((each) => each[measure])];
    return Object.fromEntries(measureNames.map(holds)) as Confinement;
  }

  expect(tenant: number): void {
    const { waiting } = this.#options;
    if (this.#line.length < waiting || this.#isFreeFor(tenant) || this.#line.canEvictFor(tenant)) return;
    throw this.#full;
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
    recipes[type].checkDna(body, side); // nothing that comes from a child is believed
    return Uint8Array.from(body); // on its own, so that typed arrays may look at it
  }

  async keep(content: Uint8Array, type: ApplicationType, tenant = 0, options: DescribeOptions = {}): Promise<Kept> {
    this.#admit(content);
    const { dnaBytes, body } = await this.#ask({ ask: 'keep', type, options }, content, tenant);
    const dna = Uint8Array.from(body.subarray(0, dnaBytes));
    recipes[type].checkDna(dna, 'reference');
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
    const { referenceBytes, ...told } = compared!;
    return { ...told, reference: body.subarray(0, referenceBytes), query: body.subarray(referenceBytes) };
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
    this.#know(tenant);
    return new Promise((resolve, reject) => {
      if (this.#line.length >= waiting && !this.#isFreeFor(tenant)) {
        const displaced = this.#line.evictFor(tenant);
        if (!displaced) throw this.#full;
        clearTimeout(displaced.overdue);
        displaced.reject(this.#full);
      }
      const overdue = setTimeout(() => {
        this.#line.remove(job);
        reject(fail('OVERLOADED', `expected a free decoder within ${waitLimit} ms`));
      }, waitLimit);
      const job: Job = { tenant, question, file, arrived: performance.now(), overdue, resolve, reject };
      this.#line.push(tenant, job);
      this.#dispatch();
    });
  }

  get #full(): Failure {
    return fail('OVERLOADED', `expected at most ${this.#options.waiting} pictures waiting for a decoder`);
  }

  #dispatch(): void {
    for (let job = this.#next(); job; job = this.#next()) void this.#serve(this.#idle.pop()!, job);
  }

  /** Whose turn it is, if there is a child for it. */
  #next(): Job | undefined {
    const { children, spare } = this.#options;
    if (this.#slices.works.size < children) return this.#idle.length > 0 ? this.#line.shift() : undefined;
    return spare && this.#isSpareFree ? this.#line.shift(this.#served) : undefined;
  }

  #isFreeFor(tenant: number): boolean {
    if (this.#slices.works.size < this.#options.children) return this.#idle.length > 0;
    return this.#isSpareFree && !this.#served.has(tenant);
  }

  /** When all that may work do, the spare child takes a picture of a tenant that none works for; another is stopped meanwhile. */
  get #isSpareFree(): boolean {
    return this.#idle.length > 0 && this.#slices.works.size === this.#options.children;
  }

  /** The tenants that children work for. */
  get #served(): ReadonlySet<number> {
    return new Set([...this.#slices.works].map(({ tenant }) => tenant));
  }

  /** Starts the spare child with the first picture of a second tenant. */
  #know(tenant: number): void {
    const { spare, children } = this.#options;
    this.#first ??= tenant;
    if (!spare || tenant === this.#first || this.#children.length > children) return;
    this.#start(children);
    this.#kept.push(this.#keep(children));
  }

  #start(place: number): void {
    const child = new DecodeChild(this.#options.user);
    for (const other of this.#children.filter((_, at) => at !== place)) {
      other.meet(child);
      child.meet(other);
    }
    this.#children[place] = child;
  }

  async #serve(child: DecodeChild, job: Job): Promise<void> {
    clearTimeout(job.overdue);
    const { metrics } = this.#options;
    const waited = performance.now() - job.arrived;
    metrics.observe('decodeWaitSeconds', waited / 1000);
    const timeLimit = this.#timeLimit(job.question) - waited;
    const patience = Math.max(timeLimit, this.#options.patience - waited);
    const answer = () => child.ask(job.question, job.file, timeLimit, patience);
    const work = { tenant: job.tenant, stop: () => child.stop(), resume: () => child.resume() };
    this.#slices.begin(work);
    try {
      job.resolve(await metrics.time('decodeSeconds', { work: job.question.ask }, answer));
    } catch (cause) {
      const tooBusy = cause instanceof Failure && cause.error === 'OVERLOADED';
      if (!this.#closed && !tooBusy) this.#quarantine.strike(job.file);
      return job.reject(this.#closed ? fail('SHUTTING_DOWN') : cause);
    } finally {
      this.#slices.end(work);
      this.#dispatch();
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
      if (!worn) this.#options.report([`decode child ${child.pid}: ${how}`, child.said()].filter(Boolean).join('; '));
      // a child that does not even start must not be started in a tight loop
      pause = ready ? 0 : Math.min(LONGEST_PAUSE, pause * 2 || FIRST_PAUSE);
      await sleep(pause, undefined, { signal: this.#closing.signal }).catch(() => {});
      if (!this.#closed) this.#start(place);
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
