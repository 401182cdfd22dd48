import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typeDefinitions } from '@sosia/engine';
import type { Application } from '../applications/application.ts';
import { Shards } from '../shards/shards.ts';
import { dnaOf } from '../store/dna.test.kit.ts';
import { folderRecords } from '../store/folder-records.ts';
import { IgnoreLists } from './ignore-lists.ts';

const type = 'media-matching';
const application = { type, definition: typeDefinitions[type], record: { number: 7 } } as unknown as Application;
const records = folderRecords({
  records: async () => [],
  record: async () => undefined,
  changeRecords: async () => {},
} as unknown as Parameters<typeof folderRecords>[0]);

test('the list of a deleted application leaves the memory of the search threads', async () => {
  const shards = new Shards(1, (cause) => assert.fail(cause));
  const lists = new IgnoreLists({ records, shards: () => shards });
  await lists.forget(7); // never opened
  const list = await lists.of(application);
  await list.add({ id: 'banner', dna: dnaOf(type, 1) }, 'first');
  assert.equal((await shards.size(-7)).count, 1);
  await lists.forget(7);
  await assert.rejects(shards.size(-7));
  assert.equal((await lists.of(application)).size, 0);
  await shards.close();
});
