import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase, openToRead } from './database.ts';
import type { Connection } from './database.ts';
import { newIdentity, writeIdentity } from './identity.ts';
import { ImageReader } from './image-reader.ts';
import { imageWriter } from './image-table.ts';
import { imageSchema } from './schema.ts';

const picture = { id: 'a', keywords: [], dna: new Uint8Array(9) };

test('what is held is of one moment, though a picture is added while it is read, and nothing of a damaged database', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-held-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'images.db');
  const database = openDatabase(path, imageSchema);
  const commit = imageWriter(database);
  const append = () => commit([{ kind: 'append', application: 1, image: picture }]);
  for (let i = 0; i < 11; i++) append();
  const connection = openToRead(path);
  assert.equal(new ImageReader(connection).held(1), undefined, 'without an identity');
  writeIdentity(database, newIdentity(1));

  // a picture is added when the numbers have been read
  const prepare = (sql: string) => {
    const statement = connection.prepare(sql);
    if (!sql.includes('group_concat')) return statement;
    const get = statement.get.bind(statement);
    return Object.assign(statement, { get: (...values: unknown[]) => [get(...values), append()][0] });
  };
  const reader = new ImageReader(
    new Proxy(connection, {
      get: (_, name: keyof Connection) => {
        const value: unknown = name === 'prepare' ? prepare : connection[name];
        return typeof value === 'function' ? (value.bind(connection) as unknown) : value;
      },
    }),
  );
  for (const count of [11, 12]) {
    const held = reader.held(1)!;
    assert.deepEqual([...held.numbers], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].slice(0, count));
    assert.equal(held.tally.count, count);
  }
  assert.deepEqual([...reader.held(2)!.numbers], []);
  assert.equal(new ImageReader(connection, true).held(1), undefined);
});
