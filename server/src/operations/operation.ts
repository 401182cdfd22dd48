import type { Operation as Schema, operations } from '@sosia/contract';
import { typeDefinitions, type Traits } from '@sosia/engine';
import type { Application } from '../applications/application.ts';
import { textOf } from '../applications/references.ts';
import { fail, type ErrorName } from '../errors.ts';
import type { WorkOn, Working } from '../parameters/work.ts';
import { withWork } from '../parameters/work.ts';

/** The schemas of all operations. */
export type Contract = typeof operations;

/** An operation of the contract with its implementation. */
export interface Operation extends Working<Application> {
  /** The error of an application with these traits; false if the operation applies. */
  readonly refuses: (traits: Traits) => ErrorName | false;
}

/** What an operation does, and when. */
export interface Work<O extends Schema> {
  /** The error of an application with these traits; false where the operation applies, which is everywhere if this is missing. */
  readonly refuses?: (traits: Traits) => ErrorName | false;
  /** Whether it answers before the pictures of the application are loaded. */
  readonly whileLoading?: boolean;
  readonly run: WorkOn<Application, O>;
}

export function operation<O extends Schema>(schema: O, work: Work<O>): Operation {
  const refuses = work.refuses ?? (() => false);
  const checked = withWork(schema, work.run);
  return {
    ...schema,
    refuses,
    async run(application, raw) {
      const refusal = refuses(application.traits);
      if (refusal) throw fail(refusal, `${schema.name} is for ${titles(refuses)}, not for ${application.traits.title}`);
      if (!work.whileLoading) requireLoaded(application);
      return checked.run(application, raw);
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
