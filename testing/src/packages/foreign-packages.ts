import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url));

/** The folder of the programs of a virtual environment with these packages of PyPI. Undefined without Python or PyPI. */
export function pythonWith(...packages: readonly string[]): string | undefined {
  return kept(
    'python',
    packages,
    (folder) => {
      const python = join(folder, 'bin/python');
      return run('python3', '-m', 'venv', folder) && run(python, '-m', 'pip', 'install', '--quiet', ...packages);
    },
    'bin',
  );
}

/** The folder of the programs of these packages of npm, apart from the repository's own. Undefined without npm's registry. */
export function npmWith(...packages: readonly string[]): string | undefined {
  const quiet = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts'];
  return kept(
    'npm',
    packages,
    (folder) => run('npm', 'install', ...quiet, '--prefix', folder, ...packages),
    'node_modules/.bin',
  );
}

/** The folder with `program`, of this source and a module of Go. Undefined without Go or its modules. */
export function goWith(module: string, source: string): string | undefined {
  return kept(
    'go',
    [module, source],
    (folder) => {
      writeFileSync(join(folder, 'main.go'), source);
      const inside = { cwd: folder, timeout: 180_000 };
      writeFileSync(join(folder, 'go.mod'), 'module program\n');
      const steps = [
        ['get', module],
        ['build', '-o', 'bin/program'],
      ];
      return steps.every((words) => spawnSync('go', words, inside).status === 0);
    },
    'bin',
  );
}

/** Installs once, and keeps the folder for the next time. */
function kept(
  kind: string,
  packages: readonly string[],
  install: (folder: string) => boolean,
  programs: string,
): string | undefined {
  const folder = join(cache, `${kind}-${createHash('sha256').update(packages.join()).digest('hex').slice(0, 12)}`);
  const complete = join(folder, 'complete');
  if (!existsSync(complete)) {
    mkdirSync(folder, { recursive: true });
    if (!install(folder)) return undefined;
    writeFileSync(complete, '');
  }
  return join(folder, programs);
}

function run(command: string, ...words: string[]): boolean {
  return spawnSync(command, words, { timeout: 180_000 }).status === 0;
}
