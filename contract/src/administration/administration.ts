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
import { confirmSource, createSource, deleteSource, getSource, listSources, runSource, setSource } from './sources.ts';

/**
 * The operations on applications, keys, profiles and sources, for an administrator's key or a key with the scope `administer`. In
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
  listSources,
  getSource,
  createSource,
  setSource,
  runSource,
  confirmSource,
  deleteSource,
};
