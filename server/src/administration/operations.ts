import { administration as contract } from '@sosia/contract';
import { fail } from '../errors.ts';
import { readAll } from '../parameters/parameters.ts';
import * as applications from './applications.ts';
import * as audit from './audit.ts';
import * as keys from './keys.ts';
import * as profiles from './profiles.ts';
import * as sources from './sources.ts';
import { Task } from './operation.ts';
import type { AdministrationContract, AdministrationOperation, AdministrationWork } from './operation.ts';

/** The work of every operation of administration; the compiler misses one that is not here. */
const work: { readonly [Name in keyof AdministrationContract]: AdministrationWork<Name> } = {
  ...applications,
  ...keys,
  ...audit,
  ...profiles,
  ...sources,
};

const names = Object.keys(contract) as (keyof AdministrationContract)[];

/** Those for which the key of an application is refused. */
const administratorsOnly: readonly (keyof AdministrationContract)[] = [
  'createApplication',
  'deleteApplication',
  'addExample',
  'trainProfile',
  'deleteProfile',
  'createSource',
];

/** The operations of administration, in the order of the contract. */
export const administration: readonly AdministrationOperation[] = names.map(bound);

function bound<Name extends keyof AdministrationContract>(name: Name): AdministrationOperation {
  const schema: AdministrationContract[Name] = contract[name];
  const run: AdministrationWork<Name> = work[name];
  return {
    ...schema,
    async run(caller, raw, administered) {
      if (administratorsOnly.includes(name) && caller.application) throw fail('NOT_ADMINISTRATOR', schema.name);
      const task = new Task(caller, administered);
      const values = readAll<AdministrationContract[Name]['parameters']['properties']>(
        schema.parameters.properties,
        raw,
      );
      const fields = await run(task, values);
      return { fields, subject: task.subject };
    },
  };
}
