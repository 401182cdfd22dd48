import type { Application } from '../applications/application.ts';
import type { Failure } from '../errors.ts';

/** Failures stored per application. */
const MOST = 50;

export interface RecentFailure {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly operation: string;
  readonly code: number;
  readonly message: string;
}

/** The last failed operations of each application, in memory, for the console. */
export class RecentFailures {
  readonly #lists = new WeakMap<Application, RecentFailure[]>();

  note(application: Application, operation: string, { code, message }: Failure, at = new Date()): void {
    const list = this.#lists.get(application) ?? [];
    list.unshift({ at: at.toISOString(), operation, code, message });
    this.#lists.set(application, list.slice(0, MOST));
  }

  /** The latest first. */
  of(application: Application): readonly RecentFailure[] {
    return this.#lists.get(application) ?? [];
  }
}
