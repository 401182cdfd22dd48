import { fail } from '../errors.ts';
import type { Change } from './image-table.ts';

/** The most that goes into one transaction; a single larger change goes alone. */
const CAP = { changes: 256, bytes: 4 * 2 ** 20 };

interface Waiting {
  readonly change: Change;
  resolve(outcome: number): void;
  reject(cause: Error): void;
}

/**
 * Changes that arrive while a commit runs wait and go together into the next one: one flush for all of them, in the
 * order they came.
 *
 * A commit that fails is the last: whether its flush reached the disk cannot be known, and a second try may report a
 * success that is none. It and everything after it is rejected, until the store is opened anew and reads what is there.
 *
 * A commit that meets damage in the database is rolled back by SQLite, and nothing of it was written. Its changes are tried
 * again one by one, so that only those that need what is damaged are refused.
 *
 * A commit for which the disk has no room is another matter. The frame that makes it count is its last, so with one that
 * was refused it is certain that nothing is stored, neither now nor after a power cut. What comes later is tried.
 */
export class GroupCommit {
  #commit: (changes: readonly Change[]) => Promise<number[]>;
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  /** Why no more changes are taken. */
  refusal = '';
  /** Whether there was no room for the last commit. */
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

  /** Takes no more changes; resolves once those that came before are settled. */
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

  /** Tries a change again that was refused together with others. */
  async #alone(one: Waiting): Promise<void> {
    if (this.refusal) return one.reject(fail('STORE_READ_ONLY', this.refusal));
    try {
      one.resolve((await this.#commit([one.change]))[0]!);
    } catch (cause) {
      await this.#failed([one], cause as Error & { code?: string });
    }
  }
}

/** Errors of SQLite for what is in the file; the transaction is rolled back. */
const damaged = /^SQLITE_(CORRUPT|CONSTRAINT|MISMATCH)/;

function groupLength(waiting: readonly Waiting[]): number {
  let bytes = 0;
  let length = 0;
  while (length < Math.min(waiting.length, CAP.changes)) {
    const { change } = waiting[length]!;
    if (change.kind === 'append') bytes += change.image.dna.length + (change.image.thumbnail?.length ?? 0);
    if (length > 0 && bytes > CAP.bytes) break;
    length++;
  }
  return length;
}
