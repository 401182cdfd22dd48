import type { AuditEntry } from '@sosia/contract';
import type { AuditLog } from '../store/audit-log.ts';
import { clusterAddress, type ClusterFiles } from './address.ts';
import { Connection } from './connection.ts';
import { createIndex, setUpCluster, replicasFor } from './set-up.ts';
import { auditIndex, auditLayout } from './layout.ts';

/** How long refused attempts are kept: their number is not bounded otherwise. */
const REFUSED_KEPT = '30d';

/** Refused attempts that are removed at a time: more than nodes write in a minute. */
const MAX_REMOVED = 1000;

/** The audit log of a cluster: a document an entry. Only the operator of the cluster removes changes. */
export class ClusterAudit implements AuditLog {
  readonly #connection: Connection;
  readonly #index: string;
  #ready: Promise<void> | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#index = auditIndex(connection.address.prefix);
  }

  async append(entries: readonly AuditEntry[]): Promise<void> {
    await (this.#ready ??= this.#makeReady()).catch((cause: unknown) => {
      this.#ready = undefined;
      throw cause;
    });
    for (const entry of entries) {
      const path = `/${this.#index}/_doc?refresh=true`; // an answer does not wait for the next refresh
      await this.#connection.send({ method: 'POST', path, body: entry, changes: true });
    }
    if (entries.some(({ code }) => code !== 0)) await this.#removeOld();
  }

  async #makeReady(): Promise<void> {
    const replicas = await replicasFor(this.#connection);
    await createIndex(this.#connection, this.#index, auditLayout(replicas), replicas);
  }

  async #removeOld(): Promise<void> {
    const filter = [{ range: { code: { lt: 0 } } }, { range: { at: { lt: `now-${REFUSED_KEPT}` } } }];
    const path = `/${this.#index}/_search`;
    const search = { size: MAX_REMOVED, _source: false, query: { bool: { filter } } };
    const { body } = await this.#connection.send({ method: 'POST', path, body: search });
    if (body.hits.hits.length === 0) return;
    const lines = body.hits.hits.map(({ _id }) => `${JSON.stringify({ delete: { _id } })}\n`).join('');
    const bulk = `/${this.#index}/_bulk?refresh=true`;
    await this.#connection.send({ method: 'POST', path: bulk, body: lines, changes: true });
  }

  async read({ start, count }: { start: number; count: number }, number?: number): Promise<AuditEntry[]> {
    const body = {
      from: start,
      size: Math.min(count, Math.max(0, 10_000 - start)),
      sort: [{ at: 'desc' }, { _seq_no: 'desc' }],
      query: number === undefined ? { match_all: {} } : { term: { number } },
    };
    const path = `/${this.#index}/_search?allow_partial_search_results=false`;
    const reply = await this.#connection.send({ method: 'POST', path, body, expected: [404] });
    return reply.status === 404 ? [] : reply.body.hits.hits.map(({ _source }) => _source as AuditEntry);
  }
}

/** For a command beside a service. Fails as `setUpCluster` does. */
export async function withClusterAudit<T>(
  address: string,
  files: ClusterFiles,
  work: (log: ClusterAudit) => Promise<T>,
): Promise<T> {
  const connection = new Connection(clusterAddress(address, files));
  try {
    await setUpCluster(connection);
    return await work(new ClusterAudit(connection));
  } finally {
    connection.close();
  }
}
