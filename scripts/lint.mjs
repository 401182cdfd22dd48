// Checks format, code and the OpenAPI document: `npm run lint`, or some of it: `npm run lint -- cli/src`. `--fix` mends what can be mended.
// The linter has packages of its own, in lint/, which nobody needs to run or to test the service.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare } from './prepared.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const programs = join(root, 'lint/node_modules/.bin');
const fix = process.argv.includes('--fix');
const given = process.argv.slice(2).filter((word) => word !== '--fix');
const paths = given.length > 0 ? given : ['.'];
/** The linter keeps the types of all its files: the whole repository at once takes more than 800 MB. */
const parts = given.length > 0 ? [given] : [['server'], ['--ignore-pattern', 'server', '.']];

prepare(); // the rules about types need the files that the build generates
if (installedBefore()) run('npm', ['ci', '--no-audit', '--no-fund', '--prefix', 'lint']);
const checks = [
  run('node_modules/.bin/oxfmt', [fix ? '--write' : '--check', ...paths]),
  ...parts.map((part) => run(join(programs, 'oxlint'), [...(fix ? ['--fix'] : []), ...part])),
  !paths.some((path) => isWithin('server', path) || isWithin(path, 'server')) || (await checkOpenapi()),
];
process.exitCode = checks.every((good) => good) ? 0 : 1;

/** By Spectral's rules for OpenAPI; a warning counts. */
async function checkOpenapi() {
  const { openapiDocument } = await import('../server/dist/docs/openapi.js');
  const folder = mkdtempSync(join(tmpdir(), 'sosia-openapi-'));
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(openapiDocument({ modifyPort: 7789, queryPort: 8080 })));
  const rules = ['--ruleset', 'lint/openapi-rules.json', '--fail-severity', 'warn', '--quiet'];
  const valid = run(join(programs, 'spectral'), ['lint', file, ...rules]);
  rmSync(folder, { recursive: true });
  return valid;
}

function isWithin(path, folder) {
  return `${resolve(root, path)}/`.startsWith(`${resolve(root, folder)}/`);
}

function installedBefore() {
  const installed = join(root, 'lint/node_modules/.package-lock.json');
  return !existsSync(installed) || statSync(installed).mtimeMs < statSync(join(root, 'lint/package-lock.json')).mtimeMs;
}

function run(command, words) {
  const env = { ...process.env, OXLINT_TSGOLINT_PATH: join(programs, 'tsgolint') };
  return spawnSync(command, words, { cwd: root, env, stdio: 'inherit' }).status === 0;
}
