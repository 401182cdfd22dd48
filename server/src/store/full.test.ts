import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase, openToRead } from './database.ts';
import { ImageReader, isDamage } from './image-reader.ts';
import { imageWriter } from './image-table.ts';
import { imageSchema } from './schema.ts';
import type { Change } from './image-table.ts';

const picture = (id: string, dna = new Uint8Array(20_000)): Change => ({
  kind: 'append',
  application: 1,
  image: { id, keywords: [], dna, thumbnail: new Uint8Array(2_000) },
});

test('a commit without enough space leaves nothing behind, and the next one works', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-full-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'images.db');
  const database = openDatabase(path, imageSchema);
  const commit = imageWriter(database);
  const [first] = commit([picture('first')]);

  // space for one more picture, which the second of the two does not get
  const { page_count: pages } = database.prepare('PRAGMA page_count').get() as { page_count: number };
  database.exec(`PRAGMA max_page_count = ${pages + 8}`);
  const full = (cause: unknown) => (cause as { code?: string }).code === 'SQLITE_FULL';
  for (let i = 0; i < 3; i++) assert.throws(() => commit([picture('refused'), picture('refused too')]), full);
  const [small] = commit([picture('small', new Uint8Array(100))]);
  database.exec('PRAGMA max_page_count = 100000');
  const [large] = commit([picture('large')]);
  commit([{ kind: 'remove', application: 1, number: first! }]);

  const found = [...new ImageReader(openToRead(path)).replay(1)];
  assert.deepEqual(
    found.map((one) => (isDamage(one) ? one.what : [one.number, one.id])),
    [
      [small, 'small'],
      [large, 'large'],
    ],
  );
  assert.equal(new Set([first, small, large]).size, 3);
  database.close();
});
