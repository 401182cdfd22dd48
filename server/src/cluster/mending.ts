import { fail } from '../errors.ts';
import type { Connection } from './connection.ts';
import { allowClauses } from './set-up.ts';

/** Milliseconds between two looks at the setting that searches need. */
const CLAUSES_INTERVAL = 3000;
/** Milliseconds between two requests to try copies again that the cluster has given up: it gives up after five failures. */
const RETRY_INTERVAL = 30_000;

/** Mends what a cluster does not mend by itself. */
export class Mending {
  readonly #connection: Connection;
  #nextClauses = 0;
  #nextRetry = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * To be called every second or so.
   * @param missing  copies that are not there
   * @throws Failure CLUSTER_UNSUITABLE, CLUSTER_DENIED or that of a request
   */
  async look(missing: number, now = performance.now()): Promise<void> {
    if (now >= this.#nextClauses) {
      this.#nextClauses = now + CLAUSES_INTERVAL;
      await allowClauses(this.#connection);
    }
    if (missing === 0 || now < this.#nextRetry) return;
    this.#nextRetry = now + RETRY_INTERVAL;
    const path = '/_cluster/reroute?retry_failed=true&metric=none';
    const { status } = await this.#connection.send({ method: 'POST', path, changes: true, expected: [403] });
    if (status === 403)
      throw fail('CLUSTER_DENIED', 'the right cluster:admin/reroute is missing: copies are not tried again');
  }
}
