import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QuietMerge } from './quiet-merge.ts';

/** Looks at an index in these states, one after the other. @returns whether each look merged it */
async function looks(...states: [checkpoint: number, segments: number, bytes?: number][]): Promise<boolean[]> {
  const quiet = new QuietMerge();
  let merges = 0;
  const merged: boolean[] = [];
  for (const [checkpoint, segments, bytes = 1e6] of states) {
    const before = merges;
    const shards = async () => [
      { checkpoint: 7, segments: 1, bytes: 1e6 },
      { checkpoint, segments, bytes },
    ];
    const merge = (): Promise<void> => {
      merges++;
      return Promise.resolve();
    };
    const begun = await quiet.look('own-7-1', { shards, merge });
    assert.equal(begun, merges > before);
    merged.push(begun);
  }
  return merged;
}

test('an index of many segments is merged when it has not changed since the last look', async () => {
  assert.deepEqual(await looks([10, 11], [12, 11], [12, 11]), [false, false, true]);
});

test('an index of few segments is left as it is', async () => {
  assert.deepEqual(await looks([10, 3], [10, 3]), [false, false]);
});

test('four segments are many, and 5 GB are still merged', async () => {
  assert.deepEqual(await looks([10, 4, 5e9], [10, 4, 5e9]), [false, true]);
  assert.deepEqual(await looks([10, 4, 5e9 + 1], [10, 4, 5e9 + 1]), [false, false]);
});

test('an index with a large shard is left to the operator', async () => {
  assert.deepEqual(await looks([10, 11, 6e9], [10, 11, 6e9]), [false, false]);
});
