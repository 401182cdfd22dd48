import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
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
