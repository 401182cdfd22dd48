import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openApplicationStore } from './application-store.ts';
import { application } from './application.test.kit.ts';
import { openImageStore, readImageStore } from './image-store.ts';
import { awaitCommits } from './moved.ts';

const picture = (id: string) => ({ id, keywords: [], dna: Uint8Array.of(1, 2, 3) });
const moved = { error: 'APPLICATION_MOVED' };

test('a moved application takes no changes, of its records neither; others do, and so does it once it is back', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-moved-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const images = await openImageStore(folder);
  const store = openApplicationStore(folder);
  t.after(async () => (store.close(), images.close()));
  const { number: origin } = store.create(application('a'));
  const { number } = store.empty(origin);
  const { number: other } = store.create(application('b'));
  const first = await images.append(number, picture('first'));
  const record = { kind: 'verdict', id: 'v', body: Uint8Array.of(1) };

  store.update(number, { state: 'moved' });
  awaitCommits(folder);
  await assert.rejects(images.append(number, picture('second')), moved);
  await assert.rejects(images.replace(number, first, picture('first')), moved);
  await assert.rejects(images.remove(number, first), moved);
  await assert.rejects(images.changeRecords(origin, [record]), moved);
  assert.throws(() => store.update(number, { name: 'c' }), moved);
  assert.throws(() => store.changeKeys(number, () => []), moved);
  assert.throws(() => store.empty(number), moved);
  await images.append(other, picture('second'));
  await images.changeRecords(other, [record]);

  const reader = await readImageStore(folder, ({ what }) => assert.fail(what));
  assert.deepEqual(
    (await reader.images(number, [first, first + 1])).map(({ id }) => id),
    ['first'],
  );
  await assert.rejects(reader.append(other, picture('third')), { error: 'STORE_READ_ONLY' });
  await reader.close();

  store.update(number, { state: undefined });
  await images.remove(number, first);
  store.update(number, { state: 'moved' });
  store.delete(number);
});
