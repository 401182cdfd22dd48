import type { Fields, Operation as Schema, operations, Values } from '@sosia/contract';
import { typeDefinitions, type Traits } from '@sosia/engine';
import type { Application } from '../applications/application.ts';
import { textOf } from '../applications/references.ts';
import { fail, type ErrorName } from '../errors.ts';
import type { RawParameters } from '../parameters/raw-parameters.ts';
import { readAll } from '../parameters/parameters.ts';

/** The schemas of all operations. */
export type Contract = typeof operations;

/** An operation of the contract with its implementation. */
export interface Operation extends Schema {
  /** The error of an application with these traits; false if the operation applies. */
  readonly refuses: (traits: Traits) => ErrorName | false;
  /** Checks the parameters and does the work: the fields beside the status. Fails with a `Failure`. */
  run(application: Application, raw: RawParameters): Promise<object>;
}

/** What an operation does. The compiler compares the parameters and the answer with the contract. */
export interface Work<O extends Schema> {
  /** The error of an application with these traits; false where the operation applies, which is everywhere if this is missing. */
  readonly refuses?: (traits: Traits) => ErrorName | false;
  /** Whether it answers before the pictures of the application are loaded. */
  readonly whileLoading?: boolean;
  run(application: Application, values: Values<O['parameters']['properties']>): Fields<O> | Promise<Fields<O>>;
}

export function operation<O extends Schema>(schema: O, work: Work<O>): Operation {
  const { name, parameters } = schema;
  const refuses = work.refuses ?? (() => false);
  return {
    ...schema,
    refuses,
    async run(application, raw) {
      const refusal = refuses(application.traits);
      if (refusal) throw fail(refusal, `${name} is for ${titles(refuses)}, not for ${application.traits.title}`);
      if (!work.whileLoading) requireLoaded(application);
      return work.run(application, readAll<O['parameters']['properties']>(parameters.properties, raw));
    },
  };
}

/** From the start of the service, an application is refused until its pictures are there. */
function requireLoaded({ references: { loading } }: Application): void {
  if (loading) throw fail('LOADING', textOf(loading));
}

/** The names of the application types that an operation applies to. */
export function titles(refuses: Operation['refuses']): string {
  const allowed = Object.values(typeDefinitions).filter(({ traits }) => !refuses(traits));
  return allowed.map(({ traits }) => traits.title).join(', ');
}

/** For operations on reference pictures. */
export function ofReferences<O extends Schema>(run: Work<O>['run']): Work<O> {
  return { refuses: withoutReferences, run };
}

export function withoutReferences(traits: Traits): ErrorName | false {
  return !traits.references && 'DOES_NOT_APPLY';
}

export function ofColors<O extends Schema>(run: Work<O>['run']): Work<O> {
  return { refuses: (traits) => !traits.colors && 'DOES_NOT_APPLY', run };
}
