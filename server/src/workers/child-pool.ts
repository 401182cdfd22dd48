import { fail } from '../errors.ts';
import type { ChildKind } from './confined-child.ts';
import { NOBODY } from './confinement/launch.ts';
import { measureNames, type Confinement, type Measure } from './confinement/measures.ts';
import { JobQueue, type QueueOptions } from './job-queue.ts';
import { Scheduler } from './scheduler.ts';
import { Supervisor, type ChildSlot, type SupervisorOptions } from './supervisor.ts';

export interface PoolOptions extends QueueOptions, SupervisorOptions {
  /** Jobs that run at a time, each in a child process, which starts when none is idle. */
  readonly children: number;
  /** Whether, once there is a second tenant, one child more may preempt the job of a tenant that has had more. */
  readonly spare: boolean;
}

/** Options that most pools share. */
export const poolDefaults = {
  waiting: 16,
  onDemand: false,
  spare: false,
  lifetime: { answers: Infinity, memory: Infinity },
  user: NOBODY,
  replaced: () => {},
};

interface Job<A extends { readonly rss: number }> {
  readonly tenant: number;
  readonly waitLimit: number;
  start(slot: ChildSlot<A>): Promise<void>;
  reject(cause: unknown): void;
}

/** Runs jobs in child processes of one kind. Tenants are served round robin. */
export class ChildPool<A extends { readonly rss: number }> {
  readonly #options: PoolOptions;
  readonly #queue: JobQueue<Job<A>>;
  readonly #supervisor: Supervisor<A>;
  readonly #scheduler: Scheduler;
  #firstTenant: number | undefined;
  #closed = false;

  constructor(kind: ChildKind<A>, options: PoolOptions) {
    this.#options = options;
    this.#queue = new JobQueue(options);
    this.#supervisor = new Supervisor(kind, options, () => this.#dispatch());
    this.#scheduler = new Scheduler(options.children);
    if (!options.onDemand) this.#supervisor.add();
  }

  /** Resolves once the first child can be given tasks; rejects where it does not start. */
  ready(): Promise<void> {
    return this.#supervisor.ready();
  }

  /** Jobs that wait. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Children without a job. */
  get idle(): number {
    return this.#supervisor.idle;
  }

  /** Children with a job, or starting. */
  get busy(): number {
    return this.#supervisor.children.length - this.idle;
  }

  get pids(): number[] {
    return this.#supervisor.children.flatMap(({ pid }) => pid ?? []);
  }

  /** Which measures hold in every child that was started. */
  get confinement(): Confinement {
    const reports = this.#supervisor.children.flatMap(({ confinement }) => confinement ?? []);
    const holds = (measure: Measure) => [measure, reports.length > 0 && reports.every((each) => each[measure])];
    return Object.fromEntries(measureNames.map(holds)) as Confinement;
  }

  /** @throws Failure OVERLOADED where a job of the tenant would be refused now */
  checkRoomFor(tenant: number): void {
    if (!this.#isFreeFor(tenant)) this.#queue.checkRoomFor(tenant);
  }

  /**
   * @param waitLimit  longest wait for a child, in milliseconds
   * @param work  `waited` is the milliseconds that the job waited
   * @returns rejects with OVERLOADED, SHUTTING_DOWN or what the job throws
   */
  run<T>(tenant: number, waitLimit: number, work: (slot: ChildSlot<A>, waited: number) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(fail('SHUTTING_DOWN'));
    this.#startChildFor(tenant);
    const arrived = performance.now();
    return new Promise((resolve, reject) => {
      const refuse = (cause: unknown): void => reject(this.#closed ? fail('SHUTTING_DOWN') : cause);
      const start = (slot: ChildSlot<A>) => work(slot, performance.now() - arrived).then(resolve, refuse);
      this.#queue.add({ tenant, waitLimit, start, reject: refuse }, this.#isFreeFor(tenant));
      this.#dispatch();
    });
  }

  /** Rejects the jobs that wait or run. Resolves once no child is left. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.clear(fail('SHUTTING_DOWN'));
    await this.#supervisor.close();
  }

  /** Replaces the child of a running job. */
  renew(slot: ChildSlot<A>): Promise<void> {
    return this.#supervisor.renew(slot);
  }

  #dispatch(): void {
    for (let job = this.#next(); job; job = this.#next()) void this.#run(job, this.#supervisor.take()!);
  }

  /** The next job that has an idle child. */
  #next(): Job<A> | undefined {
    if (this.#scheduler.jobs.size < this.#options.children) return this.idle > 0 ? this.#queue.take() : undefined;
    return this.#isSpareFree ? this.#queue.take(this.#served) : undefined;
  }

  #isFreeFor(tenant: number): boolean {
    if (this.#scheduler.jobs.size < this.#options.children) return this.idle > 0;
    return this.#isSpareFree && !this.#served.has(tenant);
  }

  /** When all others work, the spare child takes a job of a tenant without a running job; another child is stopped meanwhile. */
  get #isSpareFree(): boolean {
    return this.#options.spare && this.idle > 0 && this.#scheduler.jobs.size === this.#options.children;
  }

  /** The tenants with a running job. */
  get #served(): ReadonlySet<number> {
    return new Set([...this.#scheduler.jobs].map(({ tenant }) => tenant));
  }

  /** Starts a child where none is idle; the spare one only once there is a second tenant. */
  #startChildFor(tenant: number): void {
    const { spare, children } = this.#options;
    this.#firstTenant ??= tenant;
    const wanted = children + (spare && tenant !== this.#firstTenant ? 1 : 0);
    if (this.idle === 0 && this.#supervisor.children.length < wanted) this.#supervisor.add();
  }

  async #run(job: Job<A>, slot: ChildSlot<A>): Promise<void> {
    const { child } = slot;
    const scheduled = { tenant: job.tenant, stop: () => child.stop(), resume: () => child.resume() };
    this.#scheduler.begin(scheduled);
    await job.start(slot);
    this.#scheduler.end(scheduled);
    this.#supervisor.release(slot, child);
    this.#dispatch();
  }
}
