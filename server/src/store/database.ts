import { pathToFileURL } from 'node:url';
import Database from 'libsql';

export type Connection = Database.Database;

/** How long a statement waits for another process before it fails, in milliseconds. */
const BUSY = 10_000;

/**
 * A database is marked with the number of schemas that have been run in it, at most this many; the version of the whole
 * folder is in its format file.
 */
const MOST_SCHEMAS = 3;

/**
 * Opens or makes a database in which a commit is durable on return.
 * @param schemas  statements that are run once each, in order: all in a new database, the further ones where a version
 *   that did not know them has made it
 */
export function openDatabase(path: string, ...schemas: readonly string[]): Connection {
  const database = new Database(path, { timeout: BUSY });
  patiently(() => database.exec('PRAGMA journal_mode = WAL'));
  database.exec(`
    PRAGMA synchronous = FULL;
    PRAGMA fullfsync = ON;
    PRAGMA journal_size_limit = 16777216;
    PRAGMA cell_size_check = ON;
    PRAGMA trusted_schema = OFF`);
  inTransaction(database, () => {
    // not `IF NOT EXISTS`: tables that a damaged page has lost would come back empty
    const made = schemasIn(database);
    if (made > schemas.length) throw new Error(`expected the mark ${schemas.length} (user_version), found ${made}`);
    for (const [i, schema] of schemas.entries()) {
      if (i >= made) database.exec(`${schema}; PRAGMA user_version = ${i + 1}`);
    }
  });
  // some builds of SQLite fall back to NORMAL with the first read of a WAL database, and then lose commits
  database.prepare('SELECT count(*) FROM sqlite_schema').get();
  const { synchronous } = database.prepare('PRAGMA synchronous').get() as { synchronous: number };
  if (synchronous !== 2) throw new Error(`expected SQLite at synchronous = 2 (FULL), found ${synchronous}`);
  return database;
}

/**
 * Opens an existing database; no statement can change it. As much of a damaged one can be read as SQLite finds: with
 * `writable_schema` it opens a file that was cut short, and leaves out tables whose definition it cannot read.
 */
export function openToRead(path: string): Connection {
  const database = openUnchecked(path);
  const made = schemasIn(database);
  if (made < 1 || made > MOST_SCHEMAS) throw new Error(`expected a mark in ${path} (user_version), found ${made}`);
  return database;
}

/** As `openToRead`, for a database that may be empty or none at all. */
export function openUnchecked(path: string): Connection {
  const database = new Database(`${pathToFileURL(path)}?mode=ro`, { timeout: BUSY });
  database.exec('PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF; PRAGMA writable_schema = ON');
  return database;
}

/** How many schemas have been run in a database; 0 for a new one. */
export function schemasIn(database: Connection): number {
  return (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}

/** Runs `work` in one transaction: all of it is durable on return, or none of it stays. */
export function inTransaction<T>(database: Connection, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (cause) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw cause;
  }
}

/** Waits where SQLite does not: it makes the change to WAL fail at once when two processes attempt it together. */
function patiently(work: () => void): void {
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; ; waited += 20) {
    try {
      return work();
    } catch (cause) {
      if ((cause as { code?: string }).code !== 'SQLITE_BUSY' || waited >= BUSY) throw cause;
      Atomics.wait(sleeper, 0, 0, 20);
    }
  }
}
