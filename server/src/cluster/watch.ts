import { setTimeout as pause } from 'node:timers/promises';
import { fail, type Failure } from '../errors.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Connection, Health } from './connection.ts';

/** Milliseconds between two looks at the hosts. */
const INTERVAL = 1000;

/** Milliseconds after the last answer from which the cluster counts as unreachable: one look may fail. */
const PATIENCE = 4000;

/** How the cluster is, by a look each second. Nobody waits for a look. */
export class Watch {
  readonly #connection: Connection;
  #health: Health | undefined;
  #answered = performance.now();

  constructor(connection: Connection, metrics: Metrics) {
    this.#connection = connection;
    metrics.sample('clusterHealth', () => {
      const now = this.outage ? 'unreachable' : this.#health?.status;
      return (['green', 'yellow', 'red', 'unreachable'] as const).map((status) => [Number(status === now), { status }]);
    });
    metrics.sample('clusterMissingCopies', () =>
      this.outage || !this.#health ? [] : [[this.#health.unassigned_shards + this.#health.initializing_shards]],
    );
  }

  /** CLUSTER_UNREACHABLE where no host that knows the leader has answered for four seconds. */
  get outage(): Failure | undefined {
    const silent = performance.now() - this.#answered;
    if (silent < PATIENCE) return undefined;
    return fail('CLUSTER_UNREACHABLE', `no host that knows the leader has answered for ${Math.floor(silent / 1000)} s`);
  }

  /** Copies that no node has, by the last look. */
  get missingCopies(): number {
    return this.outage ? 0 : (this.#health?.unassigned_shards ?? 0);
  }

  /** Looks until the signal. A look does not wait for the former one: one host may hang while others answer. */
  async run(signal: AbortSignal): Promise<void> {
    do {
      const begin = performance.now();
      void this.#connection.look((health) => {
        this.#health = health;
        this.#answered = Math.max(this.#answered, begin);
      });
    } while (!(await pause(INTERVAL, false, { signal }).catch(() => true)));
  }
}
