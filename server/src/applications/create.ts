import { scopes } from '@sosia/contract/operation';
import { shippedProfiles, typeDefinitions, type ApplicationType } from '@sosia/engine';
import type { ApplicationDefaults, ApplicationRecord } from '../store/store.ts';
import type { ApplicationStore } from '../store/application-store.ts';
import type { EmbeddingNetwork } from '../store/embedding-network.ts';
import { newKey, storedKey } from './keys.ts';

export const standardDefaults: ApplicationDefaults = { nbResults: 10, colorWeight: 50, retrievalThreshold: 1 };

export interface NewApplication {
  readonly type: ApplicationType;
  readonly name: string;
  readonly defaults?: ApplicationDefaults;
  readonly thumbnails?: boolean;
  readonly ignoreBackground?: boolean;
  /** Describes the pictures of an image-similarity application. */
  readonly embedding?: EmbeddingNetwork;
}

/** Creates an enabled application. Only this call returns the key; the stored digest cannot be inverted. */
export function createApplication(
  store: ApplicationStore,
  application: NewApplication,
): { key: string; record: ApplicationRecord } {
  const { key, row } = newApplication(application);
  return { key, record: store.create(row, application.embedding?.network) };
}

/** The row of a new application, and the key whose digest it has. */
export function newApplication({
  type,
  name,
  defaults = standardDefaults,
  thumbnails = true,
  ignoreBackground = false,
  embedding,
}: NewApplication): { key: string; row: Omit<ApplicationRecord, 'number'> } {
  const key = newKey();
  const profiles = typeDefinitions[type].traits.profiles ? { profiles: shippedProfiles().map(({ name }) => name) } : {};
  const row = {
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
  return { key, row };
}
