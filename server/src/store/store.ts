import type { Metadata, Origin, Scope, ShownEvent } from '@sosia/contract';
import type { ApplicationType, FileTraces, Network, NetworkIdentity, Profile, Report } from '@sosia/engine';
import type { ApplicationStore } from './application-store.ts';
import type { ProfileStore } from './profile-store.ts';

/** The stored data of one reference picture. */
export interface ImageRecord {
  /** Assigned once by the store, ascending, never assigned again in the whole folder. */
  readonly number: number;
  readonly id: string;
  readonly keywords: readonly string[];
  readonly dna: Uint8Array;
}

/** A record as it was read. */
export interface StoredImage extends ImageRecord {
  readonly checksum: number;
}

export interface NewImage extends Omit<ImageRecord, 'number'> {
  /** A small JPEG for display; stored separately, read by `thumbnail` only. */
  readonly thumbnail?: Uint8Array | undefined;
  readonly details?: Details | undefined;
  /** Committed with the picture. */
  readonly events?: NewEvents | undefined;
}

/** A saved search, or a list of hashes, has found a picture. */
export interface NewEvent {
  /** The same for the same search and the same pixels. */
  readonly key: string;
  /** Id of the saved search, or of the list. */
  readonly search: string;
  /** What was searched for: the id of a reference, as `Application.nameOf`, or `pdq:` and a hash. */
  readonly watched: string;
  /** Where it is a picture of another application: its id there, and the digest of the key that shows it. */
  readonly watchedIn?: { readonly application: string; readonly key: string; readonly image: string };
  /** Where it is a hash of a list. */
  readonly hash?: NonNullable<ShownEvent['hash']>;
  /** Id of the picture that was found. */
  readonly image: string;
  /** Where both pictures lay, if a source brought them. */
  readonly origin?: Origin;
  readonly watchedOrigin?: Origin;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly score: number;
  readonly similarity: number;
  /** Empty for types without decisions. */
  readonly decision: string;
  /** JSON, or empty. */
  readonly info: string;
  /** Whether the picture was there before the search was saved: no event where there is one of this picture. */
  readonly existing?: boolean;
}

export interface NewEvents {
  /** The number of the records of the application. */
  readonly application: number;
  readonly events: readonly NewEvent[];
}

/** An event as it is read. */
export interface StoredEvent extends Omit<NewEvent, 'key' | 'existing'> {
  /** At least 1, ascending in the order of the commits. */
  readonly number: number;
  /** Pictures with the same pixels that were added within a day, this one included. */
  readonly count: number;
  /** Ids of the first of them, without this one. */
  readonly repeats: readonly string[];
}

/** A key of an application or of an administrator. Only its digest is stored. */
export interface StoredKey {
  /** Unique among the keys of its application. */
  readonly id: string;
  /** For people; unique in the same way. */
  readonly name: string;
  /** Lower-case hex of the SHA-256 of the key. */
  readonly digest: string;
  /** The first four characters of the key, by which people distinguish keys. */
  readonly hint: string;
  readonly scopes: readonly Scope[];
  /** ISO 8601, UTC, as the other times. */
  readonly created: string;
  readonly expires?: string;
  /** The id of the key that this one replaces. */
  readonly replaces?: string;
}

/** A small record about the pictures of an application. */
export interface StoredRecord {
  readonly id: string;
  /** At least 1; another one after each change, also after a removal. */
  readonly version: number;
  readonly body: Uint8Array;
}

export interface RecordChange {
  readonly kind: string;
  readonly id: string;
  /** null removes the record. */
  readonly body: Uint8Array | null;
  /** The version that is replaced, 0 for none; any if missing. */
  readonly expected?: number;
}

/** Small records of applications, changed by compare-and-set. */
export interface RecordStore {
  /** By id. */
  records(application: number, kind: string): Promise<StoredRecord[]>;
  record(application: number, kind: string, id: string): Promise<StoredRecord | undefined>;
  /**
   * Durable once resolved, in the order of the list. Fails with CONFLICT: a data folder then has none of the changes, a
   * cluster those before the one with another version.
   */
  changeRecords(application: number, changes: readonly RecordChange[]): Promise<void>;
}

/** Records that several processes may change, in a data folder (one process) or in a cluster. */
export interface SharedRecords extends RecordStore {
  /** Whether other processes change records, too. */
  readonly shared: boolean;
  /** Those of one kind, by application. */
  ofAll(applications: readonly number[], kind: string): Promise<Map<number, StoredRecord[]>>;
  /**
   * What has changed in some kinds since an earlier call: all records at the first one. Each record is there once, in the
   * order of the last changes, or by id.
   * @param since  `at` of the earlier call
   */
  changed(application: number, kinds: readonly string[], since?: number): Promise<Changed>;
  /** At most `count` of those whose id is behind `after`, by id. Empty only at the end. */
  recordsAfter(application: number, kind: string, after: string, count: number): Promise<StoredRecord[]>;
  /** The one with the highest id. */
  lastRecord(application: number, kind: string): Promise<StoredRecord | undefined>;
  /** What `changed` calls `at`, as of now. */
  position(application: number): Promise<number>;
  /**
   * Changes each of some records, as if nothing happened between reading and writing it.
   * @param change  returns the new body, undefined to leave the record; may be called several times
   */
  update(
    application: number,
    kind: string,
    ids: readonly string[],
    change: (id: string, body: Uint8Array | undefined) => Uint8Array | undefined,
  ): Promise<void>;
  /**
   * Works while no other process does so for the same application or name. Fails with OVERLOADED where another one works for long.
   * @param work  calls `checkLease` before a change elsewhere, which fails where the lease is over
   * @param wait  milliseconds for which the call waits for another process
   */
  exclusively<T>(of: number | string, work: (checkLease: () => void) => Promise<T>, wait?: number): Promise<T>;
}

