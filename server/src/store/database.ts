import { pathToFileURL } from 'node:url';
import Database from 'libsql';

export type Connection = Database.Database;

/** How long a statement waits for another process before it fails, in milliseconds. */
const BUSY = 10_000;

/**
 * Opens or makes a database in which a commit is durable on return.
 * @param schema  statements that do nothing where they have been run before
 */
export function openDatabase(path: string, schema: string): Connection {
  const database = new Database(path, { timeout: BUSY });
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA fullfsync = ON;
    PRAGMA journal_size_limit = 16777216;
    PRAGMA cell_size_check = ON;
    BEGIN IMMEDIATE;
    ${schema}
    COMMIT`);
  // some builds of SQLite fall back to NORMAL with the first read of a WAL database, and then lose commits
  database.prepare('SELECT count(*) FROM sqlite_schema').get();
  const { synchronous } = database.prepare('PRAGMA synchronous').get() as { synchronous: number };
  if (synchronous !== 2) throw new Error(`expected SQLite at synchronous = 2 (FULL), found ${synchronous}`);
  return database;
}

/** Opens an existing database; no statement can change it. */
export function openToRead(path: string): Connection {
  const database = new Database(`${pathToFileURL(path)}?mode=ro`, { timeout: BUSY });
  database.exec('PRAGMA cell_size_check = ON');
  return database;
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
