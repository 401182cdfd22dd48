import { fail } from '../errors.ts';
import { shown as quoted } from './text.ts';

/** A date, which is the beginning of its day in UTC, or a time with its zone, as a time in UTC. Fails with BAD_PARAMETER. */
export function timeOf(name: string, text: string): string {
  const time = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(time) && isDay(text.slice(0, 10))) return new Date(time).toISOString();
  throw fail('BAD_PARAMETER', `${name}: expected a date, or a time with its zone, in ISO 8601, got ${quoted(text)}`);
}

/** Whether the calendar has it: `Date` takes 2030-02-31 for 3 March. */
function isDay(text: string): boolean {
  return new Date(text).toISOString().startsWith(text);
}
