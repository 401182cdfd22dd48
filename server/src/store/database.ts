import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import Database from 'libsql';

export type Connection = Database.Database;

/** Milliseconds that a statement waits for another process before it fails. */
const LOCK_TIMEOUT_MS = 10_000;

/** Milliseconds that an opening waits for another process that closes the database. */
const OPENING_TIMEOUT_MS = 1000;

/** Milliseconds between two attempts. */
const RETRY_MS = 20;

/** The mark of a database with its tables (`user_version`): the version of these. A new database has 0. */
export const MADE = 1;

/**
 * Opens or creates a database in which a commit is durable on return.
 * @param schema  the statements that make the tables of a new database
 */
export function openDatabase(path: string, schema: string): Connection {
  const database = new Database(path, { timeout: LOCK_TIMEOUT_MS });
  patiently(() => database.exec('PRAGMA journal_mode = WAL'));
  database.exec(`
    PRAGMA synchronous = FULL;
    PRAGMA fullfsync = ON;
    PRAGMA journal_size_limit = 16777216;
    PRAGMA cell_size_check = ON;
    PRAGMA trusted_schema = OFF`);
  inTransaction(database, () => {
    // not `IF NOT EXISTS`: tables lost with a damaged page would come back empty
    const mark = markOf(database);
    if (mark > MADE) throw new Error(`expected the mark ${MADE} (user_version), found ${mark}`);
    if (mark === 0) database.exec(`${schema}; PRAGMA user_version = ${MADE}`);
  });
  // some builds of SQLite fall back to NORMAL at the first read of a WAL database, and then lose commits
  database.prepare('SELECT count(*) FROM sqlite_schema').get();
  const { synchronous } = database.prepare('PRAGMA synchronous').get() as { synchronous: number };
  if (synchronous !== 2) throw new Error(`expected SQLite at synchronous = 2 (FULL), found ${synchronous}`);
  return database;
}

/**
 * Opens an existing database; no statement can change it. Damaged databases are read as far as SQLite can: with
 * `writable_schema` it opens a truncated file, and leaves out tables with an unreadable definition.
 */
export function openToRead(path: string): Connection {
  const database = openUnchecked(path);
  const mark = markOf(database);
  if (mark !== MADE) throw new Error(`expected the mark ${MADE} in ${path} (user_version), found ${mark}`);
  return database;
}

/** As `openToRead`, for a database that may be empty or missing. */
export function openUnchecked(path: string): Connection {
  const database = openedToRead(path);
  database.exec('PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF; PRAGMA writable_schema = ON');
  return database;
}

export function markOf(database: Connection): number {
  return (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}

/** Runs `work` in one transaction: all of it is durable on return, or none of it remains. */
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

/** Waits where SQLite does not: the change to WAL fails at once if two processes attempt it together. */
function patiently(work: () => void): void {
  repeatedly(work, (cause) => (cause as { code?: string }).code === 'SQLITE_BUSY', LOCK_TIMEOUT_MS);
}

/**
 * Opens a database to read. The last process to close a database removes its -wal and -shm files, and an opening
 * between the two removals fails with SQLITE_CANTOPEN (14), which libsql states in the message alone.
 */
function openedToRead(path: string): Connection {
  const url = `${pathToFileURL(path).href}?mode=ro`;
  const closing = (cause: unknown): boolean => / 14"?\)?$/.test((cause as Error).message) && existsSync(path);
  return repeatedly(() => new Database(url, { timeout: LOCK_TIMEOUT_MS }), closing, OPENING_TIMEOUT_MS);
}

/** @param waiting  milliseconds after which a failure is final */
function repeatedly<T>(work: () => T, temporary: (cause: unknown) => boolean, waiting: number): T {
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; ; waited += RETRY_MS) {
    try {
      return work();
    } catch (cause) {
      if (waited >= waiting || !temporary(cause)) throw cause;
      Atomics.wait(sleeper, 0, 0, RETRY_MS);
    }
  }
}
