import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyTree } from './copy.ts';
import { mutated, type Mutation } from './mutation.ts';
import { Runs, type Run } from './runs.ts';

/**
 * What became of a mutation. Only `caught` is good: the tests that it names pass without and fail with the change.
 * `stale`: the change does not fit the file any more; `faulty`: the row cannot be judged; `not run`: a tool is missing.
 */
export interface Verdict {
  readonly outcome: 'caught' | 'SURVIVED' | 'stale' | 'faulty' | 'not run';
  /** What happened, where the outcome does not say all. */
  readonly what: string;
}

/** The script that runs each kind of test, by the first word of an entry of `fails`. */
const SCRIPTS: Readonly<Record<string, string>> = {
  test: 'test.mjs',
  'system-test': 'system-test.mjs',
  fuzz: 'fuzz.mjs',
};
/** Workspaces with build steps besides that of TypeScript. */
const BUNDLED = /^(contract|engine|client|console)\//;
/** Exit code of system-test.mjs where a tool is missing on this machine. */
const NOT_RUN = 3;
/** A mutated run may wait for ever; it is ended after this many times what the sound run took, and at least LEAST. */
const PATIENCE = 6;
const LEAST_MS = 120_000;
const MOST_MS = 15 * 60_000;

/** Tries mutations one by one in a copy of the tree, which must be built. */
export class Trial {
  readonly #copy: { folder: string; tree: string };
  /** The outcome of each test without a mutation, and its milliseconds. */
  readonly #sound = new Map<string, { run: Run; took: number }>();

  /** A file that has changed since the last build. */
  #stale = 'server/';

  readonly #runs: Runs;

  constructor(root: string) {
    this.#copy = copyTree(root);
    this.#runs = new Runs(this.#copy.tree);
  }

  async judge(mutation: Mutation): Promise<Verdict> {
    const path = join(this.#copy.tree, mutation.file);
    const original = read(path);
    if (original === null) return { outcome: 'stale', what: `there is no file ${mutation.file}` };
    const changed = mutated(original, mutation);
    if (changed === null) {
      const times = original.split(mutation.from).length - 1;
      return { outcome: 'stale', what: `"from" occurs ${times} times in ${mutation.file}, expected once` };
    }
    for (const name of mutation.fails) {
      const fault = await this.#soundFault(name);
      if (fault) return fault;
    }
    writeFileSync(path, changed);
    try {
      const built = await this.#build(mutation.file);
      if (built.code !== 0) return { outcome: 'faulty', what: `the change does not compile: ${lastLines(built.said)}` };
      return await this.#verdict(mutation);
    } finally {
      writeFileSync(path, original);
      this.#stale = mutation.file;
    }
  }

  close(): void {
    this.#runs.end();
    rmSync(this.#copy.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #verdict({ fails }: Mutation): Promise<Verdict> {
    const notes: string[] = [];
    for (const name of fails) {
      const limit = Math.max(LEAST_MS, PATIENCE * this.#sound.get(name)!.took);
      const { code } = await this.#run(name, limit);
      if (code === 0) return { outcome: 'SURVIVED', what: `${name} passes` };
      if (code === null) notes.push(`${name} did not end within ${Math.round(limit / 1000)} s`);
    }
    return { outcome: 'caught', what: notes.join(', ') };
  }

  /** Why a failure of a test would prove nothing, or null. */
  async #soundFault(name: string): Promise<Verdict | null> {
    if (!SCRIPTS[name.split(' ')[0]!]) return { outcome: 'faulty', what: `"${name}" is no kind of test` };
    if (!this.#sound.has(name)) {
      if (this.#stale) await this.#build(this.#stale);
      const begin = performance.now();
      const run = await this.#run(name, MOST_MS);
      this.#sound.set(name, { run, took: performance.now() - begin });
    }
    const { code, said } = this.#sound.get(name)!.run;
    if (code === 0) return null;
    if (code === NOT_RUN && name.startsWith('system-test ')) return { outcome: 'not run', what: lastLines(said) };
    return { outcome: 'faulty', what: `${name} fails without the change: ${lastLines(said)}` };
  }

  #run(name: string, limit: number): Promise<Run> {
    const [kind, ...words] = name.split(' ');
    return this.#spawn(process.execPath, [`scripts/${SCRIPTS[kind!]!}`, '--built', words.join(' ')], limit);
  }

  /** The kernels and what is bundled for browsers have build steps of their own. */
  async #build(file: string): Promise<Run> {
    // what was bundled of the file before must go too
    const bundled = [file, this.#stale].some((each) => BUNDLED.test(each));
    this.#stale = '';
    return bundled
      ? this.#spawn('npm', ['run', '--silent', 'build'], MOST_MS)
      : this.#spawn(process.execPath, ['node_modules/typescript/bin/tsc', '-b'], MOST_MS);
  }

  #spawn(command: string, args: readonly string[], limitMs: number): Promise<Run> {
    return this.#runs.run(command, args, { limitMs });
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function lastLines(said: string): string {
  return said.trim().split('\n').slice(-3).join(' | ').slice(-400);
}
