// Runs the tests whose path contains a word, and again after each change of a source: `npm run test:watch -- server/shards`.
import { spawn } from 'node:child_process';
import { readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const words = process.argv.slice(2);
if (words.length === 0) {
  console.error('name the tests to watch, such as server/shards');
  process.exit(2);
}

const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** Milliseconds without a further change before a run begins, since editors write several times. */
const PAUSE_MS = 200;
let running;
let due;

for (const workspace of workspaces)
  watch(join(root, workspace), { recursive: true }, (_, name) => changed(`${workspace}/${name}`));
run();

function changed(name) {
  if (!/\.(?:ts|tsx|css)$/.test(name) || /\/dist\/|^engine\/.*\.generated\.ts$/.test(name)) return;
  clearTimeout(due);
  due = setTimeout(run, PAUSE_MS);
}

/** A run that is under way ends first, since it may be compiling. */
function run() {
  if (running) return void (due = setTimeout(run, PAUSE_MS));
  running = spawn(process.execPath, ['scripts/test.mjs', ...words], { cwd: root, stdio: 'inherit' });
  running.once('exit', () => (running = undefined));
}
