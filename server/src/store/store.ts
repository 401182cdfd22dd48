import type { ApplicationType, Network, Profile, Report } from '@sosia/engine';

/** What is kept of one reference picture. */
export interface ImageRecord {
  /** Given once by the store, ascending, never used again in the whole folder. */
  readonly number: number;
  readonly id: string;
  readonly keywords: readonly string[];
  readonly dna: Uint8Array;
}

export interface NewImage extends Omit<ImageRecord, 'number'> {
  /** A small JPEG of it, for people; kept beside it, read by nothing but `thumbnail`. */
  readonly thumbnail?: Uint8Array;
}

/** An application's row. The key itself is not kept, only its SHA-256. */
export interface ApplicationRecord {
  /** Given once by the store, never used again. */
  readonly number: number;
  /** Lower-case hex of the SHA-256 of the key. */
  readonly keyDigest: string;
  /** The first four characters of the key, for people to tell keys apart. */
  readonly keyHint: string;
  readonly type: ApplicationType;
  readonly name: string;
  readonly enabled: boolean;
  readonly defaults: ApplicationDefaults;
  /** Names of the profiles that a filter application scores pictures by. */
  readonly profiles?: readonly string[];
  /** Whether a small picture is kept of each picture that comes as a file; it is unless this is false. */
  readonly thumbnails?: boolean;
  /** Whether the colours of pictures are those of what stands before a plain background; false where it is missing. */
  readonly ignoreBackground?: boolean;
}

export interface ApplicationDefaults {
  /** 1 to 1,000 */
  readonly nbResults: number;
  /** 0 to 100 */
  readonly colorWeight: number;
  /** In (0, 1]: results whose score is this or higher are not listed. */
  readonly retrievalThreshold: number;
}

/** Something in a data folder that fails its checks. It is left out of every answer; the rest serves on. */
export interface Damage {
  readonly file: string;
  /** The application it belongs to, as far as that can be told. */
  readonly application?: number;
  /** The picture's number, where it is about one picture. */
  readonly number?: number;
  /** The span of numbers that cannot be read, where it is about more than one. */
  readonly numbers?: { readonly from: number; readonly to: number };
  /** How many pictures of that span are known to have been there. */
  readonly records?: number;
  /** The picture's id as it reads; it may be what is damaged. */
  readonly id?: string;
  /** What was expected and what was found. */
  readonly what: string;
}

/** How many pictures a damage is known to set aside. */
export function recordsOf({ number, records }: Damage): number {
  return records ?? (number === undefined ? 0 : 1);
}

/** The applications of a data folder. Read and written by the server and, beside it, by `sosia app …`. */
export interface ApplicationStore {
  list(): ApplicationRecord[];
  /** A number that changes whenever any process changes an application; cheap enough to ask at every request. */
  revision(): number;
  findByDigest(keyDigest: string): ApplicationRecord | undefined;
  create(application: Omit<ApplicationRecord, 'number'>): ApplicationRecord;
  update(
    number: number,
    change: Partial<Pick<ApplicationRecord, 'name' | 'enabled' | 'defaults' | 'profiles' | 'thumbnails'>>,
  ): void;
  /** The application and its pictures are gone at once for every answer; the space is given back by the server. */
  delete(number: number): void;
  /** Numbers of deleted applications, whose pictures may be purged. A damaged application is in no list, so that its pictures stay. */
  deleted(): number[];
  /** Changes of profiles show in `revision` too. */
  readonly profiles: ProfileStore;
  close(): void;
}

/** The trained profiles of a data folder, shared by its applications by name. */
export interface ProfileStore {
  /** As `names`. One that fails its checks is reported and left out. */
  list(): ProfileRecord[];
  find(name: string): ProfileRecord | undefined;
  /** All of them, unchecked, trained ones before networks; in little time, for no network is read. */
  names(): ProfileName[];
  /** @throws Failure PROFILE_EXISTS */
  add(record: ProfileRecord): void;
  /** @throws Failure UNKNOWN_PROFILE */
  delete(name: string): void;
}

export interface ProfileName {
  readonly name: string;
  /** Of a network alone: another one for another content. */
  readonly mark?: string;
  /** The size of a network. */
  readonly bytes?: number;
}

export interface ProfileRecord {
  readonly profile: Profile | Network;
  /** How it did in cross-validation, and the files of its worst mistakes, as on the sheet; null for one that was imported. */
  readonly report: (Report & { readonly worst?: readonly string[] }) | null;
  /** JPEG: the pictures it was most wrong about; empty where there are none. */
  readonly mistakes: Uint8Array;
}

/** The reference pictures of all applications of a data folder; one server holds it at a time. */
export interface ImageStore {
  /**
   * Resolves once the picture would survive a power cut. Writes that arrive together share one commit.
   * Rejects with `Failure` STORE_… when it was not written: STORE_FULL for want of room, and the next write is tried; after
   * any other failure every later write rejects too, save STORE_DAMAGED: a change that met damage is refused alone.
   */
  append(application: number, image: NewImage): Promise<number>;
  /** Resolves once the removal would survive a power cut. Removing a number that is not there does nothing. */
  remove(application: number, number: number): Promise<void>;
  /** Rejects with UNKNOWN_IMAGE for a number that is not there, STORE_DAMAGED for a record that fails its checksum. */
  dna(application: number, number: number): Promise<Uint8Array>;
  /** Undefined for a picture that has none, or whose own fails its checksum, which is reported. */
  thumbnail(application: number, number: number): Promise<Uint8Array | undefined>;
  /**
   * Every picture of an application as it stands when the replay begins, in the order they were added, in batches.
   * A record that fails its checks is reported, not returned.
   * @param type  of the application, for the check of the DNA
   */
  replay(application: number, type?: ApplicationType): AsyncIterable<ImageRecord[]>;
  /** The pictures of an application that were met damaged and have not been removed, each once. */
  setAside(application: number): readonly Damage[];
  /** Removes what is left of deleted applications. */
  purge(application: number): Promise<void>;
  /**
   * Writes a copy of the data folder into an empty or missing folder while the server goes on: all that was resolved
   * before the call, and nothing after some later moment. Rejects with SNAPSHOT_FAILED.
   */
  snapshot(folder: string): Promise<void>;
  /**
   * `read-only` while the disk is full, for good after a write that failed in another way, and where damage makes any change
   * a risk to what is sound.
   */
  readonly state: 'available' | 'read-only' | 'closed';
  close(): Promise<void>;
}
