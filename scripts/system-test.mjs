// Runs the system tests: promises whose trial takes longer than a test. `npm run system-test`, or some of them: `npm run system-test -- powercut`.
//   --whole   at the size of a nightly run, which takes an hour or two
//   --built   takes the build as it is
//   --record   writes the figures of a test that passed to system-tests/results, from which docs/guarantees.md takes them
//   --results=FILE   adds a line of JSON for each test, so that several runs can be added up
// The exit code is 1 where one fails, else 3 where one could not run.
// A system test NAME is the file system-tests/src/NAME.ts or system-tests/src/NAME/NAME.ts, as testing/src/harness/system-test.ts declares it.
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeRecord } from './guarantees.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = `${root}system-tests/src/`;
const tests = new Map(
  readdirSync(source, { withFileTypes: true }).flatMap((entry) => {
    const name = entry.name.replace(/\.ts$/, '');
    if (!entry.isDirectory()) return name.endsWith('.test') ? [] : [[name, `${name}.js`]];
    return existsSync(`${source}${name}/${name}.ts`) ? [[name, `${name}/${name}.js`]] : [];
  }),
);

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    whole: { type: 'boolean', default: false },
    built: { type: 'boolean' },
    record: { type: 'boolean' },
    results: { type: 'string' },
  },
});
const unknown = positionals.filter((name) => !tests.has(name));
if (unknown.length > 0) {
  console.error(`unknown system test ${unknown.join(', ')}; expected some of: ${[...tests.keys()].join(', ')}`);
  process.exit(2);
}
if (!options.built)
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });

const compiled = new URL('../system-tests/dist/', import.meta.url);
const { runSystemTest } = await import('../testing/dist/harness/system-test.js');
const commit = (await import('../benchmarks/dist/harness/history.js')).commitHere();
if (options.record && !/^[0-9a-f]{7}$/.test(commit)) {
  console.error(`figures are recorded of a commit, and this is "${commit}"`);
  process.exit(2);
}
let failed = 0;
let notRun = 0;
for (const name of positionals.length > 0 ? positionals : tests.keys()) {
  const { default: test } = await import(new URL(tests.get(name), compiled));
  console.log(`${name}: ${test.promise}`);
  const started = performance.now();
  const { passed, figures, missing } = await runSystemTest(test, options);
  if (missing.length > 0) {
    console.log(`NOT RUN ${name}  needs ${missing.join(' and ')}`);
    notRun++;
    continue;
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${passed ? 'passed' : 'FAILED'}  ${name}  ${seconds} s  ${JSON.stringify(figures)}`);
  if (options.results)
    appendFileSync(options.results, `${JSON.stringify({ name, at: new Date(), passed, seconds, figures })}\n`);
  if (options.record && passed) {
    writeRecord({
      name,
      date: new Date().toISOString().slice(0, 10),
      commit,
      seconds,
      figures: { ...figures, faults: undefined },
    });
  }
  if (!passed) failed++;
}
process.exit(failed > 0 ? 1 : notRun > 0 ? 3 : 0); // a test that failed may have left something running
