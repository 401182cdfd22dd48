import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { type Connection, openDatabase } from './database.ts';
import { removeLogs } from './remove-logs.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sosia-logs-'));
});
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const names = ['applications.db', 'images.db'];
const left = () => names.flatMap((name) => ['-wal', '-shm'].filter((end) => existsSync(join(folder, name + end))).map((end) => name + end)); // prettier-ignore
/** Databases, each with a log that has something or is empty. */
function abandoned(isEmpty: boolean): Connection[] {
  return names.map((name) => {
    const database = openDatabase(join(folder, name), 'CREATE TABLE a (b)');
    database.exec('INSERT INTO a VALUES (1)');
    if (isEmpty) database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return database;
  });
}

test('logs are put into their databases and removed', async () => {
  abandoned(false);
  assert.equal(left().length, 4);
  assert.ok(statSync(join(folder, 'images.db-wal')).size > 0);
  await removeLogs(folder);
  assert.deepEqual(left(), []);
});

test('after a command that only reads, empty logs are removed, and those that have anything stay', async () => {
  abandoned(true);
  await removeLogs(folder, true);
  assert.deepEqual(left(), []);
  const held = abandoned(false);
  const bytes = statSync(join(folder, 'images.db-wal')).size;
  await removeLogs(folder, true);
  assert.deepEqual(left(), ['applications.db-wal', 'applications.db-shm', 'images.db-wal', 'images.db-shm']);
  assert.equal(statSync(join(folder, 'images.db-wal')).size, bytes);
  for (const database of held) database.close();
});

test('what a reader has left beside a database goes alone, too; a folder without databases has none', async () => {
  await removeLogs(folder);
  abandoned(true);
  await removeLogs(folder);
  for (const name of names) writeFileSync(join(folder, `${name}-shm`), '');
  await removeLogs(folder, true);
  assert.deepEqual(left(), []);
});
