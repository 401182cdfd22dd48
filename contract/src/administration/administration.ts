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

/**
 * The operations on applications, keys and profiles, for an administrator's key or a key with the scope `administer`. In
 * the order of the documentation.
 */
export const administration = {
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
