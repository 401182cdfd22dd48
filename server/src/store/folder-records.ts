import type { ImageStore } from './image-store.ts';
import type { EventStore, StoredRecord } from './store.ts';

type Records = Pick<ImageStore, 'addEvents' | 'changeRecords' | 'lastRecord' | 'record' | 'records' | 'recordsAfter'>;

/** The records of a data folder, which this process alone changes. */
export function folderRecords(store: Records): EventStore {
  return {
    shared: false,
    records: (...of) => store.records(...of),
    record: (...of) => store.record(...of),
    recordsAfter: (...of) => store.recordsAfter(...of),
    lastRecord: (...of) => store.lastRecord(...of),
    changeRecords: (...of) => store.changeRecords(...of),
    addEvents: (of) => store.addEvents(of),
    collectEvents: async () => false,
    position: async () => 0,
    async ofAll(applications, kind) {
      const found = new Map<number, StoredRecord[]>();
      for (const number of applications) {
        const records = await store.records(number, kind);
        if (records.length > 0) found.set(number, records);
      }
      return found;
    },
    /** All at the first call, then none. */
    async changed(application, kinds, since) {
      if (since !== undefined) return { changes: [], at: since };
      const found = await Promise.all(
        kinds.map(async (kind) => (await store.records(application, kind)).map(({ id, body }) => ({ kind, id, body }))),
      );
      return { changes: found.flat(), at: 0 };
    },
    async update(application, kind, ids, change) {
      const bodies = await Promise.all(
        ids.map(async (id) => ({ kind, id, body: change(id, (await store.record(application, kind, id))?.body) })),
      );
      const changes = bodies.flatMap(({ body, ...rest }) => (body === undefined ? [] : { ...rest, body }));
      if (changes.length > 0) await store.changeRecords(application, changes);
    },
    exclusively: (_of, work) => work(() => {}),
  };
}
