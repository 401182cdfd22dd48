import { Journal } from '../../journal.ts';
import type { Entry } from '@sosia/server/sources/entries';

type Line = readonly [id: string, entry: Entry | null];

/** Lines of former states that a file may have beside those of the present one. */
const MAX_FORMER_LINES = 10_000;

/** The entries of a watched folder in a file of this machine. */
export class StateFile {
  readonly #journal: Journal<Line>;
  readonly #entries = new Map<string, Entry>();

  /** @param run  identifies what is watched. @throws Error if the file belongs to another run */
  constructor(path: string, run: object) {
    this.#journal = new Journal<Line>(path, 'watch', run);
    for (const line of this.#journal.lines) this.#take(line);
    if (this.#journal.lines.length > this.#entries.size + MAX_FORMER_LINES) this.#journal.rewrite([...this.#entries]);
  }

  async all(): Promise<Map<string, Entry>> {
    return new Map(this.#entries);
  }

  /** Durable once resolved. */
  async write(entries: Iterable<Line>): Promise<void> {
    const lines = [...entries];
    if (lines.length > 0) this.#journal.add(...lines);
    lines.forEach((line) => this.#take(line));
  }

  #take([id, entry]: Line): void {
    if (entry) this.#entries.set(id, entry);
    else this.#entries.delete(id);
  }
}
