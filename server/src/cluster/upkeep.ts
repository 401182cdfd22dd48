import { typeDefinitions } from '@sosia/engine';
import { isFailure } from '../errors.ts';
import type { ApplicationRecord } from '../store/store.ts';
import type { Connection } from './connection.ts';
import { CAUSED } from './document.ts';
import { Leases } from './leases.ts';
import type { Matchers } from './matchers.ts';
import { giveOwnIndex } from './own-index.ts';
import { currentIndex, type PictureIndex, pictureIndexes, removeDocuments } from './picture-indexes.ts';
import { Pictures } from './pictures.ts';
import { QuietMerge } from './quiet-merge.ts';
import { PICTURES } from './search-query.ts';
import { endBroken } from './split-index.ts';

/** Pictures from which an application has an index of its own. */
const MIN_PICTURES_OF_OWN_INDEX = 1000;
/** Additions through this process after which the pictures of an application are counted. */
const COUNTED_AFTER = 200;
/** Marks that one request reads: `index.max_result_window`. */
const MARKS_AT_ONCE = 10_000;
/** Milliseconds after which no hanging node is expected to carry out an addition any more. */
export const MARK_LIFE = 3_600_000;
/** Milliseconds between two looks for work that was broken off. */
const BROKEN_INTERVAL = 10_000;

interface Parts {
  readonly connection: Connection;
  readonly matchers: Matchers;
  /** The applications as last read. */
  readonly applications: () => readonly ApplicationRecord[];
  readonly warn: (what: string) => void;
}

/** What the indexes of pictures need besides changes. Every node does it, and nothing of it harms when done twice. */
export class Upkeep {
  readonly #parts: Parts;
  readonly #leases: Leases;
  readonly #merge = new QuietMerge();
  readonly #closed = new AbortController();
  /** By application: additions through this process. */
  readonly #additions = new Map<number, number>();
  #growing: Promise<void> = Promise.resolve();
  #nextBroken = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#leases = new Leases(parts.connection);
  }

  /** To be called after additions: an application that has outgrown a shared index gets its own. */
  added({ number, type }: Pick<ApplicationRecord, 'number' | 'type'>, count = 1): void {
    const before = this.#additions.get(number) ?? 0;
    this.#additions.set(number, before + count);
    const isCounted = Math.floor((before + count) / COUNTED_AFTER) > Math.floor(before / COUNTED_AFTER);
    if (isCounted) this.#grow({ number, type });
  }

  /** To be called every second or so. Indexes on which a process worked that has ended take changes again. */
  async endBroken(now = performance.now()): Promise<void> {
    if (now < this.#nextBroken) return;
    this.#nextBroken = now + BROKEN_INTERVAL;
    for (const index of await pictureIndexes(this.#parts.connection)) {
      const isLeft = index.owner !== undefined && index.applications.length === 0;
      if (index.isBlocked || isLeft) await endBroken(this.#parts.connection, this.#leases, index);
    }
  }

  /** To be called now and then; an index that has not changed in between is merged. */
  async sweep(): Promise<void> {
    for (const index of await pictureIndexes(this.#parts.connection)) {
      const pictures = new Pictures(this.#parts.connection, index.name);
      await removeMarks(pictures);
      await this.#merge.look(index.name, pictures);
      if (index.owner === undefined) await this.#tidy(index, pictures);
    }
  }

  /** Resolves when no application gets an index. */
  idle(): Promise<void> {
    return this.#growing;
  }

  /** Ends what is in work, and waits for its end. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.idle();
  }

  /** Removes what applications have left in an index that they shared, and lets large ones leave it. */
  async #tidy({ name, applications }: PictureIndex, pictures: Pictures): Promise<void> {
    for (const [number, count] of await pictures.counts()) {
      const record = this.#parts.applications().find((each) => each.number === number);
      if (record && applications.includes(number)) {
        if (count >= MIN_PICTURES_OF_OWN_INDEX) this.#grow(record);
        continue;
      }
      // read again: an application has its place before its first picture
      const place = await currentIndex(this.#parts.connection, number).catch((cause: unknown) => {
        if (isFailure(cause, 'UNKNOWN_APPLICATION')) return undefined;
        throw cause;
      });
      // one that is there without a place was restored without its alias
      const hasLeft = place ? place.name !== name : !record;
      if (hasLeft) await removeDocuments(this.#parts.connection, name, number);
    }
  }

  /** One after the other. */
  #grow(record: Pick<ApplicationRecord, 'number' | 'type'>): void {
    this.#growing = this.#growing.then(async () => {
      const { connection, matchers, warn } = this.#parts;
      const { signal } = this.#closed;
      try {
        if (signal.aborted || !typeDefinitions[record.type].traits.references) return;
        const { owner } = await currentIndex(connection, record.number);
        if (owner !== undefined) return;
        if ((await Pictures.of(connection, record.number).count(PICTURES)) < MIN_PICTURES_OF_OWN_INDEX) return;
        await giveOwnIndex(connection, this.#leases, record, { matchers, signal });
      } catch (cause) {
        const isExpected = signal.aborted || isFailure(cause, 'OVERLOADED', 'UNKNOWN_APPLICATION');
        if (!isExpected) warn(`an application could not get an index of its own: ${(cause as Error).message}`);
      }
    });
  }
}

/** Removes marks of pictures that were deleted long ago, as many as one request takes. @param before  milliseconds since 1970 */
export async function removeMarks(pictures: Pictures, before = Date.now() - MARK_LIFE): Promise<void> {
  const query = {
    bool: { filter: [{ range: { deleted: { lt: before } } }], must_not: [{ term: { keywords: CAUSED } }] },
  };
  const body = { size: MARKS_AT_ONCE, _source: false, seq_no_primary_term: true, query };
  const marks = await pictures.documents(body);
  if (marks.length === 0) return;
  // not those that a picture has replaced since
  const lines = marks.map(({ _id, _seq_no, _primary_term }) => {
    return `${JSON.stringify({ delete: { _id, if_seq_no: _seq_no, if_primary_term: _primary_term } })}\n`;
  });
  await pictures.send({ method: 'POST', path: '_bulk', body: lines.join(''), changes: true });
}
