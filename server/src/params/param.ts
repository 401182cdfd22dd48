import type { Given } from './given.ts';
import type { Schema } from './schema.ts';

/** A parameter of an operation: at once its reader, its check, its type and its row in docs/api.md. */
export interface Param<T> {
  /** What it is, in the words of the interface: `string`, `integer`, `list of string`, `file`. */
  readonly type: string;
  readonly required: boolean;
  /** Range, form and default, for people. */
  readonly rule: string;
  /** The same for programs, as far as it can be told them. */
  readonly schema: Schema;
  /** A value for the examples in docs/api.md and the OpenAPI document; `@` before the name of a file. */
  readonly example: string;
  /** Fails with a `Failure` that names the parameter, what was expected and what came. */
  read(given: Given, name: string): T;
}

export type Params = Readonly<Record<string, Param<unknown>>>;

/** What an operation gets of its parameters. */
export type Values<P extends Params> = { [K in keyof P]: ReturnType<P[K]['read']> };

export function readAll<P extends Params>(params: P, given: Given): Values<P> {
  const values = Object.entries(params).map(([name, param]) => [name, param.read(given, name)]);
  return Object.fromEntries(values) as Values<P>;
}

/** How a value that was refused is shown: whole when short, always printable. */
export function shown(text: string): string {
  const start = [...text.slice(0, 80)].slice(0, 60).join('');
  return JSON.stringify(start.length < text.length ? `${start}…` : start);
}
