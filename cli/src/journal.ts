import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * The work done by a run, one JSON value per line, so that the same run resumes after an interruption. Lines are durable before
 * the next piece of work begins.
 */
export class Journal<Line> {
  readonly path: string;
  readonly #head: string;
  /** The lines at its opening. */
  readonly lines: readonly Line[];

  /**
   * @param what  the subject of the journal, for people: `import`
   * @param run   identifies the run
   * @throws Error if the journal belongs to another run
   */
  constructor(path: string, what: string, run: object) {
    this.path = path;
    const head = JSON.stringify(run);
    this.#head = head;
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const [first, ...rest] = text.split('\n');
    const torn = rest.pop() ?? first; // the part after the last line end
    if (!text.includes('\n')) {
      writeFileSync(path, `${head}\n`);
      this.lines = [];
      return;
    }
    if (first !== head) {
      throw new Error(`${path} is the journal of another ${what}: ${first}. Give another one, or remove it`);
    }
    if (torn) writeFileSync(path, [first, ...rest, ''].join('\n'));
    this.lines = rest.map((line) => JSON.parse(line) as Line);
  }

  add(...lines: readonly Line[]): void {
    appendFileSync(this.path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { flush: true });
  }

  /** Puts these lines in place of all. */
  rewrite(lines: readonly Line[]): void {
    const written = [this.#head, ...lines.map((line) => JSON.stringify(line)), ''].join('\n');
    writeFileSync(`${this.path}.unfinished`, written, { flush: true });
    renameSync(`${this.path}.unfinished`, this.path);
  }

  /** For a run that has finished. */
  remove(): void {
    rmSync(this.path);
  }
}
