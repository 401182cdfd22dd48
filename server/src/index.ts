export { createApplication, standardDefaults } from './applications/create.ts';
export type { AuditEntry } from '@sosia/contract';
export { patiently } from './cluster/patiently.ts';
export { clusterAddress, clusterFiles, type ClusterFiles } from './cluster/address.ts';
export { ClusteredBackend } from './cluster/clustered-backend.ts';
export { verifyCluster } from './cluster/verify.ts';
export { readConfig, type Config } from './config.ts';
export { Decoder } from './decode/decoder.ts';
export { errors, Failure } from './errors.ts';
export { createLog, startServer, stopOnSignals, type ServerOptions, type RunningServer } from './main.ts';
export { Metrics } from './metrics/metrics.ts';
export { operations } from './operations/operations.ts';
export { recordsNumber } from './applications/records.ts';
export { copiedKinds } from './review/stored.ts';
export { openApplicationStore } from './store/application-store.ts';
export { embeddingName, type EmbeddingNetwork } from './store/embedding-network.ts';
export { exposedIn } from './store/folder.ts';
export { type ImageStore, openImageStore, readImageStore } from './store/image-store.ts';
export { awaitCommits } from './store/moved.ts';
export { removeLogs } from './store/remove-logs.ts';
export { repair } from './store/repair.ts';
export { restore } from './store/restore.ts';
export { snapshot } from './store/snapshot.ts';
export type {
  ApplicationDefaults,
  ApplicationRecord,
  Damage,
  ImageRecord,
  StoredImage,
  NewImage,
  ProfileRecord,
  RecordStore,
  SharedStore,
  StoredKey,
} from './store/store.ts';
export { verify, type Verification } from './store/verify.ts';
export { collectLessOften } from './workers/heap.ts';
