import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application } from '../applications/application.ts';
import { SavedSearches } from './saved-searches.ts';
import type { Parts } from './saved-searches.ts';

test('the index has the pictures of the saved searches alone, not those of replaced and deleted ones', async () => {
  const indexed = new Set<number>();
  const shards = {
    open: async () => {},
    add: async (_: number, images: { image: number }[]) => images.forEach(({ image }) => indexed.add(image)),
    remove: async (_: number, image: number) => indexed.delete(image),
  };
  const records = { recordsAfter: async () => [], changeRecords: async () => {} };
  const parts = { records, shards: () => shards } as unknown as Parts;
  const application = { record: { number: 1 }, type: 'media-matching', nameOf: () => '' } as unknown as Application;
  const search = { minSimilarity: 0, keywords: [], added: '', who: '', dna: 'AAAA' };
  const searches = await SavedSearches.open(application, parts);
  for (const id of ['a', 'b', 'a']) await searches.save(application, id, search, false);
  assert.equal(indexed.size, 2);
  await searches.delete('b');
  assert.deepEqual([...indexed], [3]);
});
