import { administration as contract } from '@sosia/contract';
import {
  createApplication,
  deleteApplication,
  emptyApplication,
  getApplication,
  listApplications,
  setApplication,
} from './applications.ts';
import { listAudit } from './audit.ts';
import { createKey, listKeys, revokeKey, rotateKey, setKey } from './keys.ts';
import { addExample, deleteProfile, getProfile, listProfiles, trainProfile } from './profiles.ts';
import { administrationOperation } from './operation.ts';
import type { AdministrationContract, AdministrationOperation, AdministrationWork } from './operation.ts';

/** The work of every operation of administration; the compiler misses one that is not here. */
const work: { readonly [Name in keyof AdministrationContract]: AdministrationWork<AdministrationContract[Name]> } = {
  listApplications,
  getApplication,
  createApplication,
  setApplication,
  emptyApplication,
  deleteApplication,
  listKeys,
  createKey,
  setKey,
  rotateKey,
  revokeKey,
  listAudit,
  listProfiles,
  getProfile,
  addExample,
  trainProfile,
  deleteProfile,
};

const names = Object.keys(contract) as (keyof AdministrationContract)[];

/** The operations of administration, in the order of the contract. */
export const administration: readonly AdministrationOperation[] = names.map(bound);

function bound<Name extends keyof AdministrationContract>(name: Name): AdministrationOperation {
  return administrationOperation<AdministrationContract[Name]>(contract[name], work[name]);
}
