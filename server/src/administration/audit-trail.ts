import type { AuditEntry } from '@sosia/contract';
import type { AuditLog } from '../store/audit-log.ts';

/** Milliseconds during which the pictures that one key adds are one entry. */
const GROUPING_MS = 60_000;

interface Adding {
  readonly first: AuditEntry;
  count: number;
}

/** A change by a request. */
export type AuditedChange = Omit<AuditEntry, 'at'>;

/** Writes the changes of requests to the audit log. Many pictures added by one key become one entry a minute. */
export class AuditTrail {
  readonly #log: AuditLog;
  readonly #failed: (cause: unknown) => void;
  readonly #adding = new Map<string, Adding>();
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
    const name = JSON.stringify([change.who, change.number, change.what]);
    const known = this.#adding.get(name);
    if (known) known.count++;
    else this.#adding.set(name, { first: { at: now.toISOString(), ...change }, count: 1 });
    this.#due ??= setTimeout(() => void this.flush(), GROUPING_MS).unref();
  }

  /** Resolves once the entry is written. */
  async note(change: AuditedChange, durably: boolean, now = new Date()): Promise<void> {
    await this.#write([...this.#collected(), { at: now.toISOString(), ...change }], durably);
  }

  async flush(): Promise<void> {
    const entries = this.#collected();
    if (entries.length > 0) await this.#write(entries, false);
  }

  read(page: { start: number; count: number }, number?: number): Promise<AuditEntry[]> {
    return this.flush().then(() => this.#log.read(page, number));
  }

  #collected(): AuditEntry[] {
    clearTimeout(this.#due);
    this.#due = undefined;
    const entries = [...this.#adding.values()].map(({ first, count }) =>
      count === 1 ? first : { ...first, detail: `${first.detail} and ${count - 1} more` },
    );
    this.#adding.clear();
    return entries;
  }

  async #write(entries: readonly AuditEntry[], durably: boolean): Promise<void> {
    try {
      await this.#log.append(entries, durably);
    } catch (cause) {
      this.#failed(cause);
    }
  }
}
