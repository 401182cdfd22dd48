import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from './database.ts';
import { recordReader, recordWriter } from './record-table.ts';
import { imageSchema } from './schema.ts';
import type { Damage, RecordChange } from './store.ts';

function tables(t: { after: (done: () => void) => void }) {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-records-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const database = openDatabase(join(folder, 'images.db'), imageSchema);
  const damages: Damage[] = [];
  const reader = recordReader(database, (damage) => damages.push(damage));
  return { database, writer: recordWriter(database, () => 1), reader, damages };
}
const change = (id: string, text: string | null, expected?: number): RecordChange => ({
  ...{ kind: 'k', id, body: text === null ? null : Buffer.from(text) },
  ...(expected !== undefined && { expected }),
});
const shown = (records: readonly { id: string; version: number; body: Uint8Array }[]) =>
  records.map(({ id, version, body }) => `${id} ${version} ${Buffer.from(body).toString()}`);

test('a record has a version that rises by one, until it is removed', (t) => {
  const { writer, reader } = tables(t);
  for (const text of ['a', 'b', 'c']) assert.ok(writer.change(1, [change('x', text)]));
  assert.deepEqual(shown(reader.records(1, 'k')), ['x 3 c']);
  assert.ok(writer.change(1, [change('x', null), change('y', 'd')]));
  assert.deepEqual(shown(reader.records(1, 'k')), ['y 1 d']);
  assert.equal(reader.record(1, 'k', 'x'), undefined);
});

test('what was read of a record changes nothing of the one that was put after its removal', (t) => {
  const { database, reader } = tables(t);
  const writer = recordWriter(database);
  writer.change(1, [change('x', 'a')]);
  const { version } = reader.record(1, 'k', 'x')!;
  writer.change(1, [change('x', null)]);
  writer.change(1, [change('x', 'b')]);
  assert.equal(writer.change(1, [change('x', 'a', version)]), false);
});

test('changes are made together where each version is the expected one, 0 for no record, and otherwise none', (t) => {
  const { writer, reader } = tables(t);
  assert.ok(writer.change(1, [change('x', 'a', 0), change('y', 'a', 0)]));
  for (const changes of [
    [change('x', 'b', 1), change('y', 'b', 0)],
    [change('x', 'b', 1), change('y', 'b', 2)],
    [change('x', null, 1), change('z', 'b', 1)],
  ])
    assert.equal(writer.change(1, changes), false);
  assert.deepEqual(shown(reader.records(1, 'k')), ['x 1 a', 'y 1 a']);
  assert.ok(writer.change(1, [change('z', 'b'), change('x', 'b', 1), change('y', null, 1)]));
  assert.deepEqual(shown(reader.records(1, 'k')), ['x 2 b', 'z 1 b']);
});

test('records are of one application and one kind, by id, and in pages', (t) => {
  const { writer, reader } = tables(t);
  for (const id of ['c', 'a', 'd', 'b']) writer.change(1, [change(id, id)]);
  writer.change(2, [change('a', 'of another')]);
  writer.change(1, [{ ...change('a', 'of another kind'), kind: 'l' }]);
  assert.deepEqual(shown(reader.records(1, 'k')), ['a 1 a', 'b 1 b', 'c 1 c', 'd 1 d']);
  assert.deepEqual(shown(reader.recordsAfter(1, 'k', 'a', 2)), ['b 1 b', 'c 1 c']);
  assert.deepEqual(shown(reader.recordsAfter(1, 'k', '', 1)), ['a 1 a']);
  assert.equal(reader.all().length, 6);
  writer.purge(1);
  assert.deepEqual(shown(reader.all()), ['a 1 of another']);
});

