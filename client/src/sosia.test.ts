import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { samplesFolder } from '@sosia/fixtures';
import { createApplication, createLog, openApplicationStore, readConfig, startServer } from '@sosia/server';
import type { RunningServer } from '@sosia/server';
import { Sosia, SosiaError } from './sosia.ts';

let data: string;
let server: RunningServer;
let sosia: Sosia;
before(async () => {
  data = await mkdtemp(join(tmpdir(), 'sosia-'));
  const flags = { data, modify_port: '0', query_port: '0', search_workers: '1', decode_workers: '1', stop_grace: '0' };
  server = await startServer(readConfig({ flags }), createLog('silent'));
  const store = openApplicationStore(data);
  const { key } = createApplication(store, { type: 'media-matching', name: 'client' });
  store.close();
  const address = (port: number) => `http://127.0.0.1:${port}/`;
  sosia = new Sosia({ modify: address(server.modifyPort), query: address(server.queryPort), key });
});
after(async () => {
  await server.close();
  await rm(data, { recursive: true });
});

const photograph = (name: string) => readFile(join(samplesFolder, name));

test('what is added is found, listed and counted, and is gone when deleted', async () => {
  const picture = await photograph('kodim01.jpg');
  await sosia.add('été no', picture, ['mer', 'été']);
  assert.equal(await sosia.count(), 1);
  assert.equal(await sosia.writable(), true);

  const { total, images } = await sosia.search(picture, { keywords: ['été'], count: 5 });
  assert.equal(total, 1);
  assert.deepEqual([images[0]!.id, images[0]!.score, images[0]!.keywords], ['été no', 0, ['mer', 'été']]);
  assert.equal((images[0]!.resultInfo as { decision: string }).decision, 'Clone');
  assert.deepEqual((await sosia.searchByKeywords(['mer'])).images[0], await sosia.image('été no'));

  await sosia.delete('été no');
  assert.deepEqual(await sosia.search(picture), { total: 0, images: [] });
});

test('a DNA goes out and comes back in', async () => {
  await sosia.add('a', await photograph('kodim02.jpg'));
  const dna = await sosia.dna('a');
  await sosia.addDna('b', dna);
  assert.deepEqual(await sosia.dna('b'), dna);
  const ids = ({ images }: { images: readonly { id: string }[] }) => images.map(({ id }) => id);
  assert.deepEqual(ids(await sosia.searchByDna(dna)), ['a', 'b']);
  assert.deepEqual(ids(await sosia.searchById('b', { start: 1 })), ['b']);
  assert.deepEqual(ids(await sosia.searchById('b', { ids: ['a', 'c'] })), ['a']);
});

test('an empty list of ids finds nothing, though on the wire it would be no list at all', async () => {
  assert.deepEqual(await sosia.searchById('a', { ids: [] }), { total: 0, images: [] });
});

test('a refusal carries the code of docs/errors.md', async () => {
  await assert.rejects(sosia.image('nobody'), (error) => error instanceof SosiaError && error.code === -2601);
  await assert.rejects(sosia.delete('nobody'), { code: -2802, http: 200, message: 'Image not found: nobody' });
});
