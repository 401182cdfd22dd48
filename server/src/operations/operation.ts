import { recipes, traits } from '@sosia/engine';
import type { Traits } from '@sosia/engine';
import type { Application } from '../applications/application.ts';
import type { ErrorName } from '../errors.ts';
import { fail } from '../errors.ts';
import type { Given } from '../params/given.ts';
import type { Params, Values } from '../params/param.ts';
import { readAll } from '../params/param.ts';
import type { Fields } from '../params/schema.ts';

/** The two families of operations, each with its port. */
export const families = ['enginemodify', 'enginequery'] as const;
export type Family = (typeof families)[number];

/** What all operations of the table have in common. */
export interface Operation {
  readonly name: string;
  readonly families: readonly Family[];
  /** The method the interface names. GET and POST are both taken, with parameters in any place. */
  readonly method: 'GET' | 'POST';
  /** One sentence for docs/api.md. */
  readonly about: string;
  /** The fields beside the status, for docs/api.md and the OpenAPI document. */
  readonly gives: Fields;
  /** All but application_key, which every operation has. */
  readonly params: Params;
  /** Whether it changes the reference pictures. */
  readonly changes: boolean;
  /** The message beside code 0. */
  readonly success: string;
  /** The fields beside a negative code, for clients that read them before they look at the code. */
  readonly onFailure: object;
  /** False while only the parameters are checked and the answer is NOT_AVAILABLE_YET. */
  readonly stands: boolean;
  /** The error an application of these traits answers with; false where the operation applies. */
  refuses(traits: Traits): ErrorName | false;
  /** The fields beside the status. Fails with a `Failure`. */
  answer(application: Application, given: Given): Promise<object>;
}

interface Definition<P extends Params> {
  readonly name: string;
  readonly families: readonly Family[];
  readonly method: 'GET' | 'POST';
  readonly about: string;
  readonly gives: Fields;
  readonly params: P;
  readonly changes?: boolean;
  readonly success?: string;
  readonly onFailure?: object;
  /** Whether it needs the engine's recipe for the type of the application; not every type has one yet. */
  readonly needsRecipe?: boolean;
  refuses?(traits: Traits): ErrorName | false;
  /** Left out while the operation is not available yet. */
  run?(application: Application, values: Values<P>): object | Promise<object>;
}

export function operation<P extends Params>(definition: Definition<P>): Operation {
  const { name, params, run, needsRecipe = false } = definition;
  const refuses = definition.refuses ?? (() => false);
  return {
    changes: false,
    success: 'No error',
    onFailure: {},
    ...definition,
    refuses,
    stands: run !== undefined,

    async answer(application, given) {
      const refusal = refuses(application.traits);
      if (refusal) throw fail(refusal, `${name} is for ${titles(refuses)}, not for ${application.traits.title}`);

      const values = readAll(params, given);
      if (!run) throw fail('NOT_AVAILABLE_YET', name);
      if (needsRecipe && !recipes[application.type]) {
        throw fail('NOT_AVAILABLE_YET', `${name} on ${application.traits.title} applications`);
      }
      return run(application, values);
    },
  };
}

/** The names of the application types that an operation applies to. */
export function titles(refuses: Operation['refuses']): string {
  const all: Traits[] = Object.values(traits);
  return all
    .filter((each) => !refuses(each))
    .map(({ title }) => title)
    .join(', ');
}

/** For operations on reference pictures. */
export function withoutReferences(traits: Traits): ErrorName | false {
  return !traits.references && 'DOES_NOT_APPLY';
}

export function withoutColors(traits: Traits): ErrorName | false {
  return !traits.colors && 'DOES_NOT_APPLY';
}
