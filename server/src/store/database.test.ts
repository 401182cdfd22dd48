import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import Database from 'libsql';
import { inTransaction, openDatabase, openToRead, openUnchecked } from './database.ts';
import type { Connection } from './database.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sosia-database-'));
after(() => rmSync(scratch, { recursive: true }));
const schema = 'CREATE TABLE numbers (number INTEGER PRIMARY KEY)';
let databases = 0;
const newPath = () => join(scratch, `${++databases}.db`);
const settings = (database: Connection, names: readonly string[]) =>
  names.map((name) => Object.values(database.prepare(`PRAGMA ${name}`).get() as object)[0] as unknown);
const numbersIn = (database: Connection) =>
  (database.prepare('SELECT number FROM numbers').raw().all() as number[][]).flat();

test('a database to write flushes each commit, has a log of at most 16 MB, checks pages and trusts no schema', () => {
  const database = openDatabase(newPath(), schema);
  const names = ['journal_mode', 'synchronous', 'fullfsync', 'journal_size_limit', 'cell_size_check', 'trusted_schema'];
  assert.deepEqual(settings(database, names), ['wal', 2, 1, 16 * 2 ** 20, 1, 0]);
  assert.deepEqual(settings(database, ['busy_timeout', 'user_version']), [10_000, 1]);
});

test('a database to read cannot be changed, checks pages, and is read with a damaged schema', () => {
  const path = newPath();
  openDatabase(path, schema).close();
  const database = openToRead(path);
  assert.deepEqual(settings(database, ['cell_size_check', 'trusted_schema', 'busy_timeout']), [1, 0, 10_000]);
  assert.throws(() => database.exec('INSERT INTO numbers VALUES (1)'), /readonly/);
  new Database(path).exec(
    "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES ('table', 'other', 'other', 2, 'CREATE TABLX')",
  );
  assert.throws(() => new Database(path).prepare('SELECT number FROM numbers'), /malformed/);
  assert.deepEqual(numbersIn(openToRead(path)), []);
});

test('tables are made once, and a database of another version is refused', () => {
  const path = newPath();
  const database = openDatabase(path, schema);
  database.exec('DROP TABLE numbers');
  assert.throws(() => numbersIn(openDatabase(path, schema)), /no such table/);
  database.exec('PRAGMA user_version = 2');
  assert.throws(() => openDatabase(path, schema), /expected the mark 1 \(user_version\), found 2/);
  assert.throws(() => openToRead(path), /expected the mark 1 in .* found 2/);
  database.exec('PRAGMA user_version = 0');
  assert.throws(() => openToRead(path), /found 0/);
  openUnchecked(path);
  assert.throws(() => openToRead(join(scratch, 'none.db')));
});

test('a transaction that fails leaves nothing, and the next one works', () => {
  const database = openDatabase(newPath(), schema);
  const insert = (number: number) => database.exec(`INSERT INTO numbers VALUES (${number})`);
  const fails = () => {
    insert(1);
    throw new Error('refused');
  };
  assert.throws(() => inTransaction(database, fails), /refused/);
  assert.equal(database.inTransaction, false);
  assert.equal(
    inTransaction(database, () => (insert(2), 'done')),
    'done',
  );
  // one that has ended by itself
  assert.throws(() => inTransaction(database, () => (database.exec('ROLLBACK'), fails())), /refused/);
  assert.deepEqual(numbersIn(database), [1, 2]);
});
