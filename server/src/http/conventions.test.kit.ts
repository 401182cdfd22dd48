import type { Family } from './exposition.test.kit.ts';

const types = 'counter|gauge|histogram|summary';
const abbreviations = 's|ms|us|ns|sec|b|kb|mb|gb|tb|pb|m|h|d';
const scales = '(nano|micro|milli|centi|kilo|kibi|mega|mibi|giga|gibi|tera|tebi|peta|pebi)';
const units = '(bytes|bits|seconds|meters|metres|grams|joules|volts|amperes|celsius)';
const derived = 'minutes|hours|days|weeks|bits|fahrenheit|inches|yards|miles|pounds|ounces|calories|percent';

/** Whether one of these words is between the underscores of a name. */
const has = (words: string, name: string): boolean => new RegExp(`(^|_)(${words})(_|$)`).test(name);

/** What `promtool check metrics` refuses: names against the conventions of Prometheus, and families without a help. */
export function faultsOfNames(families: ReadonlyMap<string, Pick<Family, 'kind' | 'help' | 'samples'>>): string[] {
  return [...families].flatMap(([name, { kind, help, samples }]) => {
    const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)));
    const isDistribution = kind === 'histogram' || kind === 'summary';
    const faults: Record<string, boolean> = {
      'no help': help.trim() === '',
      'a counter ends with _total': kind === 'counter' && !name.endsWith('_total'),
      'only a counter ends with _total': kind !== 'counter' && name.endsWith('_total'),
      'a suffix of histograms': !isDistribution && /_(bucket|count|sum)$/.test(name),
      'a label of histograms':
        (kind !== 'histogram' && labels.has('le')) || (kind !== 'summary' && labels.has('quantile')),
      'a type in the name': has(types, name),
      'expected seconds, bytes or another base unit': has(`${scales}${units}|${derived}`, name),
      'an abbreviated unit': has(abbreviations, name),
      'expected lower case with _ between words': [name, ...labels].some((each) => !/^[a-z_][a-z0-9_]*$/.test(each)),
    };
    return Object.entries(faults).flatMap(([fault, found]) => (found ? [`${name}: ${fault}`] : []));
  });
}
