// Runs every test: `npm test`, or some of them: `npm test -- server/shards`. Ends with the runner's summary.
// `--built` takes the build as it is.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare } from './prepared.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const workspaces = [
  'contract',
  'engine',
  'server',
  'client',
  'console',
  'cli',
  'fixtures',
  'testing',
  'benchmarks',
  'system-tests',
];

const words = process.argv.slice(2).filter((word) => word !== '--built');
if (!process.argv.includes('--built')) prepare();
const files = workspaces.flatMap(testsOf);
const wanted = words.map((name) => name.replace(/(^|\/)src\//, '$1').replace(/\.ts$/, '.js'));
const chosen = files.filter(
  (file) => wanted.length === 0 || wanted.some((name) => file.replace(/dist\/(src\/)?/, '').includes(name)),
);
if (chosen.length === 0) {
  console.error(`no test matches ${wanted.join(', ')}`);
  process.exit(2);
}

const { status } = spawnSync(process.execPath, ['--test', '--test-reporter=spec', ...chosen], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;

/** The compiled tests of a workspace. Those whose source is gone are removed, or they would run for ever. */
function testsOf(workspace) {
  const dist = join(root, workspace, 'dist');
  if (!existsSync(dist)) return [];
  const sources = existsSync(join(dist, 'src')) ? '' : 'src'; // the engine compiles more than `src`
  return readdirSync(dist, { recursive: true })
    .filter((name) => name.endsWith('.test.js'))
    .filter((name) => {
      const source = existsSync(join(root, workspace, sources, name.replace(/\.js$/, '.ts')));
      if (!source) rmSync(join(dist, name));
      return source;
    })
    .map((name) => `${workspace}/dist/${name}`)
    .sort();
}
