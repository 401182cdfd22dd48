import type { AuditEntry } from '@sosia/contract';
import { type AuditLog, latestFirst } from '../store/audit-log.ts';

/** Milliseconds during which the pictures that one key adds are one entry, and so are refused attempts. */
const GROUPING_MS = 60_000;

/** Entries of refused attempts within `GROUPING_MS`; those of further addresses and keys are one more. */
const MAX_REFUSED_ENTRIES = 20;

interface Collected {
  readonly first: AuditEntry;
  count: number;
}

/** A change by a request. */
export type AuditedChange = Omit<AuditEntry, 'at'>;

/** Writes the changes of requests to the audit log. Many pictures added by one key become one entry a minute. */
export class AuditTrail {
  readonly #log: AuditLog;
  readonly #failed: (cause: unknown) => void;
  readonly #adding = new Map<string, Collected>();
  /** Written by the clock alone, so that nothing a client does makes more entries of them. */
  readonly #refused = new Map<string, Collected>();
  #due: NodeJS.Timeout | undefined;

  /** @param failed  called when an entry could not be written; the change itself was made */
  constructor(log: AuditLog, failed: (cause: unknown) => void) {
    this.#log = log;
    this.#failed = failed;
  }

  /**
   * For frequent changes: those of one key and operation are one entry. It is written at the end of the minute, or before
   * the next change of another kind. A kill may lose it.
   */
  collect(change: AuditedChange, now = new Date()): void {
    const name = JSON.stringify([change.kind, change.administrator, change.key, change.number, change.what]);
    count(this.#adding, name, { at: now.toISOString(), ...change });
    this.#due ??= setTimeout(() => void this.flush(), GROUPING_MS).unref();
  }

  /**
   * A refused attempt. Those of one address and key are one entry a minute, and there are at most 21 entries a minute. A kill may lose
   * them.
   * @param from  the address of the client
   */
  refuse(attempt: Omit<AuditedChange, 'detail'>, from: string, now = new Date()): void {
    if (this.#refused.size === 0) setTimeout(() => void this.#writeRefused(), GROUPING_MS).unref();
    const at = now.toISOString();
    const name = JSON.stringify([attempt.kind, attempt.administrator, attempt.key, attempt.number, from]);
    if (this.#refused.has(name) || this.#refused.size < MAX_REFUSED_ENTRIES) {
      count(this.#refused, name, { at, ...attempt, detail: `from=${from}` });
    } else count(this.#refused, '', { at, ...unknown, code: attempt.code, detail: 'from=further addresses' });
  }

  /** Resolves once the entry is written. */
  async note(change: AuditedChange, durably: boolean, now = new Date()): Promise<void> {
    await this.#write([...this.#collected(), { at: now.toISOString(), ...change }], durably);
  }

  async flush(): Promise<void> {
    await this.#write(this.#collected(), false);
  }

  /** Before the end of the service. */
  async close(): Promise<void> {
    await this.flush();
    await this.#writeRefused();
  }

  /** The latest first. */
  async read({ start, count }: { start: number; count: number }, number?: number): Promise<AuditEntry[]> {
    await this.flush();
    const refused = entriesOf(this.#refused).reverse();
    const waiting = refused.filter((entry) => number === undefined || entry.number === number);
    const before = Math.max(0, start - waiting.length); // entries of the log that are before the page in any case
    const stored = await this.#log.read({ start: before, count: start + count - before }, number);
    return latestFirst([...waiting, ...stored]).slice(start - before, start - before + count);
  }

  #collected(): AuditEntry[] {
    clearTimeout(this.#due);
    this.#due = undefined;
    const entries = entriesOf(this.#adding);
    this.#adding.clear();
    return entries;
  }

  async #writeRefused(): Promise<void> {
    const entries = entriesOf(this.#refused);
    this.#refused.clear();
    await this.#write(entries, false);
  }

  async #write(entries: readonly AuditEntry[], durably: boolean): Promise<void> {
    if (entries.length === 0) return;
    try {
      await this.#log.append(entries, durably);
    } catch (cause) {
      this.#failed(cause);
    }
  }
}

const unknown = {
  kind: 'no key',
  administrator: false,
  key: '',
  who: '',
  what: '',
  application: '',
  number: 0,
} as const;

function count(entries: Map<string, Collected>, name: string, entry: AuditEntry): void {
  const known = entries.get(name);
  if (known) known.count++;
  else entries.set(name, { first: entry, count: 1 });
}

function entriesOf(collected: ReadonlyMap<string, Collected>): AuditEntry[] {
  return [...collected.values()].map(({ first, count }) =>
    count === 1 ? first : { ...first, detail: `${first.detail} and ${count - 1} more` },
  );
}
