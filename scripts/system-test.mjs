// Runs the system tests: what must hold but takes longer than a test. `npm run system-test`, or some of them: `npm run system-test -- powercut`.
// `--whole` runs those that have two sizes at the larger one, which takes a night's hour or two. `--built` takes the build as it is.
// Ends with 1 where one fails, else with 3 where one could not run.
// A system test is a file of system-tests/src/ that exports `run`, as declared in system-tests/src/system-test.ts.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const tests = [
  'bodies',
  'confinement',
  'costly-search',
  'damage',
  'fairness',
  'faults',
  'full-disk',
  'hostile',
  'import',
  'kill',
  'linear',
  'memory',
  'mutants',
  'orientation',
  'powercut',
  'powercut-server',
  'syscalls',
];

const root = fileURLToPath(new URL('..', import.meta.url));
const named = process.argv.slice(2).filter((word) => !word.startsWith('--'));
if (process.argv.includes('--whole')) process.env['SOSIA_WHOLE'] = '1';
const unknown = named.filter((name) => !tests.includes(name));
if (unknown.length > 0) {
  console.error(`unknown system test ${unknown.join(', ')}; expected some of: ${tests.join(', ')}`);
  process.exit(2);
}

if (!process.argv.includes('--built'))
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });

let failed = 0;
let notRun = 0;
for (const name of named.length > 0 ? named : tests) {
  const started = performance.now();
  const { passed, figures, missing } = await import(new URL(`../system-tests/dist/${name}.js`, import.meta.url))
    .then(({ run }) => run())
    .catch((cause) => ({ passed: false, figures: { fault: cause.stack } }));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (missing) {
    console.log(`NOT RUN ${name}  needs ${missing.join(' and ')}`);
    notRun++;
    continue;
  }
  console.log(`${passed ? 'passed' : 'FAILED'}  ${name}  ${seconds} s  ${JSON.stringify(figures)}`);
  if (!passed) failed++;
}
process.exit(failed > 0 ? 1 : notRun > 0 ? 3 : 0); // at once: one that failed may have left something running
