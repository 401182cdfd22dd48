import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorName } from '../errors.ts';
import type { ErrorBody } from './body.ts';
import { failureOf } from './failures.ts';

/** What an answer means for a read, and whether a change may be made, that may not be made by a read. */
function meaning(status: number, error?: ErrorBody | string): [name: ErrorName, detail: string, what: string] {
  const body = (error === undefined ? {} : { error }) as never;
  const [read, change] = [false, true].map((changes) => failureOf({ status, body }, changes));
  assert.equal(read!.mayBeDone, false);
  assert.deepEqual([read!.failure.error, read!.again], [change!.failure.error, change!.again]);
  const words = [...(read!.again ? ['again'] : []), ...(change!.mayBeDone ? ['may be done'] : [])];
  return [read!.failure.error, String(read!.failure.detail), words.join()];
}

test('what the user may not do is denied, and a block says why nothing is written', () => {
  const security = { type: 'security_exception', reason: 'no' };
  assert.deepEqual(meaning(401), ['CLUSTER_DENIED', 'no reason given (HTTP 401)', '']);
  assert.deepEqual(meaning(403, security), ['CLUSTER_DENIED', 'no (HTTP 403)', '']);
  assert.deepEqual(meaning(403, { type: 'other' }), ['CLUSTER_UNEXPECTED', 'other (HTTP 403)', '']);
  assert.deepEqual(meaning(400, security), ['CLUSTER_UNEXPECTED', 'no (HTTP 400)', '']);
  const block = (reason: string) => meaning(403, { type: 'cluster_block_exception', reason });
  for (const reason of ['flood stage reached', 'high DISK USAGE']) assert.equal(block(reason)[0], 'CLUSTER_FULL');
  assert.deepEqual(block('[FORBIDDEN/8/index write (api)]'), ['OVERLOADED', 'the index moves to another one', '']);
  assert.deepEqual(block('index Read-Only'), ['CLUSTER_READ_ONLY', 'index Read-Only (HTTP 403)', '']);
  assert.deepEqual(block('state not recovered'), ['CLUSTER_INCOMPLETE', 'state not recovered (HTTP 403)', 'again']);
});

test('causes count as well as the error, each once', () => {
  const full = { type: 'io_exception', reason: 'No space left on device' };
  const full500 = ['CLUSTER_FULL', 'bulk (HTTP 500)', 'again,may be done'];
  for (const causes of [{ root_cause: [full] }, { failed_shards: [{ reason: full }, {}] }, { caused_by: full }])
    assert.deepEqual(meaning(500, { type: 'bulk', ...causes }), full500);
  for (const type of ['rejected_execution_exception', 'circuit_breaking_exception']) {
    assert.deepEqual(meaning(429, { type }), ['OVERLOADED', 'the cluster is busy', '']);
    assert.deepEqual(meaning(500, { type: 'x', caused_by: { type } }), ['OVERLOADED', 'the cluster is busy', '']);
  }
  for (const type of ['too_many_clauses', 'too_many_nested_clauses'])
    assert.match(meaning(400, { type: 'x', caused_by: { type } }).join(), /^CLUSTER_UNSUITABLE,.*was lowered/);
  const search = { type: 'search_phase_execution_exception', reason: 'partial' };
  assert.deepEqual(meaning(503, search), ['CLUSTER_INCOMPLETE', 'partial (HTTP 503)', 'again']);
  const twice = [{ reason: { type: 'a', reason: 'b' } }, { reason: { type: 'a', reason: 'b' } }];
  const named = meaning(503, { ...search, failed_shards: twice, root_cause: [{ reason: 'c' }] });
  assert.equal(named[1], 'partial (HTTP 503) c; a b');
  const long = meaning(503, { ...search, caused_by: { reason: 'x'.repeat(900) } });
  assert.equal(long[1].length, 'partial (HTTP 503) '.length + 500);
});

test('a cluster that cannot yet, or has a fault, is sent the request again; another answer is unexpected', () => {
  for (const type of [
    'unavailable_shards_exception',
    'no_shard_available_action_exception',
    'node_not_connected_exception',
  ])
    assert.deepEqual(meaning(400, { type }), ['CLUSTER_INCOMPLETE', `${type} (HTTP 400)`, 'again']);
  assert.equal(meaning(400, { type: 'unavailable_shards_exception_of_another' })[0], 'CLUSTER_UNEXPECTED');
  for (const status of [429, 500, 503])
    assert.deepEqual(meaning(status), ['CLUSTER_INCOMPLETE', `no reason given (HTTP ${status})`, 'again,may be done']);
  for (const status of [400, 404, 428, 430, 499])
    assert.deepEqual(meaning(status, 'by a proxy'), ['CLUSTER_UNEXPECTED', `by a proxy (HTTP ${status})`, '']);
});
