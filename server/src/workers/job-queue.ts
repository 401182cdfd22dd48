import { fail, type Failure } from '../errors.ts';
import { FairQueue } from './fair-queue.ts';

export interface QueueOptions {
  /** Most jobs that wait; one more is refused with OVERLOADED. */
  readonly waiting: number;
  /** What jobs wait for, as refusals name it: `a decoder`, `a free decoder`. */
  readonly resource: { readonly name: string; readonly awaited: string };
}

interface Job {
  readonly tenant: number;
  /** Longest wait, in milliseconds; then OVERLOADED. */
  readonly waitLimit: number;
  reject(cause: unknown): void;
}

/** Bounds the number of jobs that wait and the time they wait. Tenants are served round robin; a full queue refuses the newest job of the largest tenant. */
export class JobQueue<J extends Job> {
  readonly #jobs = new FairQueue<J>();
  readonly #timers = new Map<J, NodeJS.Timeout>();
  readonly #options: QueueOptions;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  get length(): number {
    return this.#jobs.length;
  }

  /** @throws Failure OVERLOADED where a job of the tenant would be refused now */
  checkRoomFor(tenant: number): void {
    if (this.#isFull && !this.#jobs.canEvictFor(tenant)) throw this.#overflow;
  }

  /**
   * @param next  whether the job is taken at once, so that a full queue does not matter
   * @throws Failure OVERLOADED
   */
  add(job: J, next: boolean): void {
    if (this.#isFull && !next) {
      const evicted = this.#jobs.evictFor(job.tenant);
      if (!evicted) throw this.#overflow;
      this.#forget(evicted).reject(this.#overflow);
    }
    const late = () => {
      this.#jobs.remove(job);
      const { awaited } = this.#options.resource;
      this.#forget(job).reject(fail('OVERLOADED', `expected ${awaited} within ${job.waitLimit} ms`));
    };
    this.#timers.set(job, setTimeout(late, job.waitLimit));
    this.#jobs.push(job.tenant, job);
  }

  /** @param without  tenants that are passed over */
  take(without?: ReadonlySet<number>): J | undefined {
    const job = this.#jobs.shift(without);
    return job && this.#forget(job);
  }

  /** Rejects all jobs. */
  clear(cause: Failure): void {
    for (const job of this.#jobs.drain()) this.#forget(job).reject(cause);
  }

  get #isFull(): boolean {
    return this.#jobs.length >= this.#options.waiting;
  }

  get #overflow(): Failure {
    const { waiting, resource } = this.#options;
    return fail('OVERLOADED', `expected at most ${waiting} pictures waiting for ${resource.name}`);
  }

  #forget(job: J): J {
    clearTimeout(this.#timers.get(job));
    this.#timers.delete(job);
    return job;
  }
}
