import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/**
 * The work done by a run, one JSON value per line, so that the same run resumes after an interruption. A line is
 * written before the next piece of work begins; a power cut may undo the last ones.
 */
export class Journal<Line> {
  readonly path: string;
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

  add(line: Line): void {
    appendFileSync(this.path, `${JSON.stringify(line)}\n`);
  }

  /** For a run that has finished. */
  remove(): void {
    rmSync(this.path);
  }
}
