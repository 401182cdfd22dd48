import type { Application } from '../applications/application.ts';
import type { Failure } from '../errors.ts';

/** So many are remembered for each application. */
const MOST = 50;

export interface RecentFailure {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly operation: string;
  readonly code: number;
  readonly message: string;
}

/** The last operations of each application that failed, in memory, for its people to see. */
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
