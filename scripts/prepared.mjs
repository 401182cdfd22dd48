// What `npm start` and `npm test` need before they can begin: packages installed, everything compiled.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** Holds the fingerprint of the sources that were compiled last. */
const stamp = join(root, 'node_modules/.sosia-build');

/** Installs missing packages, and compiles where a source has changed. Reports on stderr; ends the process on a failure. */
export function prepare() {
  install();
  if (isCurrent()) return;
  const before = fingerprint();
  run('npm', ['run', '--silent', 'build'], 'compiling');
  if (before === fingerprint()) writeFileSync(stamp, before); // else a source was changed meanwhile
}

/** Installs missing packages, and compiles these workspaces and what they depend on, without the console's site. */
export function prepareOnly(...workspaces) {
  install();
  if (isCurrent()) return;
  run(process.execPath, ['scripts/build-contract.mjs'], 'bundling the schemas');
  run(process.execPath, ['scripts/build-engine.mjs'], 'building the kernels');
  run('node_modules/.bin/tsc', ['-b', ...workspaces], `compiling ${workspaces.join(', ')}`);
}

function install() {
  if (installedBefore('package-lock.json'))
    run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], 'installing packages');
}

function installedBefore(lock) {
  const installed = join(root, 'node_modules/.package-lock.json');
  return !existsSync(installed) || statSync(installed).mtimeMs < statSync(join(root, lock)).mtimeMs;
}

function isCurrent() {
  const compiled = workspaces.every((workspace) => existsSync(join(root, workspace, 'dist')));
  return compiled && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint();
}

/** A digest of the names, sizes and times of all sources. */
function fingerprint() {
  const hash = createHash('sha256');
  const built = ['contract', 'engine', 'site', 'service'].map((name) => `scripts/build-${name}.mjs`);
  for (const path of ['package-lock.json', 'package.json', 'tsconfig.base.json', 'tsconfig.json', ...built]) add(path);
  for (const workspace of workspaces) walk(workspace);
  return hash.digest('hex');

  function walk(folder) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (['node_modules', 'dist'].includes(entry.name)) continue;
      if (entry.isDirectory()) walk(path);
      else if (!/\.tsbuildinfo$|^engine\/.*\.generated\.ts$/.test(path)) add(path);
    }
  }

  function add(path) {
    const { size, mtimeMs } = statSync(join(root, path));
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
}

function run(command, args, what) {
  process.stderr.write(`${what} ...\n`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', process.stderr, process.stderr] });
  if (status === 0) return;
  process.stderr.write(`${what} failed\n`);
  process.exit(1);
}
