import { put, remove, valueOf } from '../applications/records.ts';
import type { SharedRecords } from '../store/store.ts';

/** What is known of a picture of a source. It is written before the picture is added, so that a kill between both is repaired. */
export interface Entry {
  readonly key: string;
  /** The listed version that was read. */
  readonly version: string;
  /** SHA-256 of the content in hex; missing where it was not read. */
  readonly digest?: string | undefined;
  /** While the picture is being added or replaced. */
  readonly pending?: true;
  /** Why there is no picture. */
  readonly fault?: Fault;
}

export interface Fault {
  /** Of docs/errors.md; 0 where the source could not be read. */
  readonly code: number;
  readonly message: string;
}

/** Whether the picture with the id of an entry is that of the source. */
export function isOwn(entry: Entry | undefined): entry is Entry {
  return entry !== undefined && !entry.fault;
}

/** The entries of one source by image_id, stored beside its application. */
export class Entries {
  readonly #records: SharedRecords;
  readonly #application: number;
  readonly #kind: string;

  /** @param application  the number of its records */
  constructor(records: SharedRecords, application: number, source: string) {
    this.#records = records;
    this.#application = application;
    this.#kind = `source ${source}`;
  }

  async all(): Promise<Map<string, Entry>> {
    const records = await this.#records.records(this.#application, this.#kind);
    return new Map(records.map((record) => [record.id, valueOf<Entry>(record)]));
  }

  async get(id: string): Promise<Entry | undefined> {
    const record = await this.#records.record(this.#application, this.#kind, id);
    return record && valueOf<Entry>(record);
  }

  /** Durable once resolved. */
  async write(entries: Iterable<readonly [id: string, entry: Entry | null]>): Promise<void> {
    const changes = Array.from(entries, ([id, entry]) => (entry ? put(this.#kind, id, entry) : remove(this.#kind, id)));
    if (changes.length > 0) await this.#records.changeRecords(this.#application, changes);
  }
}
