// Changes one comparison, constant, condition or guard statement after the other, drawn by chance, and sees whether a test fails:
// `npm run mutations -- random --seed 7 --count 300`. `--folder server/src/http` (repeatable) limits where. `--tests server/http` (repeatable) records and runs only tests
// whose path contains this. `--limit 120` is the seconds after which no further test begins for a mutation. Survivors that may stay are rows of testing/mutations/random/survivors.json, with the reason.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { prepare } from './prepared.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = ['http', 'console', 'administration', 'store', 'cluster', 'workers'].map(
  (name) => `server/src/${name}`,
);
const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Date.now()) },
    count: { type: 'string', default: '300' },
    folder: { type: 'string', multiple: true, default: [...folders, 'client/src'] },
    tests: { type: 'string', multiple: true, default: [''] },
    limit: { type: 'string', default: '120' },
    built: { type: 'boolean' },
  },
});

if (!options.built) prepare();
const { drawnChanges, readAccepted } = await import('../testing/dist/mutations/drawn.js');
const { RandomTrial } = await import('../testing/dist/mutations/random-trial.js');

const accepted = readAccepted(`${root}testing/mutations/random/survivors.json`);
const drawn = drawnChanges(root, options.folder, options.seed);
const trial = new RandomTrial(root, `${root}out/executed-lines.json`, options.tests);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => (trial.close(), process.exit(1)));
const counts = { caught: 0, SURVIVED: 0, accepted: 0 };
const known = ({ file, before, after }) =>
  accepted.find((row) => row.file === file && row.before === before && row.after === after);
try {
  const failing = await trial.record((test, left) => console.error(`recording what ${test} executes, ${left} left`));
  if (failing.length > 0) console.log(`left out, since they fail on the sound code: ${failing.join(', ')}`);
  for (const change of drawn) {
    if (counts.caught + counts.SURVIVED + counts.accepted >= Number(options.count)) break;
    const row = known(change);
    if (row?.equivalent) continue;
    const begin = performance.now();
    const { outcome, what } = row
      ? { outcome: 'accepted', what: row.reason }
      : await trial.judge(change, Number(options.limit));
    if (outcome === 'refused') continue;
    counts[outcome]++;
    const seconds = ((performance.now() - begin) / 1000).toFixed(1).padStart(6);
    console.log(`${outcome.padEnd(8)} ${seconds} s  ${change.file}:${change.line} (${what})`);
    if (outcome !== 'caught') console.log(`  - ${change.before}\n  + ${change.after}`);
  }
} finally {
  trial.close();
}
const tried = counts.caught + counts.SURVIVED + counts.accepted;
const share = (counts.caught / tried).toFixed(3);
console.log(`${counts.caught} of ${tried} caught, ${share}, ${JSON.stringify(counts)}, seed ${options.seed}`);
process.exitCode = counts.SURVIVED > 0 || tried === 0 ? 1 : 0;
