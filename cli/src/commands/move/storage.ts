import { createHash } from 'node:crypto';
import type { Network } from '@sosia/engine';
import { embeddingName } from '@sosia/server';
import type { ApplicationRecord, NewImage, RecordStore, SharedStore } from '@sosia/server';

export type Row = Omit<ApplicationRecord, 'number' | 'origin'>;

/** A data folder or a cluster. */
export interface Storage {
  /** For messages; without a password. */
  readonly name: string;
  /** Verdicts, ignored pictures and the like. */
  readonly records: Pick<RecordStore, 'records' | 'changeRecords'>;
  applications(): Promise<readonly ApplicationRecord[]>;
  /** Durable once resolved. No change of an application is made after it got the state `moved`, in a data folder at once. */
  update(application: ApplicationRecord, row: Partial<Row>): Promise<void>;
  close(): Promise<void>;
}

/** A picture with the number of its version, which changes with the picture. */
export interface Version {
  readonly version: number;
  readonly picture: NewImage;
}

/** Where an application is copied from. */
export interface Source extends Storage {
  /** The network that describes the pictures of an application. */
  network(application: ApplicationRecord): Promise<Network | undefined>;
  /** Of all pictures of the moment; undefined where changes cannot be followed, so that nothing may change. */
  versions(application: ApplicationRecord): Promise<Iterable<number> | undefined>;
  /** In batches: all, or those that still have these versions. */
  pictures(application: ApplicationRecord, versions?: readonly number[]): AsyncIterable<readonly Version[]>;
}

/** Where it is copied to. */
export interface Target extends Storage {
  create(row: Row, network?: Network): Promise<ApplicationRecord>;
  /** Works while no other process copies to the application. @param work  calls `checkLease` before changes */
  alone<T>(application: ApplicationRecord, work: (checkLease: () => void) => Promise<T>): Promise<T>;
  /** In batches: all, or those that are there of these. */
  pictures(application: ApplicationRecord, ids?: readonly string[]): AsyncIterable<readonly NewImage[]>;
  /** Writes pictures, durably, also in place of those with the same ids. */
  put(application: ApplicationRecord, pictures: readonly NewImage[]): Promise<void>;
  remove(application: ApplicationRecord, ids: readonly string[]): Promise<void>;
}

/** An application that is copied from one place to another. */
export interface Copying {
  readonly source: Source;
  readonly target: Target;
  readonly from: ApplicationRecord;
  readonly to: ApplicationRecord;
  /** Fails where another process copies it now; to be called before changes. */
  readonly checkLease: () => void;
}

/** All that a copy of a picture must have in common with it. */
export function digestOf({ id, keywords, dna, thumbnail, details }: NewImage): string {
  const properties = inOrder(details ?? {}); // a cluster gives them in another order
  const lengths = [dna.length, thumbnail?.length ?? 0];
  const hash = createHash('sha256').update(JSON.stringify([id, keywords, properties, lengths]));
  return hash
    .update(dna)
    .update(thumbnail ?? '')
    .digest('base64');
}

/** Objects as lists of their properties by name, at every depth. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const properties = Object.entries(value).map(([name, each]): [string, unknown] => [name, inOrder(each)]);
  return properties.sort(([a], [b]) => (a < b ? -1 : 1));
}

export async function networkOf(
  { network }: ApplicationRecord,
  profiles: Pick<SharedStore['profiles'], 'find'>,
): Promise<Network | undefined> {
  if (!network) return undefined;
  const name = embeddingName(network);
  const profile = (await profiles.find(name))?.profile;
  if (!profile || !('model' in profile)) throw new Error(`there is no ${name}`);
  return profile;
}
