import { span } from '@sosia/contract';
import { fail } from '../errors.ts';
import type { Reader } from './reader.ts';
import { shown } from './text.ts';

/** A whole number in decimal digits; other notations of JavaScript numbers are refused. */
export const integer: Reader<'integer'> = {
  read(raw, name, range) {
    const text = raw.text(name);
    if (text === undefined) return undefined;

    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : NaN;
    if (value >= range.minimum && value <= range.maximum) return value;
    throw fail('BAD_PARAMETER', `${name}: expected an integer, ${span(range)}, got ${shown(text)}`);
  },
  expected: (name, range) => `${name}, ${span(range)}`,
};
