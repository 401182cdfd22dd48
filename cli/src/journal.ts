import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/**
 * The ids that a run has brought in, one JSON line each, so that the same run started again goes on where it was killed.
 * A line is written before the next picture is taken up. One that a power cut takes back costs a request: the service
 * knows the id.
 */
export class Journal {
  readonly path: string;
  readonly done: ReadonlySet<string>;

  /**
   * @param run  what makes two runs the same one
   * @throws Error if the journal is that of another run
   */
  constructor(path: string, run: object) {
    this.path = path;
    const head = JSON.stringify(run);
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const [first, ...rest] = text.split('\n');
    const torn = rest.pop() ?? first; // what follows the last line end
    if (!text.includes('\n')) {
      writeFileSync(path, `${head}\n`);
      this.done = new Set();
      return;
    }
    if (first !== head) {
      throw new Error(`${path} is the journal of another import: ${first}. Give another --report, or remove it`);
    }
    if (torn) writeFileSync(path, [first, ...rest, ''].join('\n'));
    this.done = new Set(rest.map((line) => JSON.parse(line) as string));
  }

  add(id: string): void {
    appendFileSync(this.path, `${JSON.stringify(id)}\n`);
  }

  /** For a run that has come to its end. */
  remove(): void {
    rmSync(this.path);
  }
}
