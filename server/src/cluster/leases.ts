import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fail } from '../errors.ts';
import type { Connection, Reply } from './connection.ts';
import { fewCopies, hasCopies } from './copies.ts';
import { directoryIndex } from './layout.ts';
import { conditionOf } from './body.ts';

/** Milliseconds between two signs of life of a lease. */
const RENEWAL_MS = 3000;
/** Milliseconds after the last sign of life in which the holder may change something. */
const VALIDITY_MS = 10_000;
/** Milliseconds without a sign of life after which another process takes the lease. */
const ABANDONED_MS = 20_000;
/** Milliseconds for which a call waits, where it does not say. */
const LONGEST_WAIT = 10_000;
/** Milliseconds between two looks at a lease that another process has. */
const POLL_MS = 50;

/** What one process does at a time: the number of an application for its review, or a name. */
type Work = number | string;

interface Held {
  readonly holder: string;
  /** The condition that nobody else has taken the lease. */
  version: string;
  /** By the clock of `performance`. */
  until: number;
}

interface Seen {
  readonly version: string;
  readonly at: number;
}

/**
 * Leases of the processes of a cluster: one works on an application at a time. A lease is a document that its holder renews.
 * Only durations are measured, so the clocks of the nodes may differ.
 */
export class Leases {
  readonly #connection: Connection;
  readonly #held = new Map<Work, Held>();
  /** Leases of others as first seen. */
  readonly #seen = new Map<Work, Seen>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Calls of this process for the same work come one after the other.
   * @param wait  milliseconds for which the call waits for another process
   * @throws Failure OVERLOADED where another process works for longer
   */
  async run<T>(of: Work, work: (checkLease: () => void) => Promise<T>, wait = LONGEST_WAIT): Promise<T> {
    const held = await this.#take(of, wait);
    this.#held.set(of, held);
    let renewing: Promise<void> = Promise.resolve();
    const renewal = setInterval(() => {
      renewing = renewing.then(() => this.#renew(of, held)).catch(() => {}); // it ends by itself
    }, RENEWAL_MS);
    try {
      return await work(() => this.check(of));
    } finally {
      clearInterval(renewal);
      await renewing;
      this.#held.delete(of);
      await this.#write(of, null, held.version).catch(() => {}); // it is abandoned after a while
    }
  }

  /** Fails with CLUSTER_OUTCOME_UNKNOWN where this process had the lease, and may have lost it. */
  check(of: Work): void {
    const held = this.#held.get(of);
    if (held && performance.now() > held.until) throw fail('CLUSTER_OUTCOME_UNKNOWN', 'another node may continue');
  }

  /** Whether its process ended in the middle; known some time after the first call. */
  async isAbandoned(of: Work): Promise<boolean> {
    const { holder, version } = await this.#read(of);
    return holder !== null && this.#isAbandoned(of, version);
  }

  /** Removes the lease of a deleted application. */
  async forget(of: Work): Promise<void> {
    this.#seen.delete(of);
    await this.#connection.send({ method: 'DELETE', path: this.#path(of), changes: true, expected: [404] });
  }

  async #take(of: Work, wait: number): Promise<Held> {
    const holder = randomUUID();
    for (const end = performance.now() + wait; ; await pause(POLL_MS)) {
      const held = this.#held.has(of) ? undefined : await this.#attempt(of, holder);
      if (held) return held;
      if (performance.now() >= end) throw fail('OVERLOADED', 'another process works on the application');
    }
  }

  /** Undefined where another process has the lease. */
  async #attempt(of: Work, holder: string): Promise<Held | undefined> {
    const begun = performance.now();
    const found = await this.#read(of);
    if (found.holder !== null && !this.#isAbandoned(of, found.version)) return undefined;
    const reply = await this.#write(of, holder, found.version);
    if (reply.status === 409) {
      const now = await this.#read(of); // an attempt without an answer may have made the change
      return now.holder === holder ? { holder, version: now.version, until: begun + VALIDITY_MS } : undefined;
    }
    if (!hasCopies(reply.body._shards)) throw fewCopies(reply.body._shards);
    return { holder, version: conditionOf(reply.body), until: begun + VALIDITY_MS };
  }

  async #renew(of: Work, held: Held): Promise<void> {
    const begun = performance.now();
    const reply = await this.#write(of, held.holder, held.version);
    if (reply.status === 409) return;
    held.version = conditionOf(reply.body);
    held.until = begun + VALIDITY_MS;
  }

  #isAbandoned(of: Work, version: string): boolean {
    const now = performance.now();
    const seen = this.#seen.get(of);
    if (seen?.version === version) return now - seen.at > ABANDONED_MS;
    this.#seen.set(of, { version, at: now });
    return false;
  }

  async #read(of: Work): Promise<{ holder: string | null; version: string }> {
    const reply = await this.#connection.send({ method: 'GET', path: this.#path(of), expected: [404] });
    if (reply.status === 404) return { holder: null, version: 'op_type=create' };
    const { holder } = (reply.body._source as { content: { holder: string | null } }).content;
    return { holder, version: conditionOf(reply.body) };
  }

  #write(of: Work, holder: string | null, version: string): Promise<Reply> {
    const path = `${this.#path(of)}?${version}`;
    const body = { content: { holder } };
    return this.#connection.send({ method: 'PUT', path, body, changes: true, expected: [409] });
  }

  #path(of: Work): string {
    return `/${directoryIndex(this.#connection.address.prefix)}/_doc/lease-${of}`;
  }
}
