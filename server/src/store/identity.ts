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

/** The record in a database about the folder it belongs to. */
export interface Identity {
  /** Drawn at the creation of the folder: 32 hex digits. A copy of the whole folder has the same. */
  readonly folder: string;
  /** The same in both databases, except after an interruption between the two commits that begin a generation. */
  readonly generation: Generation;
  /** Only in applications.db: the announced generation, which images.db may already have. */
  readonly next?: Generation;
  /** Only in applications.db: images.db does not exist yet. */
  readonly unfinished?: true;
  /**
   * The highest number assigned to an application. A new application gets a higher one, even if applications.db has
   * lost rows.
   */
  readonly applications: number;
  /** Only in applications.db: the number of changes of applications and profiles. */
  readonly changes: number;
}

export interface Generation {
  /** Ascending from 1. */
  readonly count: number;
  /** Distinguishes the generations of two copies of a folder. */
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

/** For a call inside a transaction, or alone. */
export function writeIdentity(database: Connection, identity: Identity): void {
  const record = Buffer.from(JSON.stringify(identity));
  database
    .prepare('INSERT OR REPLACE INTO identity (number, record, crc) VALUES (1, ?, ?)')
    .run(record, crc32c(record));
}

/**
 * Begins a generation in both databases: announced in applications.db, then written to images.db, then to
 * applications.db, each durable before the next. After an interruption at any point, images.db has the generation of
 * applications.db or the announced one; an earlier copy of either file has neither. Any process may call this at any
 * time.
 * @param change  runs in the final transaction of applications.db, and returns the highest number of an application
 * besides its result
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
      // after an interruption images.db has the announced one, and a number that no application has
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
