import { fail } from '../errors.ts';
import type { Reader } from './reader.ts';
import { charactersIn, nameFault, shown } from './text.ts';

interface Rule {
  readonly maxLength?: unknown;
  readonly enum?: unknown;
}

/** A text without control characters. */
export const text: Reader<'text'> = {
  read(raw, name, rule) {
    const found = raw.text(name);
    return found === undefined ? undefined : checked(found, name, rule);
  },
  expected: (name, { description }) => `${name}, ${description}`,
};

/** Several, each once, in the order of the first occurrences. */
export const texts: Reader<'texts'> = {
  read(raw, name, { items }) {
    const all = raw
      .texts(name)
      .slice(0, 101)
      .flatMap((each) => each.split(',', 101));
    const found = [...new Set(all.map((each) => each.trim()))].filter((each) => each !== '');
    if (found.length > 100) throw fail('BAD_PARAMETER', `${name}: expected at most 100 values`);
    return found.length > 0 ? found.map((each) => checked(each, name, items as Rule)) : undefined;
  },
  expected: (name, { description }) => `${name}, ${description}`,
};

/** A decimal number without an exponent. */
export const decimal: Reader<'decimal'> = {
  read(raw, name, { exclusiveMinimum: bound, maximum }) {
    const found = raw.text(name);
    if (found === undefined) return undefined;
    const value = /^-?\d{1,15}(\.\d{1,15})?$/.test(found) ? Number(found) : NaN;
    if (value > bound && value <= maximum) return value;
    throw fail('BAD_PARAMETER', `${name}: expected a number above ${bound}, at most ${maximum}, got ${shown(found)}`);
  },
  expected: (name, { exclusiveMinimum: bound, maximum }) => `${name}, above ${bound}, at most ${maximum}`,
};

function checked(found: string, name: string, { maxLength, enum: values }: Rule): string {
  if (Array.isArray(values) && !values.includes(found)) {
    throw fail('BAD_PARAMETER', `${name}: expected one of ${values.join(', ')}, got ${shown(found)}`);
  }
  const fault = nameFault(found, /(?!)/);
  if (fault) throw fail('BAD_TEXT', `${name}: got ${fault} in ${shown(found)}`);
  const characters = charactersIn(found);
  if (characters <= Number(maxLength)) return found;
  throw fail('BAD_PARAMETER', `${name}: expected at most ${Number(maxLength)} characters, got ${characters}`);
}
