import { crc32c } from '@sosia/engine/dna/crc32c';
import { fail } from '../errors.ts';
import { inTransaction, type Connection } from './database.ts';
import { eventWriter } from './event-table.ts';
import { recordWriter } from './record-table.ts';
import { statementsOf } from './statement.ts';
import type { NewEvent, NewImage, RecordChange } from './store.ts';
import { tallyWriter } from './tally.ts';
import { thumbnailWriter } from './thumbnail-table.ts';

/**
 * With casts, since a damaged row may contain any type instead of text or a number: libsql ends the process on text
 * that is not UTF-8.
 */
export const imageColumns = `number, CAST(application AS INTEGER) AS application, CAST(crc AS INTEGER) AS crc,
  CAST(id AS BLOB) AS id, CAST(keywords AS BLOB) AS keywords, CAST(dna AS BLOB) AS dna`;

export interface ImageRow {
  readonly number: number;
  readonly application: number;
  readonly crc: number;
  /** UTF-8. */
  readonly id: Uint8Array;
  /** A JSON list, UTF-8. */
  readonly keywords: Uint8Array;
  readonly dna: Uint8Array;
}

const utf8 = new TextEncoder();

/** Includes the lengths, so that no byte can move from one field to the next. */
export function checksumOf({ application, number, id, keywords, dna }: Omit<ImageRow, 'crc'>): number {
  const head = utf8.encode([application, number, id.length, keywords.length, dna.length].join());
  return [id, keywords, dna].reduce((crc, field) => crc32c(field, crc), crc32c(head));
}

/** The checksum of the record of a picture. */
export function checksumOfImage(
  application: number,
  number: number,
  { id, keywords, dna }: Pick<NewImage, 'id' | 'keywords' | 'dna'>,
): number {
  return checksumOf({ application, number, id: utf8.encode(id), keywords: utf8.encode(JSON.stringify(keywords)), dna });
}

export type Change =
  | { readonly kind: 'append'; readonly application: number; readonly image: NewImage }
  | { readonly kind: 'remove'; readonly application: number; readonly number: number }
  /** Removes a picture and adds another one in its place. */
  | { readonly kind: 'replace'; readonly application: number; readonly number: number; readonly image: NewImage }
  /** The outcome is 0 where a version is not the expected one. */
  | { readonly kind: 'records'; readonly application: number; readonly changes: readonly RecordChange[] }
  /** The outcome is the number of new events. */
  | { readonly kind: 'events'; readonly application: number; readonly events: readonly NewEvent[] }
  /** Removes all records of these applications. */
  | { readonly kind: 'forget'; readonly application: 0; readonly applications: readonly number[] }
  /** Removes part of the pictures of an application, at most PURGED_PER_STEP rows. */
  | { readonly kind: 'purge'; readonly application: number };

/** The outcome of a change of an application that was moved. */
export const MOVED = -1;

/** Other changes wait for one such part, some 6 ms. */
const PURGED_PER_STEP = 256;

/**
 * Commits changes together: durable on return, or an exception and none of them.
 * @param last  runs at the end of the same transaction
 * @returns a number for each: the picture's for an append, the number of removed pictures for the others, MOVED for a
 * refused one
 */
export type Commit = (changes: readonly Change[], last?: () => void) => number[];

/** Writes rows with given numbers, inside a transaction. */
export function imageInserter(database: Connection): (application: number, number: number, image: NewImage) => void {
  const insert = statementsOf(database)(
    'INSERT INTO images (number, application, id, keywords, crc, dna) VALUES (?, ?, ?, ?, ?, ?)',
  ).prepare();
  const tally = tallyWriter(database, 'tallies');
  const thumbnails = thumbnailWriter(database);
  const records = recordWriter(database);
  return (application, number, { id, keywords, dna, thumbnail, details }) => {
    const row = { number, application, id: utf8.encode(id), keywords: utf8.encode(JSON.stringify(keywords)), dna };
    const crc = checksumOf(row);
    insert.run(number, application, row.id, row.keywords, crc, dna);
    tally.count(application, crc);
    if (thumbnail) thumbnails.add(application, number, thumbnail);
    if (details) records.addDetails(application, number, utf8.encode(JSON.stringify(details)));
  };
}

/** Numbers of pictures have 32 bits in the index; a higher one is damaged. */
export const HIGHEST_NUMBER = 2 ** 32 - 1;

/**
 * Reads the highest assigned number, and changes nothing until its first call.
 * @param moved  the numbers of applications that take no changes, read in each transaction
 * @throws Failure STORE_DAMAGED if the assigned numbers cannot be determined
 */
export function imageWriter(database: Connection, moved: () => ReadonlySet<number> = () => new Set()): Commit {
  const sql = statementsOf(database);
  const insert = imageInserter(database);
  const remove = sql(
    'DELETE FROM images WHERE number = ? AND application = ? RETURNING CAST(crc AS INTEGER) AS crc',
  ).prepare();
  const purge = sql(`DELETE FROM images
     WHERE number IN (SELECT number FROM images WHERE application = ? LIMIT ${PURGED_PER_STEP})
     RETURNING CAST(crc AS INTEGER) AS crc`).prepare();
  const tally = tallyWriter(database, 'tallies');
  const thumbnails = thumbnailWriter(database);
  const records = recordWriter(database);
  const addEvents = eventWriter(database, records);
  // the sequence covers numbers of removed pictures
  const highest =
    sql(`SELECT coalesce((SELECT CAST(seq AS INTEGER) FROM sqlite_sequence WHERE name = 'images'), 0) AS assigned,
       (SELECT coalesce(max(number), 0) FROM images) AS used,
       (SELECT count(*) FROM sqlite_sequence WHERE name = 'images') AS known`);
  const { assigned, used, known } = highest.get<{ assigned: number; used: number; known: number }>()!;
  if (used > assigned || assigned > HIGHEST_NUMBER || (used > 0 && known !== 1)) {
    throw fail('STORE_DAMAGED', `expected the sequence of numbers at ${used} or above, found ${assigned}`);
  }
  let last = assigned;

  function apply(change: Change): number {
    const { application } = change;
    switch (change.kind) {
      case 'append': {
        const number = ++last;
        insert(application, number, change.image);
        if (change.image.events) addEvents(change.image.events.application, change.image.events.events);
        return number;
      }
      case 'remove': {
        const removed = remove.all<Pick<ImageRow, 'crc'>>(change.number, application);
        tally.discount(application, removed);
        thumbnails.remove(application, change.number);
        records.removeDetails(application, change.number);
        return removed.length;
      }
      case 'forget': {
        change.applications.forEach(records.purge);
        return 0;
      }
      case 'records': {
        return records.change(application, change.changes) ? 1 : 0;
      }
      case 'events': {
        return addEvents(application, change.events);
      }
      case 'replace': {
        const { number, image } = change;
        if (apply({ kind: 'remove', application, number }) === 0) return 0;
        return apply({ kind: 'append', application, image });
      }
      case 'purge': {
        thumbnails.purge(application, PURGED_PER_STEP);
        records.purgeDetails(application, PURGED_PER_STEP);
        const removed = purge.all<Pick<ImageRow, 'crc'>>(application);
        tally.discount(application, removed);
        if (removed.length > 0) return removed.length;
        tally.forget(application);
        thumbnails.purgeRest(application);
        return 0;
      }
    }
  }
  return (changes, finish) =>
    inTransaction(database, () => {
      const refused = moved();
      const outcomes = changes.map((change) => (refused.has(change.application) ? MOVED : apply(change)));
      finish?.();
      return outcomes;
    });
}
