// Fuzzes the ways by which bytes of strangers enter the program: `npm run fuzz`, or some of them: `npm run fuzz -- form dna`.
//   --seconds N   of processor time for each target, 10 unless given
//   --seed S      the same seed tries the same inputs; a new one at each run unless given
//   --blind       without coverage, for comparison
//   --built       everything is compiled already
// Inputs that break a promise are made small and written to fixtures/fuzz/TARGET; the exit code is 1 then.
import { parseArgs } from 'node:util';
import { prepare } from './prepared.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    blind: { type: 'boolean', default: false },
    built: { type: 'boolean' },
  },
});
const seconds = Number(values.seconds);
if (!(seconds > 0)) end(`--seconds: expected a number above 0, got ${values.seconds}`);

if (!values.built) prepare();
const { fuzz, targets } = await import(new URL('../testing/dist/fuzz/fuzz.js', import.meta.url));

const names = targets.map(({ name }) => name);
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0) end(`unknown target ${unknown.join(', ')}; expected some of: ${names.join(', ')}`);

let sound = true;
for (const name of positionals.length > 0 ? positionals : names) {
  sound = (await fuzz(name, { seconds, seed: values.seed, blind: values.blind })) && sound;
}
process.exitCode = sound ? 0 : 1;

function end(message) {
  console.error(message);
  process.exit(2);
}
