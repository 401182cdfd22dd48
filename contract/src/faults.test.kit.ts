import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';
import { Clean, Errors } from 'typebox/value';

/**
 * What is wrong with a value: a missing field, a value of another type, and also a field that the schema does not name.
 * The last is no fault on the wire, where later versions may add fields, but it is one in this version.
 */
export function faultsOf(schema: TSchema, value: unknown): string[] {
  const faults = Errors(schema, value).map(({ instancePath, message }) => `${instancePath} ${message}`);
  const known = Clean(schema, structuredClone(value));
  return isDeepStrictEqual(known, value) ? faults : [...faults, 'a field that the schema does not name'];
}
