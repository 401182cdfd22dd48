import type { ApplicationRecord } from '../store/store.ts';
import type { ApplicationStore } from '../store/application-store.ts';
import type { UsesStore } from './key-uses.ts';
import type { References } from './references.ts';

/** Reference pictures, and what their application needs of them besides. */
export interface HeldReferences extends References {
  /** Counts what is to be loaded; missing if nothing is. */
  expect?(): Promise<void>;
  /** @param progress  called now and then with the number of loaded pictures */
  load?(record: ApplicationRecord, progress: (loaded: number) => void): Promise<void>;
  /** Releases the memory of a deleted application. Work in progress fails with UNKNOWN_APPLICATION. */
  drop?(): Promise<void>;
  /** Before the end of the service. */
  close?(): Promise<void>;
}

/** Where the applications of a server and their pictures are: a data folder, or a cluster. */
export interface Backend {
  /** The applications as last read; see `ApplicationStore`. */
  readonly applications: Pick<ApplicationStore, 'list' | 'revision' | 'deleted' | 'administrators'> & UsesStore;
  /** @param stored  whether pictures may be stored already, which `load` brings */
  open(record: ApplicationRecord, stored: boolean): HeldReferences;
  /** Frees the space of a deleted application. */
  purge(number: number): Promise<unknown>;
}