test('a record that is changed from outside, in any column, is named and left out; the others are read', (t) => {
  const { database, writer, reader, damages } = tables(t);
  for (const column of ['application = 3', "kind = 'l'", "id = 'w'", 'version = 2', 'crc = crc + 1', "body = x'00'"]) {
    database.exec('DELETE FROM records');
    writer.change(1, [change('x', 'a'), change('y', 'a')]);
    database.exec(`UPDATE records SET ${column} WHERE id = 'x'`);
    assert.deepEqual(shown(reader.all()), ['y 1 a'], column);
    const [{ what, ...rest }] = damages.splice(0) as [Damage];
    assert.match(what, /^the record [kl] [xw]: expected the checksum \d+, found \d+$/);
    assert.deepEqual(rest, { file: 'images.db', application: column === 'application = 3' ? 3 : 1, records: 0 });
  }
  database.exec('DROP TABLE records');
  for (const read of [() => reader.all(), () => reader.records(1, 'k'), () => reader.recordsAfter(1, 'k', '', 9)]) {
    assert.deepEqual(read(), []);
    const [{ what, ...rest }] = damages.splice(0) as [Damage];
    assert.match(what, /^records: /);
    assert.deepEqual(rest, { file: 'images.db', records: 0 });
  }
});

test('a page is empty only where no sound record is left, whatever the ids of the damaged ones are', (t) => {
  const { database, writer, reader } = tables(t);
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) writer.change(1, [change(id, id)]);
  database.exec("UPDATE records SET id = x'ff' WHERE id = 'f'");
  database.exec("UPDATE records SET crc = crc + 1 WHERE id IN ('b', 'c', 'e')");
  assert.deepEqual(shown(reader.recordsAfter(1, 'k', 'a', 1)), ['d 1 d']);
  assert.deepEqual(shown(reader.recordsAfter(1, 'k', '', 2)), ['a 1 a']);
  assert.deepEqual(shown(reader.recordsAfter(1, 'k', 'd', 1)), []);
  assert.equal(reader.lastRecord(1, 'k')?.id, 'd');
});

test('details are those of a picture of the application; damaged ones are named and left out, as no lost picture', (t) => {
  const { database, writer, reader, damages } = tables(t);
  for (const number of [5, 6]) writer.addDetails(1, number, Buffer.from(`of ${number}`));
  const text = (application: number, number: number) =>
    reader.details(application, number) && Buffer.from(reader.details(application, number)!).toString();
  assert.deepEqual([text(1, 5), text(1, 6), text(2, 5), text(1, 7)], ['of 5', 'of 6', undefined, undefined]);
  writer.removeDetails(2, 6);
  assert.equal(text(1, 6), 'of 6');
  writer.removeDetails(1, 6);
  assert.deepEqual([text(1, 5), text(1, 6), damages], ['of 5', undefined, []]);
  for (const column of ['number = 8', "body = x'00'", 'crc = 1']) {
    database.exec('DELETE FROM details');
    writer.addDetails(1, 5, Buffer.from('of 5'));
    database.exec(`UPDATE details SET ${column}`);
    const number = column === 'number = 8' ? 8 : 5;
    assert.equal(reader.details(1, number), undefined);
    const what = 'its details fail their checksum';
    assert.deepEqual(damages.splice(0), [{ file: 'images.db', application: 1, number, records: 0, what }]);
  }
});

test('details go with the first pictures of an application, as many as are removed', (t) => {
  const { database, writer, reader } = tables(t);
  const insert = `INSERT INTO images (number, application, id, keywords, crc, dna) VALUES (?, ?, x'', x'', 0, x'')`;
  for (const [number, application] of [
    [1, 1],
    [2, 2],
    [3, 1],
    [4, 1],
  ] as const) {
    database.prepare(insert).run(number, application);
    writer.addDetails(application, number, Buffer.from('d'));
  }
  writer.purgeDetails(1, 2);
  const left = [1, 2, 3, 4].filter((number) => reader.details(number === 2 ? 2 : 1, number));
  assert.deepEqual(left, [2, 4]);
});

test('an id is read as it was written, with a mark of the byte order in front', (t) => {
  const { writer, reader } = tables(t);
  writer.change(1, [change('\ufeffx', 'a')]);
  assert.deepEqual(shown(reader.records(1, 'k')), ['\ufeffx 1 a']);
});
