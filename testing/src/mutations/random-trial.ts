import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyTree } from './copy.ts';
import type { DrawnChange } from './drawn.ts';
import { ExecutedLines } from './executed.ts';
import { compiledName, RecordedTests } from './recorded.ts';
import { Runs, killAllOf, type Run } from './runs.ts';

/** `refused`: the compiler refuses it, or what it compiles to is the same: there is nothing to test. */
export interface RandomVerdict {
  readonly outcome: 'caught' | 'SURVIVED' | 'refused';
  /** The test that failed, or how many passed. */
  readonly what: string;
}

interface Judged extends RandomVerdict {
  /** Empty unless one failed. */
  readonly test: string;
}

const FAILURE = /^\s*not ok (?!.*# (?:TODO|SKIP))/im;
const COMPILE_LIMIT_MS = 300_000;
const RECORD_LIMIT_MS = 600_000;
/** A mutated test may wait for ever; it is ended after this many times what the sound one took, and at least LEAST. */
const PATIENCE = 6;
const LEAST_MS = 20_000;

/** Tries changes drawn by chance in a copy of the tree, which must be built. Pages of the console keep what was bundled before. */
export class RandomTrial {
  readonly #copy: { folder: string; tree: string };
  readonly #runs: Runs;
  readonly #recorded: RecordedTests;
  /** Temporary files of the tests. */
  readonly #scratch: string;
  /** Tests that this process has seen pass on the sound code. */
  readonly #passed = new Set<string>();
  /** What source files compile to without a mutation. */
  readonly #sound = new Map<string, string>();
  #isBuilt = false;

  /**
   * @param record is the file that keeps which tests execute which lines
   * @param parts limit the tests to those whose path, such as `server/http/body`, contains one of them
   */
  constructor(root: string, record: string, parts: readonly string[] = ['']) {
    this.#copy = copyTree(root);
    this.#runs = new Runs(this.#copy.tree);
    this.#recorded = new RecordedTests(this.#copy.tree, record, parts);
    this.#scratch = join(this.#copy.folder, 'tmp');
  }

  /** Runs tests that are not recorded. @returns those that fail on the sound code */
  async record(report: (test: string, left: number) => void = () => {}): Promise<string[]> {
    await this.#restore(); // the tree may have changed since it was built
    const lines = new ExecutedLines(this.#copy.tree);
    const folder = join(this.#copy.folder, 'coverage');
    const missing = this.#recorded.missing;
    for (const [i, test] of missing.entries()) {
      report(test, missing.length - i);
      mkdirSync(folder);
      const begin = performance.now();
      const { code } = await this.#test(test, RECORD_LIMIT_MS, { NODE_V8_COVERAGE: folder });
      if (code === 0) this.#passed.add(test);
      this.#recorded.add(test, code === 0, (performance.now() - begin) / 1000, lines.read(folder));
      rmSync(folder, { recursive: true });
    }
    return this.#recorded.failing;
  }

  /** @param limitSeconds after which no further test begins */
  async judge(change: DrawnChange, limitSeconds: number): Promise<RandomVerdict> {
    const tests = this.#recorded.testsOf(change.file, change.line, change.lastLine);
    const verdict = await this.#judge(change, tests, limitSeconds);
    if (verdict.outcome !== 'caught' || (await this.#isSound(verdict.test))) return verdict;
    return this.judge(change, limitSeconds);
  }

  async #judge(change: DrawnChange, tests: readonly string[], limitSeconds: number): Promise<Judged> {
    const path = join(this.#copy.tree, change.file);
    const original = readFileSync(path, 'utf8');
    const compiled = this.#soundOf(change.file);
    writeFileSync(path, original.slice(0, change.start) + change.to + original.slice(change.end));
    try {
      if ((await this.#build()).code !== 0) return { outcome: 'refused', what: 'does not compile', test: '' };
      if (this.#compiled(change.file) === compiled) return { outcome: 'refused', what: 'the same compiled', test: '' };
      return await this.#verdict(tests, limitSeconds);
    } finally {
      writeFileSync(path, original);
      this.#isBuilt = false;
    }
  }

  /** Whether a test still passes on the sound code. It may have been recorded on another version. */
  async #isSound(test: string): Promise<boolean> {
    if (this.#passed.has(test)) return true;
    await this.#restore();
    const { code } = await this.#test(test, RECORD_LIMIT_MS);
    if (code === 0) this.#passed.add(test);
    else this.#recorded.exclude(test);
    return code === 0;
  }

  close(): void {
    this.#runs.end();
    killAllOf(this.#copy.folder);
    rmSync(this.#copy.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #verdict(tests: readonly string[], limitSeconds: number): Promise<Judged> {
    const begin = performance.now();
    let passed = 0;
    for (const test of tests) {
      if (performance.now() - begin > limitSeconds * 1000) break;
      const { code } = await this.#test(test, Math.max(LEAST_MS, PATIENCE * 1000 * this.#recorded.seconds(test)));
      if (code !== 0) return { outcome: 'caught', what: `${test}${code === null ? ' does not end' : ''}`, test };
      passed++;
    }
    return { outcome: 'SURVIVED', what: `${passed} of ${tests.length} tests of it ran and passed`, test: '' };
  }

  async #test(test: string, limitMs: number, env: Readonly<Record<string, string>> = {}): Promise<Run> {
    mkdirSync(this.#scratch);
    chmodSync(this.#scratch, 0o1777); // tests that run as another user
    try {
      return await this.#runs.run(process.execPath, ['--test-reporter=tap', test], {
        limitMs,
        env: { TMPDIR: this.#scratch, ...env },
        // a recorded test must end by itself, since a killed process leaves no record
        ...('NODE_V8_COVERAGE' in env ? {} : { until: FAILURE }),
      });
    } finally {
      killAllOf(this.#scratch);
      rmSync(this.#scratch, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  /** Compiles the sound code. */
  async #restore(): Promise<void> {
    if (this.#isBuilt) return;
    const { code, said } = await this.#build();
    if (code !== 0) throw new Error(`the sound code does not compile: ${said.slice(0, 400)}`);
    this.#isBuilt = true;
  }

  /** A file is sound until its first mutation, so it is read before that. One build then takes the last mutation back and makes the next. */
  #soundOf(file: string): string {
    const known = this.#sound.get(file) ?? this.#compiled(file);
    this.#sound.set(file, known);
    return known;
  }

  #build(): Promise<Run> {
    return this.#runs.run(process.execPath, ['node_modules/typescript/bin/tsc', '-b'], { limitMs: COMPILE_LIMIT_MS });
  }

  #compiled(file: string): string {
    return readFileSync(join(this.#copy.tree, compiledName(file)), 'utf8');
  }
}
