import { scopes } from '@sosia/contract';
import type { ApplicationRecord, StoredKey } from './store.ts';

export const key = (name: string): StoredKey => ({
  id: name,
  name,
  digest: Buffer.from(name.padEnd(32)).toString('hex'),
  hint: name.slice(0, 4),
  scopes,
  created: '2026-01-01T00:00:00.000Z',
});

/** A Media Matching application; its key follows from its name. */
export const application = (name: string): Omit<ApplicationRecord, 'number'> => ({
  keys: [key(name)],
  type: 'media-matching',
  name,
  enabled: true,
  defaults: { nbResults: 10, colorWeight: 50, retrievalThreshold: 1 },
});
