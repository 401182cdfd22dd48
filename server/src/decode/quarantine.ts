import { createHash } from 'node:crypto';

const MAX_FAILURES = 2;
const MAX_FILES = 1000;
const QUARANTINE_MS = 60 * 60 * 1000;

interface Entry {
  strikes: number;
  /** Milliseconds of `performance.now()`. */
  until: number;
}

/**
 * Files that have stopped decoders, by their SHA-256. After two strikes a file is refused for an hour. The hour ends the
 * refusal of files whose children ended for another reason.
 */
export class Quarantine {
  /** In the order of the last strike. */
  readonly #entries = new Map<string, Entry>();

  strike(file: Uint8Array): void {
    const key = digest(file);
    const strikes = (this.#live(key)?.strikes ?? 0) + 1;
    this.#entries.delete(key);
    this.#entries.set(key, { strikes, until: performance.now() + QUARANTINE_MS });
    if (this.#entries.size > MAX_FILES) this.#entries.delete(this.#entries.keys().next().value!);
  }

  refuses(file: Uint8Array): boolean {
    if (this.#entries.size === 0) return false; // almost always: no digest is taken
    return (this.#live(digest(file))?.strikes ?? 0) >= MAX_FAILURES;
  }

  #live(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    return entry && entry.until > performance.now() ? entry : undefined;
  }
}

function digest(file: Uint8Array): string {
  return createHash('sha256').update(file).digest('base64');
}
