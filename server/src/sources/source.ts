import type { Origin } from '@sosia/contract';
import type { Entry } from './entries.ts';

/** One picture of a source, as a listing shows it. */
export interface Item {
  /** Names the picture in its source: a path below the folder, the key of an object, an address. */
  readonly key: string;
  /** Another one where the content may be another one; null while the content is being written, so that the next pass reads it. */
  readonly version: string | null;
  /** Bytes, where the listing knows them. */
  readonly size?: number;
}

/** Where an application's pictures come from, open for one pass. */
export interface Source {
  /**
   * All items in a stable order, each key once. A listing that is not whole throws after the items that it could list: these are
   * followed, and nothing is removed.
   * @param entries  what is stored of its pictures, by image_id
   */
  list(signal: AbortSignal, entries?: ReadonlyMap<string, Entry>): AsyncIterable<Item>;
  /** Whether it is listed before what is stored of it is read, since `list` uses nothing of that and is always whole or throws. */
  readonly isListedFirst?: boolean;
  /** Whether items that are no longer listed stay, as those of a feed do; valid once they are listed. */
  readonly isPartial?: boolean;
  /** Whether the next pass, which then begins at once, lists more; valid once the items are listed. Nothing is removed before. */
  readonly isUnfinished?: boolean;
  /** The content of an item in the listed version. An `Error` is a reason for people; the item is tried again in the next pass. */
  read(item: Item, signal: AbortSignal): Promise<Uint8Array>;
  /** Releases what the pass held; missing if there is nothing. */
  close?(): Promise<void>;
}

/** What the parameters of CreateSource say beside those that all kinds have, by their names. */
export type KindValues = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** Names and texts that a source stores. */
export type KindSettings = Readonly<Record<string, string | number | readonly string[]>>;

/** A picture of a source as it is stored; its size where it is known. */
export interface KnownItem {
  readonly key: string;
  readonly version: string;
  readonly size?: number | undefined;
}

/** To the trash folder, out of existence, or back from the trash folder. */
export type FileMove = 'trash' | 'delete' | 'restore';

/** A kind of source. Kinds differ in what they list and read; what follows them is the same. */
export interface SourceKind {
  /** Checks the parameters of a new source. Fails with BAD_PARAMETER, MISSING_PARAMETER or SOURCE_REFUSED. */
  settings(values: KindValues): Promise<KindSettings>;
  /** Fails with SOURCE_REFUSED where the service may no longer follow it. */
  open(settings: KindSettings): Promise<Source>;
  /** What is followed, for people; without secrets. */
  place(settings: KindSettings): string;
  /** Where a picture lies, for people and programs. */
  origin(settings: KindSettings, key: string): Omit<Origin, 'source' | 'kind'>;
  /**
   * The picture that lies there now: an address where a browser reads it, or its content. Fails with SOURCE_REFUSED where the
   * service may no longer follow the source. An `Error` is a reason for people.
   */
  original(settings: KindSettings, key: string): Promise<string | Uint8Array>;
  /** Whether a source of these settings follows a picture of another source of this kind, too; missing as `move`. */
  follows?(settings: KindSettings, other: KindSettings, key: string): boolean;
  /**
   * Moves the file of a picture, if it is still the one that is known; missing for kinds whose files are only read. Fails with
   * SOURCE_REFUSED where the service may no longer follow the source, and where the new place is taken. The file then stays.
   */
  move?(settings: KindSettings, item: KnownItem, how: FileMove): Promise<void>;
}
