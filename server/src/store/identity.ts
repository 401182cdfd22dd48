import { randomBytes } from 'node:crypto';
import { crc32c } from '@sosia/engine/dna/crc32c';
import { rowDigests } from './application-table.ts';
import { inTransaction, type Connection } from './database.ts';
import { RowDigestTable, type RowDigests } from './row-digests.ts';

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
  /** Only in images.db: it has the digests of the rows of applications.db. Not so before the first generation, and after damage to its log. */
  readonly rows?: true;
}

/** An identity as it is stored: each writing is linked to the one before, so that a log names the file it continues. */
export interface StoredIdentity extends Identity {
  /** Drawn at this writing. */
  readonly written: string;
  /** `written` of the identity that this one replaced; missing if there was none. */
  readonly previous?: string;
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
export function readIdentity(database: Connection): StoredIdentity {
  const row = database
    .prepare('SELECT CAST(record AS BLOB) AS record, CAST(crc AS INTEGER) AS crc FROM identity WHERE number = 1')
    .get() as { record: Uint8Array; crc: number } | undefined;
  if (!row) throw new Error('expected the identity of its folder, found none');
  return identityOf(row.record, row.crc);
}

/** @throws Error for a record that fails its checksum */
export function identityOf(record: Uint8Array, crc: number): StoredIdentity {
  const expected = crc32c(record);
  if (crc !== expected) throw new Error(`its identity: expected the checksum ${expected}, found ${crc}`);
  return JSON.parse(new TextDecoder().decode(record)) as StoredIdentity;
}

export function hasIdentity(database: Connection): boolean {
  return database.prepare('SELECT 1 FROM identity WHERE number = 1').get() !== undefined;
}

/** For a call inside a transaction, or alone. */
export function writeIdentity(database: Connection, identity: Identity): void {
  const previous = hasIdentity(database) ? readIdentity(database).written : undefined;
  const links = { written: randomBytes(8).toString('hex'), previous };
  const { written: _, previous: __, ...rest } = identity as StoredIdentity;
  const record = Buffer.from(JSON.stringify({ ...rest, ...links }));
  database
    .prepare('INSERT OR REPLACE INTO identity (number, record, crc) VALUES (1, ?, ?)')
    .run(record, crc32c(record));
}

/** Writes the identity anew, so that a log or a file that begins or ends here is distinguished from any other. */
export function renewLink(database: Connection): void {
  writeIdentity(database, readIdentity(database));
}

/**
 * Begins a generation in both databases: announced in applications.db, then written to images.db, then to
 * applications.db, each durable before the next. After an interruption at any point, images.db has the generation of
 * applications.db or the announced one; an earlier copy of either file has neither. Any process may call this at any
 * time.
 *
 * A change of rows of applications.db is noted in images.db before it is made, and settled there afterwards.
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
      const { rows, ...ofImages } = readIdentity(images);
      const { generation, applications: seen } = ofImages;
      // its log was damaged, so that the rows of applications.db are later than its digests
      if (rows && generation.count < own.generation.count) writeIdentity(images, ofImages);
      // after an interruption images.db has the announced one, and a number that no application has
      const interrupted = sameGeneration(own.next, generation);
      const highest = interrupted ? own.applications : Math.max(own.applications, seen);
      const count = Math.max(own.generation.count, (own.next ?? generation).count, generation.count);
      writeIdentity(applications, { ...own, generation, applications: highest, next: generationAfter(count) });
    });
    const done = inTransaction(applications, () => {
      const { next, ...identity } = readIdentity(applications);
      if (!next) return undefined; // another process has just begun the announced one
      const before = change && rowDigests(applications).digests;
      const { result, highest } = change?.() ?? { result: undefined, highest: identity.applications };
      const after = change && rowDigests(applications).digests;
      const begun = {
        ...identity,
        generation: next,
        applications: highest,
        changes: identity.changes + (change ? 1 : 0),
      };
      inTransaction(images, () => {
        const rows = new RowDigestTable(images);
        if (!readIdentity(images).rows) rows.replace(before ?? rowDigests(applications).digests);
        else if (rows.hasBegun()) rows.settle(before ?? rowDigests(applications).digests);
        if (before && after) rows.begin(before, after);
        writeIdentity(images, { ...begun, rows: true });
      });
      writeIdentity(applications, begun);
      return { result, after };
    });
    if (!done) continue;
    if (done.after) finish(images, done.after);
    return done.result;
  }
}

/** Without this, an applications.db from before a change would pass for an interruption of the change. */
function finish(images: Connection, rows: RowDigests): void {
  try {
    inTransaction(images, () => new RowDigestTable(images).finish(rows));
  } catch {
    // the change is made; the next generation settles it
  }
}
