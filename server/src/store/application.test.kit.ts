import type { ApplicationRecord } from './store.ts';

/** A Media Matching application; its key follows from its name. */
export const application = (name: string): Omit<ApplicationRecord, 'number'> => ({
  keyDigest: Buffer.from(name.padEnd(32)).toString('hex'),
  keyHint: name.slice(0, 4),
  type: 'media-matching',
  name,
  enabled: true,
  defaults: { nbResults: 10, colorWeight: 50, retrievalThreshold: 1 },
});
