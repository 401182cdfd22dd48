// Checks format and code: `npm run lint`, or some of it: `npm run lint -- cli/src`. `--fix` mends what can be mended.
// The linter has packages of its own, in lint/, since it does not run on the TypeScript of the workspaces.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare } from './prepared.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const fix = process.argv.includes('--fix');
const given = process.argv.slice(2).filter((word) => word !== '--fix');
const paths = given.length > 0 ? given : ['.'];

prepare(); // the rules about types need the files that the build generates
if (installedBefore()) run('npm', ['ci', '--no-audit', '--no-fund', '--prefix', 'lint']);
const formatted = run('node_modules/.bin/prettier', [fix ? '--write' : '--check', '--log-level', 'warn', ...paths]);
const rules = ['--config', 'lint/eslint.config.mjs', '--max-warnings', '0', ...(fix ? ['--fix'] : [])];
const sound = run('lint/node_modules/.bin/eslint', [...rules, ...paths]);
process.exitCode = formatted && sound ? 0 : 1;

function installedBefore() {
  const installed = join(root, 'lint/node_modules/.package-lock.json');
  return !existsSync(installed) || statSync(installed).mtimeMs < statSync(join(root, 'lint/package-lock.json')).mtimeMs;
}

function run(command, words) {
  return spawnSync(command, words, { cwd: root, stdio: 'inherit' }).status === 0;
}
