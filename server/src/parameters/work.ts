import type { Fields, Operation as Schema, Values } from '@sosia/contract';
import { readAll } from './parameters.ts';
import type { RawParameters } from './raw-parameters.ts';

/** What an operation does. The compiler compares the parameters and the answer with the contract. */
export type WorkOn<Subject, O extends Schema> = (
  subject: Subject,
  values: Values<O['parameters']['properties']>,
) => Fields<O> | Promise<Fields<O>>;

/** An operation with its work. */
export interface Working<Subject> extends Schema {
  /** Checks the parameters and does the work. Fails with a `Failure`. */
  run(subject: Subject, raw: RawParameters): Promise<object>;
}

export function withWork<Subject, O extends Schema>(schema: O, work: WorkOn<Subject, O>): Working<Subject> {
  return {
    ...schema,
    run: async (subject, raw) =>
      work(subject, readAll<O['parameters']['properties']>(schema.parameters.properties, raw)),
  };
}

/** The operations of a contract, in its order; the compiler misses a work that is not here. */
export function allWithWork<Subject, C extends { readonly [name in keyof C]: Schema }>(
  contract: C,
  work: { readonly [Name in keyof C]: WorkOn<Subject, C[Name]> },
): readonly Working<Subject>[] {
  const names = Object.keys(contract) as (keyof C)[];
  return names.map((name) => withWork<Subject, C[typeof name]>(contract[name], work[name]));
}
