import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase, openToRead } from './database.ts';
import { imageSchema } from './schema.ts';

test('a database flushes each commit, has a bounded log, and trusts neither its pages nor its schema', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-database-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'images.db');
  const database = openDatabase(path, imageSchema);
  const read = openToRead(path);
  const of = (opened: typeof database, name: string) =>
    Object.values(opened.prepare(`PRAGMA ${name}`).get() as Record<string, unknown>)[0];
  const expected = { journal_mode: 'wal', synchronous: 2, fullfsync: 1, journal_size_limit: 16_777_216 };
  for (const [name, value] of Object.entries(expected)) assert.equal(of(database, name), value, name);
  for (const opened of [database, read])
    for (const [name, value] of Object.entries({ cell_size_check: 1, trusted_schema: 0 }))
      assert.equal(of(opened, name), value, name);
  assert.throws(() => read.exec('DELETE FROM images'), /readonly/);
});
