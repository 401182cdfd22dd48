// Runs every test: `npm test`, or some of them: `npm test -- server/shards`. Ends with the runner's summary.
// `--level unit`, `integration` or `browser` runs one level, by the name of a file: `x.test.ts` is a unit test;
// `x.integration.test.ts` starts processes or a service, or uses whole data folders or a whole application type; `x.browser.test.ts` opens pages.
// `--built` skips the build.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { prepare } from './prepared.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const levels = ['unit', 'integration', 'browser'];
const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { level: { type: 'string' }, built: { type: 'boolean' } },
});
if (options.level !== undefined && !levels.includes(options.level)) end(`expected a level of ${levels.join(', ')}`);
if (!options.built) prepare();

const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const parts = names.map((name) => name.replace(/(^|\/)src\//, '$1').replace(/\.ts$/, '.js'));
const files = workspaces
  .flatMap(testsOf)
  .filter((file) => options.level === undefined || levelOf(file) === options.level)
  .filter((file) => parts.length === 0 || parts.some((part) => file.replace(/dist\/(src\/)?/, '').includes(part)));
if (files.length === 0) end(`no test matches ${names.join(', ')}`);

const guard = options.level === 'unit' ? ['--import', './scripts/unit-guard.mjs'] : [];
const runner = ['--test', '--test-reporter=spec', `--test-concurrency=${availableParallelism()}`];
const { status } = spawnSync(process.execPath, [...guard, ...runner, ...files], { cwd: root, stdio: 'inherit' });
process.exitCode = status ?? 1;

/** The compiled tests of a workspace. */
function testsOf(workspace) {
  const dist = join(root, workspace, 'dist');
  if (!existsSync(dist)) return [];
  const tests = readdirSync(dist, { recursive: true }).filter((name) => name.endsWith('.test.js'));
  return tests.sort().map((name) => `${workspace}/dist/${name}`);
}

function levelOf(file) {
  return /\.(integration|browser)\.test\.js$/.exec(file)?.[1] ?? 'unit';
}

function end(message) {
  console.error(message);
  process.exit(2);
}
