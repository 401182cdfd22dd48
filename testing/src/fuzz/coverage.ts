import { Session, type Profiler } from 'node:inspector';

/**
 * Which blocks of the code were executed, as V8 counts them (precise coverage, block by block). A look at the counters
 * takes some 2 ms whatever was executed, so inputs are looked at in batches.
 */
export class Coverage {
  readonly #session = new Session();
  readonly #covers: RegExp;
  /** For each script, a byte for each character: whether it was ever executed. */
  readonly #recorded = new Map<string, Uint8Array>();
  #characters = 0;

  /** @param covers  the scripts that count, by path */
  constructor(covers: RegExp) {
    this.#covers = covers;
    this.#session.connect();
    this.#ask('Profiler.enable');
    this.#ask('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** Characters of the sources that were executed so far. */
  get size(): number {
    return this.#characters;
  }

  /** Whether anything was executed since the last call that is not recorded yet. */
  sees({ record }: { record: boolean }): boolean {
    const { result } = this.#ask('Profiler.takePreciseCoverage') as Profiler.TakePreciseCoverageReturnType;
    const fresh = result.filter(({ url }) => this.#covers.test(url)).map((script) => this.#fresh(script, record));
    return fresh.some((count) => count > 0);
  }

  close(): void {
    this.#session.disconnect();
  }

  /** How many characters were executed that are not recorded. */
  #fresh({ url, functions }: Profiler.ScriptCoverage, record: boolean): number {
    const recorded = this.#recorded.get(url) ?? new Uint8Array();
    const ends = functions.flatMap(({ ranges }) => ranges.map(({ endOffset }) => endOffset));
    const now = new Uint8Array(Math.max(recorded.length, ...ends));
    for (const { ranges } of functions) {
      // the first range is the function, each further one lies in one before it
      for (const { startOffset, endOffset, count } of ranges) now.fill(count > 0 ? 1 : 0, startOffset, endOffset);
    }
    const fresh = now.reduce((sum, executed, i) => sum + (executed && !recorded[i] ? 1 : 0), 0);
    if (record && fresh > 0) {
      now.forEach((executed, i) => (now[i] = executed || (recorded[i] ?? 0)));
      this.#recorded.set(url, now);
      this.#characters += fresh;
    }
    return fresh;
  }

  #ask(method: string, params: object = {}): unknown {
    let answer: unknown;
    this.#session.post(method, params, (error, result) => {
      if (error) throw new Error(`${method}: ${error.message}`);
      answer = result;
    });
    return answer;
  }
}
