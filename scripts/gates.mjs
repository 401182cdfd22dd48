// Runs the gates: what must hold but takes longer than a test. `npm run gates`, or some of them: `npm run gates -- powercut`.
// `--whole` runs those that have two sizes at the larger one, which takes a night's hour or two. `--built` takes the build as it is.
// Ends with 1 where a gate fails, else with 3 where one could not run.
// A gate is a file of bench/src/gates/ that exports `run`, as declared in bench/src/gates/gate.ts.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const gates = [
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
const unknown = named.filter((name) => !gates.includes(name));
if (unknown.length > 0) {
  console.error(`unknown gate ${unknown.join(', ')}; expected some of: ${gates.join(', ')}`);
  process.exit(2);
}

if (!process.argv.includes('--built'))
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });

let failed = 0;
let notRun = 0;
for (const name of named.length > 0 ? named : gates) {
  const started = performance.now();
  const { passed, figures, missing } = await import(new URL(`../bench/dist/gates/${name}.js`, import.meta.url))
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
process.exit(failed > 0 ? 1 : notRun > 0 ? 3 : 0); // at once: a gate that failed may have left something running
