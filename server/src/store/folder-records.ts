import type { Changed, RecordChange, RecordStore, SharedRecords, StoredRecord } from './store.ts';

/** The records of a data folder, which this process alone changes. */
export class FolderRecords implements SharedRecords {
  readonly shared = false;
  readonly #store: RecordStore;

  constructor(store: RecordStore) {
    this.#store = store;
  }

  records(application: number, kind: string): Promise<StoredRecord[]> {
    return this.#store.records(application, kind);
  }

  record(application: number, kind: string, id: string): Promise<StoredRecord | undefined> {
    return this.#store.record(application, kind, id);
  }

  changeRecords(application: number, changes: readonly RecordChange[]): Promise<void> {
    return this.#store.changeRecords(application, changes);
  }

  async ofAll(applications: readonly number[], kind: string): Promise<Map<number, StoredRecord[]>> {
    const found = new Map<number, StoredRecord[]>();
    for (const number of applications) {
      const records = await this.records(number, kind);
      if (records.length > 0) found.set(number, records);
    }
    return found;
  }

  /** All at the first call, then none. */
  async changed(application: number, kinds: readonly string[], since?: number): Promise<Changed> {
    if (since !== undefined) return { changes: [], at: since };
    const found = await Promise.all(
      kinds.map(async (kind) => (await this.records(application, kind)).map(({ id, body }) => ({ kind, id, body }))),
    );
    return { changes: found.flat(), at: 0 };
  }

  async update(
    application: number,
    kind: string,
    ids: readonly string[],
    change: (id: string, body: Uint8Array | undefined) => Uint8Array | undefined,
  ): Promise<void> {
    const bodies = await Promise.all(
      ids.map(async (id) => ({ kind, id, body: change(id, (await this.record(application, kind, id))?.body) })),
    );
    const changes = bodies.flatMap(({ body, ...rest }) => (body === undefined ? [] : { ...rest, body }));
    if (changes.length > 0) await this.changeRecords(application, changes);
  }

  exclusively<T>(_of: number | string, work: (checkLease: () => void) => Promise<T>): Promise<T> {
    return work(() => {});
  }
}
