import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Connection, openDatabase } from './database.ts';
import { dnaOf } from './dna.test.kit.ts';
import { HIGHEST_NUMBER, imageWriter } from './image-table.ts';
import { imageSchema } from './schema.ts';
import { isTally, tallyReader } from './tally.ts';

function opened(t: { after: (done: () => void) => void }): Connection {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-image-table-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return openDatabase(join(folder, 'images.db'), imageSchema);
}

const image = (id: string) => ({ id, keywords: [], dna: dnaOf('media-matching', id.length) });
const append = (application: number, id: string) => ({ kind: 'append', application, image: image(id) }) as const;

/** The tally of an application, and its rows. */
function tallies(database: Connection, application: number) {
  const tally = tallyReader(database, 'tallies').of(application);
  const rows = database
    .prepare('SELECT number, crc FROM images WHERE application = ? ORDER BY number')
    .all(application) as { number: number; crc: number }[];
  return { tally, rows, numbers: rows.map(({ number }) => number) };
}

test('the tally of an application is that of its rows after each change', (t) => {
  const database = opened(t);
  const commit = imageWriter(database);
  const agree = (numbers: number[]) => {
    const { tally, rows, numbers: found } = tallies(database, 1);
    assert.deepEqual(found, numbers);
    assert.ok(isTally(tally, rows));
  };
  assert.deepEqual(commit([append(1, 'a'), append(1, 'bb'), append(2, 'ccc')]), [1, 2, 3]);
  agree([1, 2]);
  assert.deepEqual(commit([{ kind: 'remove', application: 1, number: 1 }]), [1]);
  agree([2]);
  assert.deepEqual(commit([{ kind: 'replace', application: 1, number: 2, image: image('dddd') }]), [4]);
  agree([4]);
  assert.deepEqual(commit([{ kind: 'remove', application: 2, number: 4 }]), [0], 'that of another application stays');
  assert.deepEqual(commit([{ kind: 'replace', application: 1, number: 2, image: image('x') }]), [0]);
  agree([4]);
  commit([{ kind: 'purge', application: 1 }]);
  commit([{ kind: 'purge', application: 1 }]);
  agree([]);
  assert.equal(tallies(database, 2).tally.count, 1);
});

test('a failure leaves nothing of the changes of one commit', (t) => {
  const database = opened(t);
  const commit = imageWriter(database);
  assert.throws(() => commit([append(1, 'a')], () => assert.fail('at the end')), /at the end/);
  assert.deepEqual(tallies(database, 1).numbers, []);
});

test('no picture is added where the sequence of numbers is below one of a picture, too high, missing or there twice', (t) => {
  const database = opened(t);
  imageWriter(database)([append(1, 'a'), append(1, 'bb')]);
  for (const damage of [
    'UPDATE sqlite_sequence SET seq = 1',
    `UPDATE sqlite_sequence SET seq = ${HIGHEST_NUMBER + 1}`,
    'DELETE FROM sqlite_sequence',
    "INSERT INTO sqlite_sequence VALUES ('images', 2), ('images', 2)",
  ]) {
    database.exec(damage);
    const detail = /^expected the sequence of numbers at 2 or above, found \d+$/;
    assert.throws(() => imageWriter(database), { error: 'STORE_DAMAGED', detail }, damage);
  }
  database.exec('DELETE FROM images WHERE number = 2');
  assert.throws(() => imageWriter(database), { error: 'STORE_DAMAGED' }, 'there twice');
  database.exec('DELETE FROM images; DELETE FROM sqlite_sequence');
  assert.deepEqual(imageWriter(database)([append(1, 'a'), append(1, 'bb')]), [1, 2]);
  database.exec("DELETE FROM sqlite_sequence; INSERT INTO sqlite_sequence VALUES ('images', 2)");
  assert.deepEqual(imageWriter(database)([append(1, 'ccc')]), [3]);
});
