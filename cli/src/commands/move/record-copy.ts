import { copiedKinds, recordsNumber, type ApplicationRecord } from '@sosia/server';
import type { Source, Target } from './storage.ts';

/** Records that are written at a time. */
const BATCH = 200;

/** The records of an application and their copies, which follow them. */
export class RecordCopy {
  readonly #source: Source;
  readonly #target: Target;
  readonly #from: number;
  readonly #to: number;
  readonly #checkLease: () => void;
  /** Of the copied records, by id and kind; that of a record which only the target has is 0. */
  readonly #versions = new Map<string, Map<string, number>>();

  constructor(
    { source, target }: { readonly source: Source; readonly target: Target },
    { from, to }: { readonly from: ApplicationRecord; readonly to: ApplicationRecord },
    checkLease: () => void,
  ) {
    this.#source = source;
    this.#target = target;
    this.#from = recordsNumber({ record: from });
    this.#to = recordsNumber({ record: to });
    this.#checkLease = checkLease;
  }

  /** Copies what has changed since the last call, at first all. May be repeated. */
  async changes(): Promise<void> {
    const sources = await this.#source.records.records(this.#from, 'source');
    const entries = sources.map(({ id }) => `source ${id}`); // what is known of their pictures
    for (const kind of new Set([...copiedKinds, 'source', ...entries, ...this.#versions.keys()]))
      await this.#changesOf(kind);
  }

  async #changesOf(kind: string): Promise<void> {
    const known = this.#versions.get(kind) ?? (await this.#present(kind));
    const found = await this.#source.records.records(this.#from, kind);
    const now = new Map(found.map(({ id, version }) => [id, version]));
    const changed = found.filter(({ id, version }) => known.get(id) !== version);
    const removed = [...known.keys()].filter((id) => !now.has(id));
    const changes = [...removed.map((id) => ({ id, body: null })), ...changed.map(({ id, body }) => ({ id, body }))];
    for (let start = 0; start < changes.length; start += BATCH) {
      this.#checkLease();
      const some = changes.slice(start, start + BATCH).map((change) => ({ kind, ...change }));
      await this.#target.records.changeRecords(this.#to, some);
    }
    this.#versions.set(kind, now);
  }

  async #present(kind: string): Promise<Map<string, number>> {
    return new Map((await this.#target.records.records(this.#to, kind)).map(({ id }) => [id, 0]));
  }
}