/** Records, and the events of applications among them. */
export interface EventStore extends SharedRecords {
  /** Durable once resolved. @returns the number of events that repeat no other */
  addEvents(of: NewEvents): Promise<number>;
  /**
   * Numbers the events that were committed with pictures. In a data folder the commit itself does so.
   * @param of  the numbers of the records of an application, and of its pictures
   * @returns whether there were any
   */
  collectEvents(of: { readonly records: number; readonly pictures: number }): Promise<boolean>;
}

export interface Changed {
  readonly changes: readonly Omit<RecordChange, 'expected'>[];
  readonly at: number;
}

/** What is stored of a picture besides what a search needs. */
export interface Details extends Partial<FileDetails> {
  /** As the client gave it. */
  readonly metadata?: Metadata | undefined;
}

/** Of a picture file that was added. */
export interface FileDetails {
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly format: string;
  /** ISO 8601, UTC. */
  readonly added: string;
  /** Missing for formats that libvips does not decode, and for pictures that are kept without a thumbnail. */
  readonly traces?: FileTraces;
}

/** An application's row. Only digests of keys are stored. */
export interface ApplicationRecord {
  /** Assigned once by the store, never assigned again. */
  readonly number: number;
  readonly keys: readonly StoredKey[];
  /** The number of the application before it was emptied for the first time. */
  readonly origin?: number;
  readonly type: ApplicationType;
  readonly name: string;
  readonly enabled: boolean;
  /** `incoming`: a copy that is not complete, which accepts no key. `moved`: another place takes the changes. */
  readonly state?: 'incoming' | 'moved' | undefined;
  readonly defaults: ApplicationDefaults;
  /** Names of the profiles of a filter application. */
  readonly profiles?: readonly string[];
  /** The network that an image-similarity application describes its pictures by, if it does. */
  readonly network?: NetworkIdentity;
  /** Whether a thumbnail is stored for each picture that arrives as a file; false leases it off. */
  readonly thumbnails?: boolean;
  /** Whether colours are taken from the object before a plain background only; false if missing. */
  readonly ignoreBackground?: boolean;
}

export interface ApplicationDefaults {
  /** 1 to 1,000 */
  readonly nbResults: number;
  /** 0 to 100 */
  readonly colorWeight: number;
  /** In (0, 1]: results with this score or a higher one are not listed. */
  readonly retrievalThreshold: number;
}

/** A part of a data folder that fails its checks. It is left out of every answer; the rest is served. */
export interface Damage {
  readonly file: string;
  /** The application it belongs to, as far as known. */
  readonly application?: number;
  /** The picture's number, if the damage concerns one picture. */
  readonly number?: number;
  /** The range of unreadable numbers, if the damage concerns several. */
  readonly numbers?: { readonly from: number; readonly to: number };
  /** The number of pictures in that range, as far as known. */
  readonly records?: number;
  /** The picture's id as read; it may itself be damaged. */
  readonly id?: string;
  /** The expected and the actual value. */
  readonly what: string;
}

/** The number of pictures that a damage is known to set aside. */
export function recordsOf({ number, records }: Damage): number {
  return records ?? (number === undefined ? 0 : 1);
}

/** What may be answered later. */
export type Awaitable<T> = T | Promise<T>;

type Later<T> = {
  readonly [M in keyof T]: T[M] extends (...args: infer A) => infer R ? (...args: A) => Awaitable<R> : T[M];
};

/** As `ApplicationStore`, in a data folder or elsewhere: reads are of the state as last seen, changes may take a while. */
export interface SharedStore
  extends
    Omit<ApplicationStore, 'create' | 'update' | 'changeKeys' | 'empty' | 'delete' | 'profiles'>,
    Later<Pick<ApplicationStore, 'create' | 'update' | 'changeKeys' | 'empty' | 'delete'>> {
  readonly profiles: Later<ProfileStore>;
}

export interface ProfileName {
  readonly name: string;
  /** Only of a network: differs for different content. */
  readonly mark?: string;
  /** The size of a network. */
  readonly bytes?: number;
}

export interface ProfileRecord {
  readonly profile: Profile | Network;
  /**
   * The cross-validation figures, and the files of the worst mistakes as on the sheet; null for an imported profile.
   */
  readonly report: (Report & { readonly worst?: readonly string[] }) | null;
  /** JPEG of the pictures with the worst mistakes; empty if there are none. */
  readonly mistakes: Uint8Array;
}
