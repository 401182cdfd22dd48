import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A clone of the repository with the changes that are not committed, and with packages of its own. */
export class Clone {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    execFileSync('git', ['clone', '--quiet', '--local', root, folder]);
    const changed = ['ls-files', '-z', '--modified', '--deleted', '--others', '--exclude-standard'];
    for (const path of execFileSync('git', changed, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)) {
      if (existsSync(join(root, path))) cpSync(join(root, path), join(folder, path));
      else rmSync(join(folder, path), { force: true });
    }
    for (const packages of ['node_modules', 'lint/node_modules']) {
      if (existsSync(join(root, packages)))
        cpSync(join(root, packages), join(folder, packages), { recursive: true, verbatimSymlinks: true });
    }
  }

  read(path: string): string {
    return readFileSync(join(this.#folder, path), 'utf8');
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.#folder, path)), { recursive: true });
    writeFileSync(join(this.#folder, path), text);
  }

  /** Replaces what occurs once in a file. */
  edit(path: string, ...changes: readonly (readonly [from: string, to: string])[]): void {
    let text = this.read(path);
    for (const [from, to] of changes) {
      if (text.split(from).length !== 2) throw new Error(`${path} has not once: ${from}`);
      text = text.replace(from, () => to);
    }
    this.write(path, text);
  }

  /** Runs a command of the text. */
  run(command: string): { works: boolean; output: string } {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
      cwd: this.#folder,
      env,
      encoding: 'utf8',
      maxBuffer: 1e9,
    });
    return { works: status === 0, output: stdout + stderr };
  }

  /** Runs a command that must work. */
  done(command: string): string {
    const { works, output } = this.run(command);
    if (!works) throw new Error(`${command} failed: …${output.slice(-3000)}`);
    return output;
  }

  /** What the compiler reports. */
  compile(): string {
    return this.run('npm run --silent build').output;
  }
}

/** What a newcomer writes: a file of the folder `texts`. */
export function textOf(name: string): string {
  return readFileSync(new URL(`../../src/first-change/texts/${name}.txt`, import.meta.url), 'utf8');
}
