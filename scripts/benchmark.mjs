// npm run benchmark -- NAME [options]: one benchmark, benchmarks/src/NAME/NAME.ts.
// npm run benchmark -- all: measures what is older than what it measures, and commits each result alone. It takes hours; after a stop the same
// command goes on with what is left. `--list` only prints what would run.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { prepare } from './prepared.mjs';

prepare();
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}benchmarks/`;
const benchmarks = readdirSync(`${folder}src`).filter((name) => existsSync(`${folder}src/${name}/${name}.ts`));
const [name, ...options] = process.argv.slice(2);
if (name === 'all') await measureAll(options.includes('--list'));
else if (name && benchmarks.includes(name)) process.exitCode = measured(name, options) ? 0 : 1;
else {
  console.error(
    `${name ? `unknown benchmark "${name}"` : 'no benchmark is named'}; expected all, or one of: ${benchmarks.join(', ')}`,
  );
  process.exitCode = 2;
}

async function measureAll(listOnly) {
  const { commitsSince } = await import('../benchmarks/dist/harness/history.js');
  const { readResults } = await import('../benchmarks/dist/harness/result.js');
  const results = new Map(readResults().map((result) => [result.file, result]));
  const left = benchmarks.filter((benchmark) => {
    const result = results.get(benchmark);
    const since = result ? commitsSince(result.commit, result.measures) : null;
    const isCurrent = since === 0 && !result.commits;
    const age = !result ? 'never measured' : since === null ? 'unknown age' : `${since} commits old`;
    const time =
      result?.seconds === undefined ? 'time not recorded' : `${Math.ceil(result.seconds / 60)} minutes last time`;
    console.log(`${benchmark}: ${isCurrent ? 'current' : `to measure, ${age}, ${time}`}`);
    return !isCurrent;
  });
  if (listOnly) return;
  if (git('status', '--porcelain', '--untracked-files=no').stdout.trim() !== '') {
    console.error('there are changes that are not committed, so no commit could be named');
    process.exitCode = 2;
    return;
  }
  for (const [i, benchmark] of left.entries()) {
    console.log(`\n${benchmark}, ${i + 1} of ${left.length}`);
    if (!measured(benchmark, []) || !committed(benchmark)) process.exitCode = 1;
  }
}

function measured(benchmark, options) {
  const { status } = spawnSync(process.execPath, [`${folder}dist/harness/main.js`, benchmark, ...options], {
    stdio: 'inherit',
  });
  return status === 0;
}

/** The result and the page; a benchmark that was skipped has neither. */
function committed(benchmark) {
  const file = `benchmarks/results/${benchmark}.json`;
  if (git('status', '--porcelain', '--', file).stdout === '') return true;
  if (spawnSync(process.execPath, [`${root}scripts/docs.mjs`], { stdio: 'inherit' }).status !== 0) return false;
  git('add', file);
  const { status, stderr } = git(
    'commit',
    '-m',
    `The benchmark ${benchmark} measured anew`,
    '--',
    file,
    'docs/benchmarks.md',
  );
  if (status !== 0) console.error(stderr);
  return status === 0;
}

function git(...words) {
  return spawnSync('git', words, { cwd: root, encoding: 'utf8' });
}
