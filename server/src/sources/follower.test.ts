import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry } from './entries.ts';
import { Pass } from './follower.ts';
import type { Receiver } from './receiver.ts';
import type { Source } from './source.ts';

/** A pass over a source that lists one of three pictures. @returns the pictures that are left, and whether the next pass is due */
async function passOver(more: Partial<Source>): Promise<[left: string[], isUnfinished: boolean]> {
  const all = new Map(['a', 'b', 'c'].map((key): [string, Entry] => [key, { key, version: '1', digest: key }]));
  const entries = {
    all: async () => new Map(all),
    write: async (changes: Iterable<readonly [string, Entry | null]>) => {
      for (const [id, entry] of changes) if (!entry) all.delete(id);
    },
  };
  const receiver = { present: async () => new Set(), delete: async () => {} } as unknown as Receiver<never>;
  const source: Source = {
    async *list() {
      yield { key: 'a', version: '1' };
    },
    read: () => Promise.reject(new Error('nothing is to be read')),
    ...more,
  };
  const { signal } = new AbortController();
  const usual = { prefix: '', keywords: [], retry: false, parallel: 1, batch: 8, agreed: 0, checkLease: () => {} };
  const { isUnfinished } = await new Pass(receiver, source, entries, { ...usual, signal }).run();
  return [[...all.keys()], isUnfinished];
}

test('what is no longer listed is removed, unless the listing is partial or goes on in the next pass', async () => {
  assert.deepEqual(await passOver({}), [['a'], false]);
  assert.deepEqual(await passOver({ isPartial: true }), [['a', 'b', 'c'], false]);
  assert.deepEqual(await passOver({ isUnfinished: true }), [['a', 'b', 'c'], true]);
});
