import { fail } from '../errors.ts';
import type { Change } from './image-table.ts';

/** The maximum of one transaction; a single larger change has its own. */
const MAX_TRANSACTION = { changes: 256, bytes: 4 * 2 ** 20 };

interface Waiting {
  readonly change: Change;
  readonly resolve: (outcome: number) => void;
  readonly reject: (cause: Error) => void;
}

/**
 * Changes that arrive during a commit wait for the next one, which commits all of them in order with one flush.
 *
 * A commit that fails is the last one. Whether its flush reached the disk cannot be known, and a second attempt could
 * report a success that is none. This commit and all later ones are rejected until the store is opened again and reads
 * the disk.
 *
 * A commit that meets damage in the database is rolled back by SQLite, and nothing of it was written. Its changes are
 * retried one by one, so that only the changes that need the damaged pages are refused.
 *
 * A full disk is different. The last frame of a commit makes it valid; if that frame was refused, nothing is stored,
 * neither now nor after a power cut. Later changes are tried.
 */
export class GroupCommit {
  #commit: (changes: readonly Change[]) => Promise<number[]>;
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  /** The reason for refusing all further changes. */
  refusal = '';
  /** Whether the last commit failed for lack of space. */
  full = false;

  constructor(commit: (changes: readonly Change[]) => Promise<number[]>) {
    this.#commit = commit;
  }

  write(change: Change): Promise<number> {
    if (this.refusal) return Promise.reject(fail('STORE_READ_ONLY', this.refusal));
    const outcome = new Promise<number>((resolve, reject) => this.#waiting.push({ change, resolve, reject }));
    this.#running ??= this.#drain();
    return outcome;
  }

  /** Refuses further changes; resolves once the earlier ones are settled. */
  async close(): Promise<void> {
    this.refusal ||= 'it is closed';
    await this.#running;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, groupLength(this.#waiting));
      try {
        const outcomes = await this.#commit(group.map(({ change }) => change));
        this.full = false;
        group.forEach(({ resolve }, i) => resolve(outcomes[i]!));
      } catch (cause) {
        await this.#failed(group, cause as Error & { code?: string });
      }
    }
    this.#running = undefined;
  }

  async #failed(group: readonly Waiting[], { message, code = '' }: Error & { code?: string }): Promise<void> {
    this.full = code === 'SQLITE_FULL';
    const [first, ...others] = group;
    if (this.full) {
      for (const { reject } of group) reject(fail('STORE_FULL', message));
    } else if (!damaged.test(code)) {
      this.refusal = `a write failed: ${message}`;
      for (const { reject } of group) reject(fail('STORE_WRITE_FAILED', message));
      for (const { reject } of this.#waiting.splice(0)) reject(fail('STORE_READ_ONLY', this.refusal));
    } else if (others.length === 0) {
      first!.reject(fail('STORE_DAMAGED', `the change was not stored: ${message}`));
    } else {
      for (const one of group) await this.#alone(one);
    }
  }

  /** Retries a change that was refused together with others. */
  async #alone(one: Waiting): Promise<void> {
    if (this.refusal) return one.reject(fail('STORE_READ_ONLY', this.refusal));
    try {
      one.resolve((await this.#commit([one.change]))[0]!);
    } catch (cause) {
      await this.#failed([one], cause as Error & { code?: string });
    }
  }
}

/** Errors of SQLite that concern the content of the file; the transaction is rolled back. */
const damaged = /^SQLITE_(CORRUPT|CONSTRAINT|MISMATCH)/;

function groupLength(waiting: readonly Waiting[]): number {
  let bytes = 0;
  let length = 0;
  while (length < Math.min(waiting.length, MAX_TRANSACTION.changes)) {
    const { change } = waiting[length]!;
    if (change.kind === 'append') bytes += change.image.dna.length + (change.image.thumbnail?.length ?? 0);
    if (length > 0 && bytes > MAX_TRANSACTION.bytes) break;
    length++;
  }
  return length;
}
