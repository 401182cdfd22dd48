import assert from 'node:assert/strict';
import fs, { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import { openDatabase, openUnchecked } from './database.ts';
import { newIdentity, renewLink, writeIdentity } from './identity.ts';
import { logFits } from './log-link.ts';
import { imageSchema } from './schema.ts';

test('a log fits the file that it continues, and the file that has it, and no other file of the same folder', (t) => {
  const scratch = mkdtempSync(join(tmpdir(), 'sosia-link-'));
  t.after(() => rmSync(scratch, { recursive: true }));
  const path = join(scratch, 'images.db');
  const database = openDatabase(path, imageSchema);
  database.exec('PRAGMA wal_autocheckpoint = 0');
  const checkpoint = (mode: string) => database.exec(`PRAGMA wal_checkpoint(${mode})`);
  let pairs = 0;
  /** A database file and a log, each as copied at some moment. */
  const fits = (file: string, log: string): boolean => {
    const pair = join(scratch, `pair-${++pairs}.db`);
    copyFileSync(file, pair);
    copyFileSync(log, `${pair}-wal`);
    return logFits(pair, openUnchecked(pair));
  };
  const copied = (from: string): string => {
    const copy = join(scratch, `copy-${++pairs}`);
    copyFileSync(from, copy);
    return copy;
  };

  checkpoint('TRUNCATE');
  const unidentified = copied(path);
  writeIdentity(database, newIdentity(0));
  // checksums of 4 and of 6 bytes, at random
  for (let round = 0; round < 4; round++) {
    checkpoint('TRUNCATE');
    const before = copied(path);
    renewLink(database);
    renewLink(database);
    const log = copied(`${path}-wal`);
    assert.ok(fits(before, log), 'the file that the log continues');
    checkpoint('PASSIVE');
    assert.ok(fits(path, log), 'the file that has the log already');
    assert.ok(fits(unidentified, log), 'a file whose identity cannot be read is damaged');
    checkpoint('TRUNCATE');
    renewLink(database);
    const next = copied(`${path}-wal`);
    assert.equal(fits(before, next), false, 'an earlier file');
  }
});

/** A database whose log does not continue its file, and another round of that log. */
function exchanged(scratch: string): {
  path: string;
  rounds: [Buffer, Buffer];
  connection: () => ReturnType<typeof openUnchecked>;
} {
  const [path, other] = ['images.db', 'other.db'].map((name) => join(scratch, name)) as [string, string];
  const database = openDatabase(other, imageSchema);
  database.exec('PRAGMA wal_autocheckpoint = 0');
  writeIdentity(database, newIdentity(0));
  const rounds = [1, 2].map(() => {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    renewLink(database);
    return readFileSync(`${other}-wal`);
  }) as [Buffer, Buffer];
  const own = openDatabase(path, imageSchema);
  writeIdentity(own, newIdentity(0));
  own.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  return { path, rounds, connection: () => openUnchecked(path) };
}

test('a log that begins a new round while it is compared is compared again, five times at most', (t) => {
  const scratch = mkdtempSync(join(tmpdir(), 'sosia-link-'));
  t.after(() => {
    mock.restoreAll();
    syncBuiltinESMExports();
    rmSync(scratch, { recursive: true });
  });
  const { path, rounds, connection } = exchanged(scratch);
  const database = connection();
  const { readFileSync: read } = fs;
  let logs: Buffer[] = [];
  let reads = 0;
  mock.method(fs, 'readFileSync', (file: string, ...more: []) => {
    if (!file.endsWith('-wal')) return read(file, ...more);
    return logs[Math.min(reads++, logs.length - 1)];
  });
  syncBuiltinESMExports();
  const [one, other] = rounds;
  for (const [read, of] of [
    [2, [one, one]],
    [4, [one, other, other, other]],
    [8, [one, other, one, other, one, other, other, other]],
    [10, Array.from({ length: 20 }, (_, i) => rounds[i % 2]!)],
  ] as const) {
    [logs, reads] = [[...of], 0];
    assert.equal(logFits(path, database), false);
    assert.equal(reads, read);
  }
});

test('a log fits a file without a table of identities', (t) => {
  const scratch = mkdtempSync(join(tmpdir(), 'sosia-link-'));
  t.after(() => rmSync(scratch, { recursive: true }));
  const { path, rounds } = exchanged(scratch);
  writeFileSync(`${path}-wal`, rounds[0]);
  const plain = openDatabase(join(scratch, 'plain.db'), 'CREATE TABLE a (b)');
  assert.equal(logFits(path, plain), true);
});
