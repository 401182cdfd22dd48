// Runs every test: `npm test`, or some of them: `npm test -- server/shards`. Ends with the runner's summary.
// `--level unit`, `integration` or `browser` runs one level, by the name of a file: `x.test.ts` is a unit test;
// `x.integration.test.ts` starts processes or a service, or uses whole data folders or a whole application type; `x.browser.test.ts` opens pages.
// A name that begins with a workspace means tests there; any other is looked for in all paths.
// `--built` skips the build.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { prepare, prepareOnly } from './prepared.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const levels = ['unit', 'integration', 'browser'];
/** Files of unit tests that share a process. */
const FILES_OF_A_PROCESS = 10;
const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { level: { type: 'string' }, built: { type: 'boolean' } },
});
if (options.level !== undefined && !levels.includes(options.level)) end(`expected a level of ${levels.join(', ')}`);
const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** Long files come first, so that none runs alone at the end: those that start processes, of the last workspace before others. */
const byLength = (a, b) => (levelOf(a) === 'unit') - (levelOf(b) === 'unit');
/** Their tests need neither the console's site nor later workspaces. */
const early = ['fixtures', 'contract', 'engine'];
const named = names.map((name) => name.split('/')[0]);
if (!options.built) {
  if (named.length > 0 && named.every((name) => early.includes(name))) prepareOnly(...new Set(named));
  else prepare();
}

const parts = names.map((name) => name.replace(/(^|\/)src\//, '$1').replace(/\.ts$/, '.js'));
const files = workspaces
  .toReversed()
  .flatMap(testsOf)
  .filter((file) => options.level === undefined || levelOf(file) === options.level)
  .filter((file) => parts.length === 0 || parts.some((part) => isMeant(part, file.replace(/dist\/(src\/)?/, ''))))
  .sort(byLength);
if (files.length === 0) end(`no test matches ${names.join(', ')}`);

process.chdir(root);
if (options.level === 'unit')
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import ./scripts/unit-guard.mjs`;
// Node 20 warns of mocked timers, which are no longer experimental
process.execArgv.push('--disable-warning=ExperimentalWarning');
// `node --test` would sort the files by name
const tests = run({
  files: parts.length > 0 ? files : together(files),
  concurrency: Math.ceil(1.5 * availableParallelism()),
});
tests.on('test:fail', ({ todo }) => {
  if (!todo) process.exitCode = 1;
});
tests.compose(new spec()).pipe(process.stdout);

/**
 * Lets unit tests share a process, which loads their code once. Those that change their process stay alone.
 * @returns the files to run, those that stay alone first
 */
function together(all) {
  const folder = join(root, 'node_modules/.cache/unit-tests');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const changing =
    /^(before|after)(Each)?\(|process\.(?!cpuUsage|memoryUsage|platform|on\('exit')|mock\.|globalThis|withoutPauses|syncBuiltinESMExports/m;
  const isShared = (file) => levelOf(file) === 'unit' && !changing.test(readFileSync(join(root, file), 'utf8'));
  const shared = all.filter(isShared);
  const alone = all.filter((file) => !isShared(file));
  const files = [];
  for (let i = 0; i < shared.length; i += FILES_OF_A_PROCESS) {
    files.push(join(folder, `${i}.test.mjs`));
    const paths = shared.slice(i, i + FILES_OF_A_PROCESS).map((file) => pathToFileURL(join(root, file)));
    writeFileSync(files.at(-1), paths.map((path) => `import '${path}';\n`).join(''));
  }
  return [...alone, ...files];
}

/** The compiled tests of a workspace. */
function testsOf(workspace) {
  const dist = join(root, workspace, 'dist');
  if (!existsSync(dist)) return [];
  const tests = readdirSync(dist, { recursive: true }).filter((name) => name.endsWith('.test.js'));
  return tests.sort().map((name) => `${workspace}/dist/${name}`);
}

function isMeant(part, path) {
  return workspaces.includes(part.split('/')[0]) ? path.startsWith(part) : path.includes(part);
}

function levelOf(file) {
  return /\.(integration|browser)\.test\.js$/.exec(file)?.[1] ?? 'unit';
}

function end(message) {
  console.error(message);
  process.exit(2);
}
