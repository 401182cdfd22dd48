/** A job in a child process. */
export interface Job {
  readonly tenant: number;
  stop(): void;
  resume(): void;
}

/** Milliseconds that a job runs before a stopped job may run. */
const SLICE = 20;
/** Milliseconds that a job is stopped at most, whatever the others have used. One slice makes up for as much. */
const LONGEST_STOP = 250;
/** Milliseconds of work by which a tenant that has used little may be ahead of those that have used much. */
const CREDIT = 500;

/**
 * Shares slots among more jobs than there are slots. The jobs of the tenants that have used the least time run; the
 * others are stopped until they may run. So a tenant that needs little does not wait for the end of the jobs of another. A
 * tenant that returns counts as having used as much as the tenants that are running, less the credit. No job is stopped
 * for long, whatever the number of others.
 *
 * K. J. Duda, D. R. Cheriton, "Borrowed-virtual-time (BVT) scheduling", SOSP 1999.
 */
export class Scheduler {
  readonly #slots: number;
  /** In the order they began. */
  readonly #jobs = new Set<Job>();
  readonly #stopped = new Set<Job>();
  /** Milliseconds that each job was stopped and has not been made up for. */
  readonly #missed = new WeakMap<Job, number>();
  /** Milliseconds that each tenant has used. */
  readonly #used = new Map<number, number>();
  #counted = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(slots: number) {
    this.#slots = slots;
  }

  /** Those that run or are stopped. */
  get jobs(): ReadonlySet<Job> {
    return this.#jobs;
  }

  begin(job: Job): void {
    this.#count();
    const least = Math.min(...[...this.#jobs].map(({ tenant }) => this.#used.get(tenant)!));
    if (this.#jobs.size === 0) this.#used.clear();
    const used = this.#used.get(job.tenant) ?? 0;
    this.#used.set(job.tenant, this.#jobs.size === 0 ? used : Math.max(used, least - CREDIT));
    this.#jobs.add(job);
    this.#missed.set(job, 0);
    this.#schedule();
  }

  end(job: Job): void {
    this.#count();
    this.#jobs.delete(job);
    if (this.#stopped.delete(job)) job.resume(); // it may have been done just before it was stopped
    this.#schedule();
  }

  /** Stops and resumes jobs. */
  #schedule(): void {
    clearTimeout(this.#timer);
    const virtualTime = (job: Job) => (this.#missed.get(job)! > LONGEST_STOP ? 0 : this.#used.get(job.tenant)!);
    const ordered = [...this.#jobs].sort((a, b) => virtualTime(a) - virtualTime(b));
    const slots = this.#slotsFor(ordered);
    for (const job of ordered.slice(slots)) {
      if (!this.#stopped.has(job)) job.stop();
      this.#stopped.add(job);
    }
    for (const job of ordered.slice(0, slots)) if (this.#stopped.delete(job)) job.resume();
    if (this.#stopped.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#count();
      this.#schedule();
    }, SLICE);
  }

  /**
   * One slot fewer while the first job is of a tenant that has used far less than that of the next: the server's own
   * threads, which read requests and search, then do not take the processor from it.
   */
  #slotsFor([first, second]: readonly Job[]): number {
    if (!first || !second) return this.#slots;
    const ahead = this.#used.get(second.tenant)! - this.#used.get(first.tenant)!;
    return ahead > CREDIT / 2 ? Math.max(1, this.#slots - 1) : this.#slots;
  }

  /** Adds the time since the last call to the time used by running jobs and to the time missed by stopped ones. */
  #count(): void {
    const now = performance.now();
    const passed = now - this.#counted;
    for (const job of this.#jobs) {
      const missed = this.#missed.get(job)!;
      if (this.#stopped.has(job)) {
        this.#missed.set(job, missed + passed);
      } else {
        this.#used.set(job.tenant, this.#used.get(job.tenant)! + passed);
        this.#missed.set(job, Math.max(0, missed - (passed * LONGEST_STOP) / SLICE));
      }
    }
    this.#counted = now;
  }
}
