import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Connection, openDatabase } from './database.ts';
import { dnaOf } from './dna.test.kit.ts';
import { HIGHEST_NUMBER, imageWriter } from './image-table.ts';
import { recordReader } from './record-table.ts';
import { imageSchema } from './schema.ts';
import { isTally, tallyReader } from './tally.ts';
import { thumbnailReader } from './thumbnail-table.ts';

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

test('a picture has its details, its thumbnail and its events, and the first two go with it', (t) => {
  const database = opened(t);
  const commit = imageWriter(database);
  const details = { metadata: { year: 1999 } };
  const event = {
    ...{ key: 'k', search: 's', watched: 'w', image: 'a', at: '2026-01-01T00:00:00.000Z', score: 0 },
    ...{ similarity: 100, decision: '', info: '' },
  };
  const whole = { ...image('a'), details, thumbnail: Uint8Array.of(1, 2), events: { application: 7, events: [event] } };
  const add = () => commit([{ kind: 'append', application: 1, image: whole }])[0]!;
  const records = recordReader(database);
  const thumbnails = thumbnailReader(database);
  const has = (number: number) => {
    const body = records.details(1, number);
    const jpeg = thumbnails.thumbnail(1, number) as Uint8Array | undefined;
    return [body && JSON.parse(Buffer.from(body).toString()), jpeg && [...jpeg]];
  };
  const tallyOfThumbnails = () => tallyReader(database, 'thumbnail_tallies').of(1).count;
  assert.deepEqual(has(add()), [details, [1, 2]]);
  assert.equal(commit([append(1, 'plain')])[0], 2);
  assert.deepEqual(has(2), [undefined, undefined]);
  assert.equal(records.records(7, 'event').length, 1);
  commit([{ kind: 'remove', application: 1, number: 1 }]);
  assert.deepEqual([has(1), tallyOfThumbnails()], [[undefined, undefined], 0]);
  const again = add();
  assert.deepEqual(commit([{ kind: 'purge', application: 1 }]), [2]);
  assert.deepEqual([has(again), tallyOfThumbnails()], [[undefined, undefined], 0]);
  assert.equal(records.records(7, 'event').length, 1, 'one that repeats');
});

test('a purge removes 256 pictures at a time, of one application, and then its tallies', (t) => {
  const database = opened(t);
  const commit = imageWriter(database);
  const small = (application: number) =>
    ({ kind: 'append', application, image: { ...image('a'), dna: new Uint8Array(1), thumbnail: new Uint8Array(1) } }) as const; // prettier-ignore
  commit(Array.from({ length: 257 }, () => small(1)));
  commit([small(2)]);
  const purge = () => commit([{ kind: 'purge', application: 1 }])[0];
  const known = () => ['tallies', 'thumbnail_tallies'].map((table) => tallyReader(database, table).applications());
  const rows = () => (database.prepare('SELECT count(*) AS n FROM thumbnails').get() as { n: number }).n;
  assert.deepEqual([purge(), rows()], [256, 2]);
  assert.deepEqual([purge(), rows()], [1, 1]);
  assert.deepEqual(known(), [[1, 2], [1, 2]]); // prettier-ignore
  assert.deepEqual([purge(), known()], [0, [[2], [2]]]);
});

test('records are changed together or not at all, and go with their applications', (t) => {
  const database = opened(t);
  const commit = imageWriter(database);
  const reader = recordReader(database);
  const put = (id: string, expected?: number) => ({
    ...{ kind: 'k', id, body: Buffer.from(id) },
    ...(expected !== undefined && { expected }),
  });
  const change = (application: number, ...changes: ReturnType<typeof put>[]) =>
    commit([{ kind: 'records', application, changes }])[0];
  const ids = (application: number) => reader.records(application, 'k').map(({ id }) => id);
  assert.deepEqual([change(1, put('a'), put('b', 0)), ids(1)], [1, ['a', 'b']]);
  assert.deepEqual([change(1, put('c'), put('b', 0)), ids(1)], [0, ['a', 'b']]);
  for (const application of [2, 3]) change(application, put('a'));
  assert.deepEqual(commit([{ kind: 'forget', application: 0, applications: [1, 3] }]), [0]);
  assert.deepEqual([1, 2, 3].map(ids), [[], ['a'], []]);
});
