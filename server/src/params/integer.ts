import { fail } from '../errors.ts';
import type { Given } from './given.ts';
import type { Param } from './param.ts';
import { shown } from './param.ts';

interface Range {
  readonly min: number;
  readonly max: number;
}

/** A whole number in decimal digits; nothing else that JavaScript would take for a number. */
export function integer(range: Range & { readonly fallback: number }): Param<number> {
  return {
    type: 'integer',
    required: false,
    rule: `${span(range)}; default ${range.fallback}`,
    schema: { type: 'integer', minimum: range.min, maximum: range.max, default: range.fallback },
    example: String(range.fallback),
    read: (given, name) => readInteger(given, name, range) ?? range.fallback,
  };
}

/** The same where the default is the application's, or where there is none. */
export function optionalInteger(range: Range, otherwise: string): Param<number | undefined> {
  return {
    type: 'integer',
    required: false,
    rule: `${span(range)}; ${otherwise}`,
    schema: { type: 'integer', minimum: range.min, maximum: range.max },
    example: String(Math.min(10, range.max)),
    read: (given, name) => readInteger(given, name, range),
  };
}

function readInteger(given: Given, name: string, range: Range): number | undefined {
  const text = given.text(name);
  if (text === undefined) return undefined;

  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (value >= range.min && value <= range.max) return value;
  throw fail('BAD_PARAMETER', `${name}: expected an integer, ${span(range)}, got ${shown(text)}`);
}

function span({ min, max }: Range): string {
  return `${min.toLocaleString('en')} to ${max.toLocaleString('en')}`;
}
