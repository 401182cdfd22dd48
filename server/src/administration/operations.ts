import { administration as contract } from '@sosia/contract';
import { fail } from '../errors.ts';
import type { RawParameters } from '../parameters/raw-parameters.ts';
import { allWithWork } from '../parameters/work.ts';
import * as applications from './applications.ts';
import * as audit from './audit.ts';
import * as keys from './keys.ts';
import * as profiles from './profiles.ts';
import * as sources from './sources.ts';
import type { AdministrationContract, Task } from './operation.ts';

const work = { ...applications, ...keys, ...audit, ...profiles, ...sources };

/** Those for which the key of an application is refused. */
const administratorsOnly = [
  contract.createApplication,
  contract.deleteApplication,
  contract.addExample,
  contract.trainProfile,
  contract.deleteProfile,
  contract.createSource,
].map(({ name }): string => name);

/** The operations of administration, in the order of the contract. */
export const administration = allWithWork<Task, AdministrationContract>(contract, work).map((operation) => ({
  ...operation,
  async run(task: Task, raw: RawParameters) {
    if (task.caller.application && administratorsOnly.includes(operation.name))
      throw fail('NOT_ADMINISTRATOR', operation.name);
    return operation.run(task, raw);
  },
}));
