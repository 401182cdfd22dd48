import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CheckpointReader } from './checkpoint.ts';
import type { Call, Reply } from './connection.ts';

type Copy = { routing: { primary: boolean }; seq_no?: { global_checkpoint: number; max_seq_no: number } };
const copy = (primary: boolean, global_checkpoint: number): Copy => ({
  routing: { primary },
  seq_no: { global_checkpoint, max_seq_no: global_checkpoint + 1 },
});

/** A reader of an index with these copies of its shards. */
function readerOf(state: { shards: Record<string, Copy[]>; failed?: number }) {
  const calls: string[] = [];
  const send = async ({ method, path }: Call): Promise<Reply> => {
    calls.push(`${method} ${path}`);
    const { shards, failed = 0 } = state;
    const body = path === '_refresh' ? { _shards: { failed } } : { indices: { pictures: { uuid: 'u', shards } } };
    return { status: 200, body, repeated: false } as unknown as Reply;
  };
  return {
    reader: new CheckpointReader(send),
    refreshes: () => calls.filter((call) => call === 'POST _refresh').length,
  };
}

test('a checkpoint is that of the leading copies, and searches are shown each one once', async () => {
  const state = { shards: { 0: [copy(false, 5), copy(true, 7)], 1: [copy(true, -1)] } };
  const { reader, refreshes } = readerOf(state);
  const expected = { index: 'pictures', uuid: 'u', shards: { 0: 7, 1: -1 }, given: { 0: 8, 1: 0 } };
  for (let i = 0; i < 2; i++) assert.deepEqual(await reader.read(), expected);
  assert.equal(refreshes(), 1);
  state.shards[1] = [copy(true, 0)];
  assert.deepEqual((await reader.read()).shards, { 0: 7, 1: 0 });
  assert.equal(refreshes(), 2);
});

test('without a leading copy, without shards, and where a shard does not show its changes, there is none', async () => {
  for (const shards of [{ 0: [copy(true, 1)], 1: [copy(false, 1)] }, { 0: [{ routing: { primary: true } }] }, {}])
    await assert.rejects(readerOf({ shards }).reader.read(), { error: 'CLUSTER_INCOMPLETE' });
  const state = { shards: { 0: [copy(true, 1)] }, failed: 1 };
  const { reader, refreshes } = readerOf(state);
  await assert.rejects(reader.read(), { error: 'CLUSTER_INCOMPLETE', message: /1 shards did not show/ });
  state.failed = 0;
  await reader.read();
  assert.equal(refreshes(), 2, 'what failed is tried again');
});
