import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import Database from 'libsql';
import { openUnchecked } from './database.ts';
import { structureOf } from './structure.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sosia-structure-'));
after(() => rmSync(scratch, { recursive: true }));
let databases = 0;

/** A table with an index that lacks the last rows. */
function databaseOf(rows: number, missing: number): string {
  const path = join(scratch, `${++databases}.db`);
  const database = new Database(path);
  const insert = (first: number, last: number): void =>
    void database.exec(`WITH RECURSIVE n(i) AS (SELECT ${first} UNION ALL SELECT i + 1 FROM n WHERE i < ${last})
      INSERT INTO t SELECT i, hex(randomblob(20)) FROM n WHERE i <= ${last}`);
  database.exec('CREATE TABLE t (number INTEGER PRIMARY KEY, text TEXT NOT NULL); CREATE INDEX by_text ON t (text)');
  insert(1, rows - missing);
  if (missing > 0) {
    const { root } = database.prepare("SELECT rootpage AS root FROM sqlite_schema WHERE name = 'by_text'").get() as {
      root: number;
    };
    database.exec("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'by_text'");
    database.exec('PRAGMA writable_schema = RESET');
    insert(rows - missing + 1, rows);
    database.exec(`PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema VALUES ('index', 'by_text', 't', ${root}, 'CREATE INDEX by_text ON t (text)')`);
  }
  database.close();
  return path;
}

test('a sound database has no fault and may be changed', () => {
  assert.deepEqual(structureOf(openUnchecked(databaseOf(3, 0))), { faults: [], writable: true });
});

test('rows that an index lacks can spread no damage, unless there are too many to know them all', () => {
  const few = structureOf(openUnchecked(databaseOf(9, 2)));
  assert.deepEqual(few.faults, [
    'row 8 missing from index by_text',
    'row 9 missing from index by_text',
    'wrong # of entries in index by_text',
  ]);
  assert.equal(few.writable, true);
  const most = structureOf(openUnchecked(databaseOf(9_999, 9_998)));
  assert.deepEqual([most.faults.length, most.writable], [9_999, true]);
  const more = structureOf(openUnchecked(databaseOf(10_100, 10_100)));
  assert.deepEqual([more.faults.length, more.writable], [10_000, false]);
});

test('a database that lost its end may not be changed, and one without a header has one fault', () => {
  const path = databaseOf(900, 0);
  truncateSync(path, 6 * 4096);
  const { faults, writable } = structureOf(openUnchecked(path));
  assert.ok(faults.length > 0);
  assert.equal(writable, false);
});
