import { randomBytes } from 'node:crypto';
import { crc32c } from '@sosia/engine/crc32c';
import { inTransaction } from './database.ts';
import type { Connection } from './database.ts';

/** One row in each database of a folder. */
export const identitySchema = `
  CREATE TABLE identity (
    number INTEGER PRIMARY KEY,
    record BLOB NOT NULL,
    crc INTEGER NOT NULL
  )`;

/** What a database says of the folder that it belongs to. */
export interface Identity {
  /** Drawn when the folder is made: 32 hex digits. A copy of the whole folder keeps it. */
  readonly folder: string;
  /** The same in both databases, except for an interruption between the two commits that begin a generation. */
  readonly generation: Generation;
  /** In applications.db alone: the generation that is about to begin. images.db may have it already. */
  readonly next?: Generation;
  /** In applications.db alone: images.db is not made yet. */
  readonly unfinished?: true;
  /** The highest number that an application was given; a new one gets a higher one, even if applications.db has lost rows. */
  readonly applications: number;
  /** In applications.db alone: how often applications or profiles were changed. */
  readonly changes: number;
}

export interface Generation {
  /** Ascending from 1. */
  readonly count: number;
  /** Tells generations of two copies of a folder apart. */
  readonly nonce: string;
}

export function newIdentity(applications: number): Identity {
  return {
    folder: randomBytes(16).toString('hex'),
    generation: generationAfter(0),
    unfinished: true,
    applications,
    changes: 0,
  };
}

export function generationAfter(count: number): Generation {
  return { count: count + 1, nonce: randomBytes(8).toString('hex') };
}

export function sameGeneration(a: Generation | undefined, b: Generation): boolean {
  return a?.count === b.count && a.nonce === b.nonce;
}

/** @throws Error for a row that is missing or fails its checksum */
export function readIdentity(database: Connection): Identity {
  const row = database
    .prepare('SELECT CAST(record AS BLOB) AS record, CAST(crc AS INTEGER) AS crc FROM identity WHERE number = 1')
    .get() as { record: Uint8Array; crc: number } | undefined;
  if (!row) throw new Error('expected the identity of its folder, found none');
  const expected = crc32c(row.record);
  if (row.crc !== expected) throw new Error(`its identity: expected the checksum ${expected}, found ${row.crc}`);
  return JSON.parse(new TextDecoder().decode(row.record)) as Identity;
}

export function hasIdentity(database: Connection): boolean {
  return database.prepare('SELECT 1 FROM identity WHERE number = 1').get() !== undefined;
}

/** To be called inside a transaction, or alone. */
export function writeIdentity(database: Connection, identity: Identity): void {
  const record = Buffer.from(JSON.stringify(identity));
  database
    .prepare('INSERT OR REPLACE INTO identity (number, record, crc) VALUES (1, ?, ?)')
    .run(record, crc32c(record));
}

/**
 * Begins a generation in both databases: announced in applications.db, then written to images.db, then to
 * applications.db, each durable before the next. Wherever this is interrupted, images.db has the generation of
 * applications.db or the announced one; an earlier copy of either file has neither. Any process may call this at any
 * time.
 * @param change  runs in the transaction of applications.db that ends all this, and returns the highest number of an
 *   application besides its result
 */
export function beginGeneration<T>(
  applications: Connection,
  images: Connection,
  change?: () => { result: T; highest: number },
): T | undefined {
  for (;;) {
    inTransaction(applications, () => {
      const own = readIdentity(applications);
      const { generation, applications: seen } = readIdentity(images);
      // after an interruption images.db has the announced one, and a number of an application that nobody was given
      const interrupted = sameGeneration(own.next, generation);
      const highest = interrupted ? own.applications : Math.max(own.applications, seen);
      const count = Math.max(own.generation.count, own.next?.count ?? 0, generation.count);
      writeIdentity(applications, { ...own, generation, applications: highest, next: generationAfter(count) });
    });
    const done = inTransaction(applications, () => {
      const { next, ...identity } = readIdentity(applications);
      if (!next) return undefined; // another process has just begun the announced one
      const { result, highest } = change?.() ?? { result: undefined, highest: identity.applications };
      const begun = {
        ...identity,
        generation: next,
        applications: highest,
        changes: identity.changes + (change ? 1 : 0),
      };
      writeIdentity(images, begun);
      writeIdentity(applications, begun);
      return { result };
    });
    if (done) return done.result;
  }
}
