import type { ApplicationStore } from '../store/application-store.ts';

const HOUR = 3_600_000;

/** Where the last uses of keys are stored. */
export type UsesStore = Pick<ApplicationStore, 'knows' | 'lastUses' | 'saveLastUses'>;

/** When each key was used last: in memory, and stored every hour and at a clean stop. */
export class KeyUses {
  readonly #store: UsesStore;
  readonly #failed: (cause: unknown) => void;
  /** Milliseconds of the clock by digest, since the start. */
  readonly #latest = new Map<string, number>();
  #due: NodeJS.Timeout | undefined;

  /** @param failed  called when the uses could not be stored; they stay in memory */
  constructor(store: UsesStore, failed: (cause: unknown) => void) {
    this.#store = store;
    this.#failed = failed;
  }

  note(digest: string, now = Date.now()): void {
    this.#latest.set(digest, now);
    this.#due ??= setTimeout(() => this.save(), HOUR).unref();
  }

  /** ISO 8601, UTC, by digest. */
  all(): ReadonlyMap<string, string> {
    const uses = new Map(Object.entries(this.#store.lastUses()));
    for (const [digest, at] of this.#latest) uses.set(digest, new Date(at).toISOString());
    return uses;
  }

  /** Stores the uses of the keys that exist. */
  save(): void {
    clearTimeout(this.#due);
    this.#due = undefined;
    if (this.#latest.size === 0) return;
    try {
      const uses = this.all();
      const known = [...uses].filter(([digest]) => this.#store.knows(digest));
      this.#store.saveLastUses(Object.fromEntries(known));
    } catch (cause) {
      this.#failed(cause);
    }
  }
}
