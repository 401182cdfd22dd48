// Breaks the code on purpose, one guard at a time, and sees that a test fails: `npm run mutations`, or some of the
// mutations by area or by a part of the name: `npm run mutations -- store "before its commit"`. Those are the rows of testing/mutations/*.json.
// `--budget 180` tries a sample, chosen by `--seed`, of those that tests without a cluster catch, and begins no other after so many seconds.
// `npm run mutations -- random` draws mutations by chance instead: see random-mutations.mjs.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { prepare } from './prepared.mjs';

if (process.argv[2] === 'random') {
  await import('./random-mutations.mjs');
  process.exit();
}

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    budget: { type: 'string' },
    seed: { type: 'string', default: String(Date.now()) },
    built: { type: 'boolean' },
  },
});

if (!options.built) prepare();
const { readMutations } = await import('../testing/dist/mutations/mutation.js');
const { Trial } = await import('../testing/dist/mutations/trial.js');
const { randomFor, shuffled } = await import('../testing/dist/pictures/random.js');

const all = readMutations(fileURLToPath(new URL('../testing/mutations', import.meta.url)));
const known = (word) => all.filter(({ area, name }) => area === word || name.includes(word));
const unknown = wanted.filter((word) => known(word).length === 0);
if (unknown.length > 0) {
  console.error(
    `no mutation matches ${unknown.join(', ')}; areas are ${[...new Set(all.map(({ area }) => area))].join(', ')}`,
  );
  process.exit(2);
}
let chosen = wanted.length > 0 ? [...new Set(wanted.flatMap(known))] : all;
if (options.budget) {
  chosen = shuffled(
    randomFor('mutations', options.seed),
    chosen.filter(({ fails }) => fails.every((name) => /^test (?!testing\/cluster)/.test(name))),
  );
}

const trial = new Trial(root);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => (trial.close(), process.exit(1)));
const begin = performance.now();
const counts = {};
try {
  for (const mutation of chosen) {
    const started = performance.now();
    if (options.budget && started - begin > Number(options.budget) * 1000) break;
    const { outcome, what } = await trial.judge(mutation);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(6);
    console.log(`${outcome.padEnd(8)} ${seconds} s  ${mutation.area}: ${mutation.name}${what && ` (${what})`}`);
  }
} finally {
  trial.close();
}
const tried = Object.values(counts).reduce((sum, count) => sum + count, 0);
console.log(
  `${counts.caught ?? 0} of ${tried} caught, ${JSON.stringify(counts)}${options.budget ? `, seed ${options.seed}` : ''}`,
);
process.exitCode = tried > 0 && counts.caught === tried ? 0 : 1;
