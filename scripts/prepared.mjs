// What `npm start` and `npm test` need before they can begin: packages installed, everything compiled.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Installs what is missing and compiles what is stale. Says what it does on stderr; ends the process if it fails. */
export function prepare() {
  if (installedBefore('package-lock.json')) run('npm', ['ci', '--no-audit', '--no-fund'], 'installing packages');
  run('npm', ['run', '--silent', 'build'], 'compiling');
}

function installedBefore(lock) {
  const installed = `${root}node_modules/.package-lock.json`;
  return !existsSync(installed) || statSync(installed).mtimeMs < statSync(root + lock).mtimeMs;
}

function run(command, args, what) {
  process.stderr.write(`${what} ...\n`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', process.stderr, process.stderr] });
  if (status === 0) return;
  process.stderr.write(`${what} failed\n`);
  process.exit(1);
}
