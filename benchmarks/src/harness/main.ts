import { isDeepStrictEqual, parseArgs } from 'node:util';
import type { Benchmark, Options } from './benchmark.ts';
import { reportOf } from './markdown.ts';
import { measure, writeResult } from './result.ts';

const [name = '', ...args] = process.argv.slice(2);
const { default: definition } = (await import(`../${name}/${name}.js`)) as { default: Benchmark };
if (definition.missing) console.log(`${name}: skipped, ${definition.missing}`);
else {
  const options = optionsIn(args, definition.options);
  const result = await measure(name, definition, options);
  console.log(reportOf(result));
  // Only runs of the same size are comparable, so only those replace the result in the repository.
  console.log(`\n${writeResult(result, isDeepStrictEqual(options, definition.options) ? 'results' : 'out')}`);
}

function optionsIn(args: readonly string[], defaults: Options): Options {
  const known = Object.keys(defaults).map((option) => [option, { type: 'string' }] as const);
  const { values } = parseArgs({ args: [...args], options: Object.fromEntries(known) });
  const given = Object.entries(values as Record<string, string>).map(([option, value]) => {
    if (typeof defaults[option] !== 'number') return [option, value];
    if (value.trim() === '' || !Number.isFinite(Number(value)))
      throw new Error(`--${option}: expected a number, got "${value}"`);
    return [option, Number(value)];
  });
  return { ...defaults, ...Object.fromEntries(given) } as Options;
}
