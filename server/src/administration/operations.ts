import { administration as contract } from '@sosia/contract';
import * as applications from './applications.ts';
import * as audit from './audit.ts';
import * as keys from './keys.ts';
import * as profiles from './profiles.ts';
import * as sources from './sources.ts';
import { administrationOperation } from './operation.ts';
import type { AdministrationContract, AdministrationOperation, AdministrationWork } from './operation.ts';

/** The work of every operation of administration; the compiler misses one that is not here. */
const work: { readonly [Name in keyof AdministrationContract]: AdministrationWork<AdministrationContract[Name]> } = {
  ...applications,
  ...keys,
  ...audit,
  ...profiles,
  ...sources,
};

const names = Object.keys(contract) as (keyof AdministrationContract)[];

/** The operations of administration, in the order of the contract. */
export const administration: readonly AdministrationOperation[] = names.map(bound);

function bound<Name extends keyof AdministrationContract>(name: Name): AdministrationOperation {
  return administrationOperation<AdministrationContract[Name]>(contract[name], work[name]);
}
