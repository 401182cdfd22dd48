import { applicationOperations } from './applications.ts';
import { auditOperations } from './audit.ts';
import { keyOperations } from './keys.ts';
import { profileOperations } from './profiles.ts';
import { sourceOperations } from './sources.ts';

/**
 * The operations on applications, keys, profiles and sources, for an administrator's key or a key with the scope `administer`. In
 * the order of the documentation.
 */
export const administration = {
  ...applicationOperations,
  ...keyOperations,
  ...auditOperations,
  ...profileOperations,
  ...sourceOperations,
};
