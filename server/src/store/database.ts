import { pathToFileURL } from 'node:url';
import Database from 'libsql';

export type Connection = Database.Database;

/** How long a statement waits for another process before it fails, in milliseconds. */
const BUSY = 10_000;

/** Marks a database whose tables have been made; the version of the whole folder is in its format file. */
const MADE = 1;

/**
 * Opens or makes a database in which a commit is durable on return.
 * @param schema  statements that are run once, in a new database
 */
export function openDatabase(path: string, schema: string): Connection {
  const database = new Database(path, { timeout: BUSY });
  patiently(() => database.exec('PRAGMA journal_mode = WAL'));
  database.exec(`
    PRAGMA synchronous = FULL;
    PRAGMA fullfsync = ON;
    PRAGMA journal_size_limit = 16777216;
    PRAGMA cell_size_check = ON`);
  inTransaction(database, () => {
    // not `IF NOT EXISTS`: tables that a damaged page has lost would come back empty
    const { user_version: made } = database.prepare('PRAGMA user_version').get() as { user_version: number };
    if (!made) database.exec(`${schema}; PRAGMA user_version = ${MADE}`);
  });
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
  const { user_version: made } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (made !== MADE) throw new Error(`expected ${path} with the mark ${MADE} (user_version), found ${made}`);
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
