import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fail } from '../errors.ts';
import { patiently } from './patiently.ts';
import { withoutPauses } from './pauses.test.kit.ts';

const pauses = withoutPauses();

/** Work that fails so often. */
function failing(times: number): () => Promise<number> {
  let calls = 0;
  return async () => {
    if (calls++ < times) throw fail('CLUSTER_INCOMPLETE');
    return calls;
  };
}

test('work is repeated ten times, later and later; each failure is named', async () => {
  const named: string[] = [];
  assert.equal(await patiently(failing(10), ({ error }) => named.push(error)), 11);
  assert.deepEqual(
    pauses.splice(0).map((milliseconds) => milliseconds / 1000),
    [1, 2, 4, 8, 16, 30, 30, 30, 30, 30],
  );
  assert.deepEqual(named, Array(10).fill('CLUSTER_INCOMPLETE'));
  await assert.rejects(patiently(failing(11)), { error: 'CLUSTER_INCOMPLETE' });
});

test('what is no disturbance fails at once', async () => {
  let calls = 0;
  const refused = async (): Promise<void> => {
    calls++;
    throw fail('CLUSTER_DENIED');
  };
  await assert.rejects(patiently(refused), { error: 'CLUSTER_DENIED' });
  assert.equal(calls, 1);
});
