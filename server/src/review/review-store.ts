import type { RecordChange, SharedRecords } from '../store/store.ts';

/** What holds records of some kinds in memory. */
export interface RecordHolder {
  readonly kinds: readonly string[];
  /** A record as it is now. @param body  null where it was removed */
  take(kind: string, id: string, body: Uint8Array | null): void;
  /** Called after records of its kinds were taken. */
  taken?(): void;
}

/** Before each change of a picture: fails where another process has begun a change meanwhile. */
export type LeaseCheck = () => void;

/** The records of one review: in memory with their holders, and stored beside the application. */
export class ReviewStore {
  readonly number: number;
  readonly #records: SharedRecords;
  readonly #holders: readonly RecordHolder[];
  readonly #kinds: readonly string[];
  /** Up to where the records are read. */
  #seen: number | undefined;
  #reading: Promise<unknown> = Promise.resolve();
  #changing: Promise<unknown> = Promise.resolve();
  /** Grows with every change of a record. */
  changes = 0;

  /** @param number  of the records of the application */
  constructor(number: number, records: SharedRecords, holders: readonly RecordHolder[]) {
    this.number = number;
    this.#records = records;
    this.#holders = holders;
    this.#kinds = holders.flatMap(({ kinds }) => kinds);
  }

  /** Whether other processes may change the records. */
  get shared(): boolean {
    return this.#records.shared;
  }

  /** Reads what other processes have changed. */
  refresh(): Promise<void> {
    const done = this.#reading.then(async () => {
      const { changes, at } = await this.#records.changed(this.number, this.#kinds, this.#seen);
      this.#seen = at;
      this.#take(changes);
    });
    this.#reading = done.catch(() => {});
    return done;
  }

  /** Durable and in memory once resolved, all or none. */
  async store(changes: readonly RecordChange[]): Promise<void> {
    await this.#records.changeRecords(this.number, changes);
    this.#take(changes);
  }

  /** A stored record of any kind. */
  record(kind: string, id: string): ReturnType<SharedRecords['record']> {
    return this.#records.record(this.number, kind, id);
  }

  /** One change after the other, in all processes; each begins with the records as they are then. */
  change<T>(work: (checkLease: LeaseCheck) => Promise<T>): Promise<T> {
    const done = this.#changing.then(() =>
      this.#records.exclusively(this.number, async (checkLease) => {
        await this.refresh();
        return work(checkLease);
      }),
    );
    this.#changing = done.catch(() => {});
    return done;
  }

  #take(changes: readonly Pick<RecordChange, 'kind' | 'id' | 'body'>[]): void {
    if (changes.length === 0) return;
    this.changes++;
    for (const holder of this.#holders) {
      const own = changes.filter(({ kind }) => holder.kinds.includes(kind));
      for (const { kind, id, body } of own) holder.take(kind, id, body);
      if (own.length > 0) holder.taken?.();
    }
  }
}
