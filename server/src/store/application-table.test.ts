import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { AdministrationTable } from './administration-table.ts';
import { application, key } from './application.test.kit.ts';
import { applicationWriter, readApplications, rowDigests, withoutOldKeys } from './application-table.ts';
import type { Connection } from './database.ts';
import { openDatabase } from './database.ts';
import { ADMINISTRATORS } from './row-digests.ts';
import { applicationSchema } from './schema.ts';
import type { Damage } from './store.ts';

let folder: string;
let database: Connection;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sosia-application-table-'));
  database = openDatabase(join(folder, 'applications.db'), applicationSchema);
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

const file = 'applications.db';
function fill(count: number): void {
  for (let i = 1; i <= count; i++) applicationWriter(database).put({ number: i, ...application(String(i)) });
}
const numbers = () => readApplications(database).applications.map(({ number }) => number);
const damages = () => readApplications(database).damages;

test('applications and deleted ones are read with the highest number, in the order of the numbers', () => {
  assert.deepEqual(readApplications(database), {
    ...{ applications: [], deleted: [], digests: new Map(), highest: 0, damages: [] },
  });
  fill(4);
  applicationWriter(database).delete(2);
  const found = readApplications(database);
  assert.deepEqual(found.applications[1], { number: 3, ...application('3') });
  assert.deepEqual([numbers(), found.deleted, found.highest, found.damages], [[1, 3, 4], [2], 4, []]);
});

test('missing rows are named one by one or as a range, and so is a sequence that has more or fewer', () => {
  fill(9);
  database.exec('DELETE FROM applications WHERE number IN (1, 4, 5, 8)');
  const what = 'its row is missing';
  assert.deepEqual(damages(), [
    { file, application: 1, what },
    { file, numbers: { from: 4, to: 5 }, what },
    { file, application: 8, what },
  ]);
  database.exec('DELETE FROM applications WHERE number = 9');
  const shorter = { file, what: 'expected 9 applications, found numbers up to 7' };
  assert.deepEqual(damages()[0], shorter);
  assert.deepEqual([numbers(), readApplications(database).highest], [[2, 3, 6, 7], 9]);
  database.exec('DELETE FROM sqlite_sequence');
  assert.match(damages()[0]!.what, /^expected 0 applications, found numbers up to 7$/);
  assert.equal(readApplications(database).highest, 7);
  database.exec(`INSERT INTO sqlite_sequence VALUES ('applications', 1000000)`);
  assert.equal(readApplications(database).highest, 7, 'a million is damage');
  database.exec('UPDATE sqlite_sequence SET seq = 999999');
  assert.equal(readApplications(database).highest, 999_999);
});

test('a row that is changed from outside is named by its number, and the others are read', () => {
  fill(3);
  for (const column of [
    'crc = crc + 1',
    "record = replace(record, 'true', 'false')",
    'record = NULL',
    "record = 'x'",
  ]) {
    database.exec('SAVEPOINT before');
    database.exec(`UPDATE applications SET ${column} WHERE number = 2`);
    assert.deepEqual(numbers(), [1, 3], column);
    const [{ what, ...rest }] = damages() as [Damage];
    assert.match(what, /^expected the checksum \d+, found \d+$/);
    assert.deepEqual(rest, { file, application: 2 });
    assert.equal(rowDigests(database).whole, false);
    database.exec('ROLLBACK TO before; RELEASE before');
  }
  assert.deepEqual(damages(), []);
});

test('rows have different digests, which are the same in every version', () => {
  fill(2);
  new AdministrationTable(database, () => {}).saveAdministrators([key('root')]);
  const { digests, whole } = rowDigests(database);
  assert.ok(whole);
  assert.deepEqual(
    [...digests].map(([number, digest]) => [number, digest.length]),
    [
      [1, 32],
      [2, 32],
      [ADMINISTRATORS, 32],
    ],
  );
  assert.equal(digests.get(1), '347f2fbc43a23998262013bed41582bb');
  fill(2);
  assert.deepEqual(rowDigests(database).digests, digests);
  applicationWriter(database).put({ number: 1, ...application('1'), enabled: false });
  assert.notEqual(rowDigests(database).digests.get(1), digests.get(1));
  assert.equal(rowDigests(database).digests.get(2), digests.get(2));
});

test('an outdated row has no key that is accepted, and the others keep theirs', () => {
  fill(2);
  const found = readApplications(database);
  const keys = (outdated: ReadonlyMap<number, string>) =>
    withoutOldKeys(found, outdated).map((each) => each.keys.length);
  assert.deepEqual(keys(new Map([[1, found.digests.get(1)!]])), [0, 1]);
  assert.deepEqual(keys(new Map([[1, 'of another row']])), [1, 1]);
  assert.deepEqual(keys(new Map()), [1, 1]);
});
