import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fail } from '../errors.ts';
import { clusterAddress } from './address.ts';
import type { Call, Connection } from './connection.ts';
import { Counts } from './counts.ts';
import { hits } from './picture-index.test.kit.ts';

function opened(answer: () => object) {
  const calls: Call[] = [];
  const send = async (call: Call) => (calls.push(call), { status: 200, repeated: false, body: answer() });
  const connection = { address: clusterAddress('http://127.0.0.1:1/own'), send } as unknown as Connection;
  return { counts: new Counts(connection), calls };
}
const bucket = (key: string, doc_count: number) => ({ key, doc_count });
const answer = {
  ...hits([]),
  aggregations: {
    indexes: {
      buckets: [
        { ...bucket('own-shared-1', 9), byApplication: { buckets: [bucket('7', 3), bucket('8', 6)] } },
        { ...bucket('own-8-1', 7), byApplication: { buckets: [bucket('8', 7)] } },
      ],
    },
  },
};
const alone = () => Promise.resolve(-1);

test('applications that are counted at one moment are counted by one request, each once while it moves', async () => {
  const { counts, calls } = opened(() => answer);
  assert.deepEqual(await Promise.all([7, 8, 9].map((each) => counts.of(each, alone))), [3, 7, 0]);
  assert.equal(calls.length, 1);
  assert.equal(calls[0]!.path, '/own-pictures/_search?allow_partial_search_results=false&preference=_local');
  const { query, size } = calls[0]!.body as { query: { bool: { filter: object[] } }; size: number };
  assert.deepEqual([query.bool.filter[1], size], [{ terms: { application: [7, 8, 9] } }, 0]);
  await Promise.all([counts.of(7, alone), counts.of(8, alone)]);
  assert.equal(calls.length, 2);
});

test('a single one is counted alone, and so is each where a part of the cluster is missing', async () => {
  const { counts, calls } = opened(() => answer);
  assert.equal(await counts.of(7, alone), -1);
  assert.equal(calls.length, 0);
  const incomplete = opened(() => {
    throw fail('CLUSTER_INCOMPLETE', 'x');
  });
  assert.deepEqual(await Promise.all([7, 8].map((each) => incomplete.counts.of(each, alone))), [-1, -1]);
  const unreachable = opened(() => {
    throw fail('CLUSTER_UNREACHABLE', 'x');
  });
  const both = [7, 8].map((each) => unreachable.counts.of(each, alone));
  for (const each of await Promise.allSettled(both)) assert.equal(each.status, 'rejected');
});
