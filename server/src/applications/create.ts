import { scopes } from '@sosia/contract';
import { shippedProfiles, typeDefinitions, type ApplicationType } from '@sosia/engine';
import type { ApplicationDefaults, ApplicationRecord, ApplicationStore } from '../store/store.ts';
import type { EmbeddingNetwork } from '../store/embedding-network.ts';
import { digestOf, hintOf, newKey, storedKey } from './keys.ts';

export const standardDefaults: ApplicationDefaults = { nbResults: 10, colorWeight: 50, retrievalThreshold: 1 };

/** Creates an enabled application. Only this call returns the key; the stored digest cannot be inverted. */
export function createApplication(
  store: ApplicationStore,
  {
    type,
    name,
    defaults = standardDefaults,
    thumbnails = true,
    ignoreBackground = false,
    embedding,
  }: {
    type: ApplicationType;
    name: string;
    defaults?: ApplicationDefaults;
    thumbnails?: boolean;
    ignoreBackground?: boolean;
    /** Describes the pictures of an image-similarity application. */
    embedding?: EmbeddingNetwork;
  },
): { key: string; record: ApplicationRecord } {
  const key = newKey();
  const profiles = typeDefinitions[type].traits.profiles ? { profiles: shippedProfiles().map(({ name }) => name) } : {};
  const row = {
    keyDigest: digestOf(key),
    keyHint: hintOf(key),
    keys: [storedKey(key, { id: 'first', name: 'first', scopes })],
    type,
    name,
    enabled: true,
    defaults,
    thumbnails,
    ...(ignoreBackground && { ignoreBackground }),
    ...profiles,
    ...(embedding && { network: embedding.identity }),
  };
  const record = store.create(row, embedding?.network);
  return { key, record };
}
