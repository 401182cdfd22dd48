import { copiedKinds, recordsNumber } from '@sosia/server';
import type { Copying } from './storage.ts';

/** Records that are written at a time. */
const BATCH = 200;

/** The records of an application and their copies, which follow them. */
export class RecordCopy {
  readonly #copying: Copying;
  /** Of the copied records, by id and kind; that of a record which only the target has is 0. */
  readonly #versions = new Map<string, Map<string, number>>();

  constructor(copying: Copying) {
    this.#copying = copying;
  }

  /** Copies what has changed since the last call, at first all. May be repeated. */
  async changes(): Promise<void> {
    const { source, from } = this.#copying;
    const sources = await source.records.records(recordsNumber({ record: from }), 'source');
    const entries = sources.map(({ id }) => `source ${id}`); // what is known of their pictures
    for (const kind of new Set([...copiedKinds, 'source', ...entries, ...this.#versions.keys()]))
      await this.#changesOf(kind);
  }

  async #changesOf(kind: string): Promise<void> {
    const { source, target, from, to, checkLease } = this.#copying;
    const known = this.#versions.get(kind) ?? (await this.#present(kind));
    const found = await source.records.records(recordsNumber({ record: from }), kind);
    const now = new Map(found.map(({ id, version }) => [id, version]));
    const changed = found.filter(({ id, version }) => known.get(id) !== version);
    const removed = [...known.keys()].filter((id) => !now.has(id));
    const changes = [...removed.map((id) => ({ id, body: null })), ...changed.map(({ id, body }) => ({ id, body }))];
    for (let start = 0; start < changes.length; start += BATCH) {
      checkLease();
      const some = changes.slice(start, start + BATCH).map((change) => ({ kind, ...change }));
      await target.records.changeRecords(recordsNumber({ record: to }), some);
    }
    this.#versions.set(kind, now);
  }

  async #present(kind: string): Promise<Map<string, number>> {
    const { target, to } = this.#copying;
    return new Map((await target.records.records(recordsNumber({ record: to }), kind)).map(({ id }) => [id, 0]));
  }
}
