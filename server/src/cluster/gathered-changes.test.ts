import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { setImmediate as later } from 'node:timers/promises';
import { fail } from '../errors.ts';
import type { Call, Reply } from './connection.ts';
import { type Change, GatheredChanges } from './gathered-changes.ts';

type Answer = (reply: object | Error) => Promise<void>;

let calls: Call[];
let answers: Answer[];
let isMoved: boolean;
let changes: GatheredChanges;
beforeEach(() => {
  calls = [];
  answers = [];
  isMoved = false;
  const send = (call: Call): Promise<Reply> =>
    new Promise((resolve, reject) => {
      calls.push(call);
      answers.push(async (reply) => {
        if (reply instanceof Error) reject(reply);
        else resolve({ status: 200, repeated: false, ...reply } as Reply);
        await later();
      });
    });
  changes = new GatheredChanges(send, () => {
    if (isMoved) throw fail('APPLICATION_MOVED');
  });
});

const put = (key: string, more: Partial<Change> = {}): Promise<Reply> =>
  changes.put({ key, document: { key }, creates: true, until: 50, ...more });
const paths = () => calls.map(({ method, path }) => `${method} ${path}`);
const linesOf = ({ body }: Call): unknown[] => (body as string).trimEnd().split('\n').map((line) => JSON.parse(line) as unknown); // prettier-ignore
const done = { status: 201, _shards: { total: 2, successful: 2, failed: 0 } };
const bulk = (...items: object[]) => ({ body: { items: items.map((item) => ({ create: item })) } });

test('changes that arrive while a request is under way go together in the next one', async () => {
  const first = put('a');
  const others = [put('b'), put('c', { creates: false, version: 'if_seq_no=4&if_primary_term=2', until: 40 })];
  assert.deepEqual(paths(), ['PUT _create/a?refresh=true&require_alias=true']);
  await answers[0]!({ status: 201 });
  assert.equal((await first).status, 201);
  assert.deepEqual(paths().slice(1), ['POST _bulk?refresh=true&require_alias=true']);
  assert.deepEqual(linesOf(calls[1]!), [
    { create: { _id: 'b' } },
    { key: 'b' },
    { index: { _id: 'c', if_seq_no: 4, if_primary_term: 2 } },
    { key: 'c' },
  ]);
  assert.equal(calls[1]!.changes, true);
  assert.equal(calls[1]!.until, 40, 'the first end of them');
  await answers[1]!({ ...bulk(done, { status: 409, error: { type: 'version_conflict_engine_exception' } }), repeated: true }); // prettier-ignore
  const [b, c] = await Promise.all(others);
  assert.deepEqual([b!.status, b!.body._shards, b!.repeated], [201, done._shards, true]);
  assert.deepEqual([c!.status, c!.repeated], [409, true]);
  void put('d', { creates: false });
  assert.deepEqual(paths().slice(2), ['PUT _doc/d?refresh=true&require_alias=true']);
});

test('a change that fails beside others is made alone, and says why it cannot be made', async () => {
  void put('a');
  const [b, c, d, e] = [put('b'), put('c'), put('d'), put('e')];
  await answers[0]!({});
  const blocked = { status: 403, error: { type: 'cluster_block_exception', reason: 'index write (api)' } };
  const broken = { status: 500, error: { type: 'io_exception', reason: 'No space left on device' } };
  await answers[1]!(bulk(blocked, broken, broken, done));
  assert.deepEqual(
    paths().slice(2),
    ['b', 'c', 'd'].map((key) => `PUT _create/${key}?refresh=true&require_alias=true`),
  );
  assert.equal((await e).status, 201);
  const refusals = [
    assert.rejects(b, { error: 'OVERLOADED' }, 'nothing was done'),
    assert.rejects(c, { error: 'CLUSTER_OUTCOME_UNKNOWN' }, 'what the failed one has done is not known'),
  ];
  await answers[2]!(fail('OVERLOADED'));
  await answers[3]!(fail('CLUSTER_FULL'));
  await Promise.all(refusals);
  await answers[4]!({ status: 409 });
  assert.deepEqual(await d, { status: 409, repeated: true }, 'it may be its own');
});

test('a request that fails fails for all of its changes, and the next one is sent', async () => {
  void put('a');
  const refusals = ['b', 'c'].map(async (key) => assert.rejects(put(key), { error: 'CLUSTER_OUTCOME_UNKNOWN' }));
  await answers[0]!({});
  void put('d');
  await answers[1]!(fail('CLUSTER_OUTCOME_UNKNOWN'));
  await Promise.all(refusals);
  assert.equal(calls.length, 3);
});

test('changes wait a second at most for a request without an answer', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  void put('a');
  void put('b');
  context.mock.timers.tick(999);
  assert.equal(calls.length, 1);
  context.mock.timers.tick(1);
  assert.equal(calls.length, 2);
  void put('c');
  await answers[0]!({});
  assert.equal(calls.length, 2, 'they wait for the latest request');
  await answers[1]!({});
  assert.equal(calls.length, 3);
});

test('a request has at most a million characters, or one change', async () => {
  void put('a');
  for (const [i, length] of [400_000, 400_000, 400_000, 2_000_000, 3].entries())
    void put(`b${i}`, { document: { text: 'x'.repeat(length) } });
  const counts = [];
  for (let i = 0; i < calls.length; i++) {
    const { method, body } = calls[i]!;
    counts.push(method === 'PUT' ? 1 : (body as string).split('\n').length >> 1);
    await answers[i]!(method === 'PUT' ? {} : bulk(done, done, done));
  }
  assert.deepEqual(counts, [1, 2, 1, 1, 1]);
});

test('changes of an application that has moved meanwhile are not sent', async () => {
  void put('a');
  const refusals = ['b', 'c'].map(async (key) => assert.rejects(put(key), { error: 'APPLICATION_MOVED' }));
  isMoved = true;
  await answers[0]!({});
  await Promise.all(refusals);
  await assert.rejects(put('d'), { error: 'APPLICATION_MOVED' });
  assert.equal(calls.length, 1);
});
