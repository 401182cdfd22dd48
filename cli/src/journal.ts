import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/**
 * What a run has done and found, one JSON value a line, so that the same run started again goes on where it was killed.
 * A line is written before the next piece of work is taken up; a power cut may take the last ones back.
 */
export class Journal<Line> {
  readonly path: string;
  /** What was there when it was opened. */
  readonly lines: readonly Line[];

  /**
   * @param what  the journal is of, for people: `import`
   * @param run   what makes two runs the same one
   * @throws Error if the journal is that of another run
   */
  constructor(path: string, what: string, run: object) {
    this.path = path;
    const head = JSON.stringify(run);
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const [first, ...rest] = text.split('\n');
    const torn = rest.pop() ?? first; // what follows the last line end
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

  /** For a run that has come to its end. */
  remove(): void {
    rmSync(this.path);
  }
}
