import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { openDatabase, type Connection } from './database.ts';
import { differenceOf, RowDigestTable, type KnownRow } from './row-digests.ts';
import { imageSchema } from './schema.ts';

const folder = mkdtempSync(join(tmpdir(), 'sosia-digests-'));
after(() => rmSync(folder, { recursive: true }));

let database: Connection;
let table: RowDigestTable;
let databases = 0;
beforeEach(() => {
  database = openDatabase(join(folder, `${++databases}.db`), imageSchema);
  table = new RowDigestTable(database);
});

const rows = (of: Record<number, string>): Map<number, string> =>
  new Map(Object.entries(of).map(([number, digest]) => [Number(number), digest]));
const known = (): Record<number, KnownRow> => Object.fromEntries(table.read());

test('a change is noted before it is made, and its rows are the known ones once it is finished', () => {
  table.replace(rows({ 1: 'a', 2: 'b' }));
  assert.equal(table.hasBegun(), false);
  const changed = rows({ 1: 'A', 2: 'b', 3: 'c' });
  table.begin(rows({ 1: 'a', 2: 'b' }), changed);
  assert.deepEqual(known(), { 1: { digest: 'a', next: 'A' }, 2: { digest: 'b' }, 3: { next: 'c' } });
  assert.equal(table.hasBegun(), true);
  for (const either of [rows({ 1: 'a', 2: 'b' }), changed])
    assert.deepEqual(differenceOf(either, table.read()), { outdated: new Map(), other: new Map(), missing: [] });
  table.finish(changed);
  assert.deepEqual(known(), { 1: { digest: 'A' }, 2: { digest: 'b' }, 3: { digest: 'c' } });
  assert.deepEqual(differenceOf(rows({ 1: 'a', 2: 'b' }), table.read()), {
    outdated: new Map(),
    other: rows({ 1: 'a' }),
    missing: [3],
  });
});

test('a change of another process that has begun since is not finished', () => {
  table.begin(rows({}), rows({ 1: 'a' }));
  table.finish(rows({ 1: 'other' }));
  assert.deepEqual(known(), { 1: { next: 'a' } });
});

test('after an interruption the rows that are there count, whether the change was made or not, and no others', () => {
  const before = rows({ 1: 'a' });
  const changed = rows({ 1: 'A', 2: 'b' });
  for (const [found, expected] of [
    [before, { 1: { digest: 'a' } }],
    [changed, { 1: { digest: 'A' }, 2: { digest: 'b' } }],
    [rows({ 1: 'foreign', 2: 'b' }), { 1: { digest: 'a', next: 'A' }, 2: { digest: 'b' } }],
  ] as const) {
    table.replace(before);
    table.begin(before, changed);
    table.settle(found);
    assert.deepEqual(known(), expected);
  }
});

test('a row that damage has brought back stays outdated until it is changed', () => {
  table.replace(rows({ 1: 'new', 2: 'b', 3: 'c' }));
  table.note({ other: rows({ 1: 'old' }), missing: [3] });
  const outdated = { 1: { digest: 'new', outdated: 'old' }, 2: { digest: 'b' } };
  assert.deepEqual(known(), outdated);
  const found = rows({ 1: 'old', 2: 'b' });
  assert.deepEqual(differenceOf(found, table.read()), { outdated: rows({ 1: 'old' }), other: new Map(), missing: [] });
  table.replace(found);
  assert.deepEqual(known(), { 1: { digest: 'old', outdated: 'old' }, 2: { digest: 'b' } });

  const changed = rows({ 1: 'newer', 2: 'b' });
  table.begin(found, changed);
  table.settle(found);
  assert.deepEqual(known()[1], { digest: 'old', outdated: 'old', next: 'newer' }, 'an interruption changes nothing');
  table.settle(changed);
  assert.deepEqual(known(), { 1: { digest: 'newer' }, 2: { digest: 'b' } });
});

test('a digest that fails its checksum is left out, and named', () => {
  table.replace(rows({ 1: 'a', 2: 'b' }));
  database.exec("UPDATE row_digests SET record = CAST('{}' AS BLOB) WHERE number = 1");
  const said: string[] = [];
  assert.deepEqual(Object.fromEntries(table.read((what) => said.push(what))), { 2: { digest: 'b' } });
  assert.deepEqual(said, ['the digest of the row of application 1 fails its checksum']);
});
