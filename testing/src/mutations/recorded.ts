import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Lines } from './executed.ts';

/** What a test file did when it ran on the sound code. */
interface Entry {
  /** Of the compiled test. */
  readonly digest: string;
  readonly passed: boolean;
  readonly seconds: number;
  readonly sources: Readonly<Record<string, { readonly digest: string; readonly lines: readonly number[] }>>;
}

/** The workspaces whose tests run code of the server or of the client. */
const WORKSPACES = ['server', 'client', 'console', 'cli', 'testing'];

/** Which test files execute which lines of the source, kept in a file between runs. */
export class RecordedTests {
  readonly #tree: string;
  readonly #file: string;
  readonly #parts: readonly string[];
  readonly #entries: Map<string, Entry>;

  /**
   * @param file is made where it is absent
   * @param parts of the paths of tests; others are left out
   */
  constructor(tree: string, file: string, parts: readonly string[]) {
    this.#tree = tree;
    this.#file = file;
    this.#parts = parts;
    const entries = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Entry>) : {};
    this.#entries = new Map(Object.entries(entries).filter(([test, { digest }]) => digest === this.#digest(test)));
  }

  /** Test files that are not recorded, or have changed since. */
  get missing(): string[] {
    return this.#tests().filter((test) => this.#isChosen(test) && !this.#entries.has(test));
  }

  /** Tests that failed on the sound code: they prove nothing. */
  get failing(): string[] {
    return [...this.#entries].filter(([test, { passed }]) => !passed && this.#isChosen(test)).map(([test]) => test);
  }

  add(test: string, passed: boolean, seconds: number, lines: Lines): void {
    const own = [...lines].filter(([source]) => source.includes('/src/') && !source.includes('.test.'));
    const sources = Object.fromEntries(
      own.map(([source, ran]) => [source, { digest: this.#digest(source), lines: [...ran].sort((a, b) => a - b) }]),
    );
    this.#entries.set(test, { digest: this.#digest(test), passed, seconds, sources });
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, JSON.stringify(Object.fromEntries(this.#entries)));
  }

  /** Marks a test that fails on the sound code. */
  exclude(test: string): void {
    this.#entries.set(test, { ...this.#entries.get(test)!, passed: false });
  }

  seconds(test: string): number {
    return this.#entries.get(test)!.seconds;
  }

  /**
   * The tests that execute one of the lines: those named as the file first, then those of its folder, and of these the fastest. A file that has changed since
   * counts as executed whole. Last come the others of its folder, since a process that is killed, or may write no files, leaves no record.
   */
  testsOf(source: string, from: number, to: number): string[] {
    const executes = ({ sources }: Entry): boolean => {
      const known = sources[source];
      if (!known) return false;
      return known.digest !== this.#digest(source) || known.lines.some((line) => line >= from && line <= to);
    };
    const compiled = compiledName(source);
    const distance = (test: string): number => {
      const isNear = dirname(test) === dirname(compiled);
      if (!executes(this.#entries.get(test)!)) return isNear ? 3 : NaN;
      return test.startsWith(compiled.replace(/js$/, '')) ? 0 : isNear ? 1 : 2;
    };
    const entries = [...this.#entries].filter(([test, { passed }]) => passed && this.#isChosen(test));
    const chosen = entries.map(([test]) => test).filter((test) => !Number.isNaN(distance(test)));
    return chosen.sort((a, b) => distance(a) - distance(b) || this.seconds(a) - this.seconds(b));
  }

  #isChosen(test: string): boolean {
    return this.#parts.some((part) => test.replace('/dist/', '/').includes(part));
  }

  #tests(): string[] {
    return WORKSPACES.flatMap((workspace) => {
      const dist = join(this.#tree, workspace, 'dist');
      const names = existsSync(dist) ? readdirSync(dist, { recursive: true, encoding: 'utf8' }) : [];
      return names.filter((name) => name.endsWith('.test.js')).map((name) => `${workspace}/dist/${name}`);
    }).sort();
  }

  /** Empty for a file that is not there. */
  #digest(file: string): string {
    const path = join(this.#tree, file);
    return existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16) : '';
  }
}

/** The compiled file of a source file of the server or of the client. */
export function compiledName(source: string): string {
  return source.replace('/src/', '/dist/').replace(/\.ts$/, '.js');
}
