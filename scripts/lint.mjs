// Checks format, code and the OpenAPI document: `npm run lint`, or some of it: `npm run lint -- cli/src`. `--fix` mends what can be mended.
// The linter has packages of its own, in lint/, since it does not run on the TypeScript of the workspaces. Rules about types,
// in scripts/lint/, run on it, ten times faster.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { prepare } from './prepared.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const fix = process.argv.includes('--fix');
const given = process.argv.slice(2).filter((word) => word !== '--fix');
const paths = given.length > 0 ? given : ['.'];

prepare(); // the rules about types need the files that the build generates
if (installedBefore()) await run('npm', ['ci', '--no-audit', '--no-fund', '--prefix', 'lint']);
const rules = ['--config', 'lint/eslint.config.mjs', '--max-warnings', '0', ...(fix ? ['--fix'] : [])];
const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const typed = workspaces.filter((name) => paths.some((path) => isWithin(name, path) || isWithin(path, name)));
const formatted = run('node_modules/.bin/prettier', [fix ? '--write' : '--check', '--log-level', 'warn', ...paths]);
if (fix) await formatted; // the linter writes the same files
const sound = run('lint/node_modules/.bin/eslint', [...rules, ...paths]);
await Promise.all([formatted, sound]); // two processes at once, since all together would take more than 800 MB
const fitting = run(process.execPath, ['scripts/lint/types.mjs', ...typed]);
const documented = !typed.includes('server') || checkOpenapi();
const all = await Promise.all([formatted, sound, fitting, documented]);
process.exitCode = all.every((good) => good) ? 0 : 1;

/** By Spectral's rules for OpenAPI; a warning counts. */
async function checkOpenapi() {
  const { openapiDocument } = await import('../server/dist/docs/openapi.js');
  const folder = mkdtempSync(join(tmpdir(), 'sosia-openapi-'));
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(openapiDocument({ modifyPort: 7789, queryPort: 8080 })));
  const rules = ['--ruleset', 'lint/openapi-rules.json', '--fail-severity', 'warn', '--quiet'];
  const valid = await run('lint/node_modules/.bin/spectral', ['lint', file, ...rules]);
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

/** What it writes is shown at its end, so that the words of two do not mix. */
async function run(command, words) {
  const child = spawn(command, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  const [out, err, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  process.stdout.write(out);
  process.stderr.write(err.replaceAll('context canceled\n', '')); // the compiler's last word where it is ended while it works
  return status === 0;
}
