import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import type { Call, Connection } from './connection.ts';
import { Documents } from './documents.test.kit.ts';
import { Leases } from './leases.ts';
import { withoutPauses } from './pauses.test.kit.ts';

const pauses = withoutPauses();
const path = '/sosia/_doc/lease-7';

let cluster: Documents;
/** Milliseconds by the clock of the processes, besides their pauses. */
let passed: number;
const paused = (): number => pauses.reduce((sum, each) => sum + each, 0);
beforeEach(() => {
  cluster = new Documents();
  passed = 0;
  pauses.length = 0;
  mock.method(performance, 'now', () => passed + paused());
  mock.timers.enable({ apis: ['setInterval'] });
});
afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

const process = () => new Leases(cluster.connection);
const busy = { error: 'OVERLOADED', detail: 'another process works on the application' };

test('a lease without a sign of life for more than 20 s is taken by another process', async () => {
  cluster.change(path, { holder: 'other' });
  const leases = process();
  assert.equal(await leases.isAbandoned(7), false, 'as first seen');
  passed = 20_000;
  assert.equal(await leases.isAbandoned(7), false);
  await assert.rejects(
    leases.run(7, async () => {}, 0),
    busy,
  );
  passed++;
  assert.equal(await leases.isAbandoned(7), true);
  assert.equal(await leases.run(7, async () => 'done', 0), 'done');
  assert.equal(await leases.isAbandoned(7), false, 'nobody has it');
});

test('a sign of life begins the time anew', async () => {
  const leases = process();
  cluster.change(path, { holder: 'other' });
  await leases.isAbandoned(7);
  passed = 15_000;
  cluster.change(path, { holder: 'other' });
  await leases.isAbandoned(7);
  passed = 35_000;
  assert.equal(await leases.isAbandoned(7), false);
  passed++;
  assert.equal(await leases.isAbandoned(7), true);
});

test('a call waits 10 s for another process unless it says otherwise, and looks each 50 ms', async () => {
  cluster.change(path, { holder: 'other' });
  for (const [wait, waited] of [
    [undefined, 10_000],
    [0, 0],
    [120, 150],
  ] as const) {
    pauses.length = 0;
    const never = () => assert.fail('another process has it');
    await assert.rejects(wait === undefined ? process().run(7, never) : process().run(7, never, wait), busy);
    assert.equal(paused(), waited);
    assert.ok(pauses.every((each) => each === 50));
  }
});

test('calls of one process come one after the other, and names do not wait for each other', async () => {
  const leases = process();
  const order: string[] = [];
  await leases.run(7, async () => {
    await leases.run('name', async () => void order.push('another name'), 0);
    await assert.rejects(
      leases.run(7, async () => {}, 0),
      busy,
    );
    order.push('first');
  });
  await leases.run(7, async () => void order.push('second'), 0);
  assert.deepEqual(order, ['another name', 'first', 'second']);
  assert.deepEqual(cluster.paths, [path, '/sosia/_doc/lease-name']);
});

test('a lease is given back after work that fails, and its checks are those of a lease that is held', async () => {
  const leases = process();
  let check!: () => void;
  await assert.rejects(
    leases.run(7, async (checkLease) => {
      check = checkLease;
      passed = 10_000;
      checkLease();
      throw new Error('the work');
    }),
    /the work/,
  );
  passed = 99_999;
  check(); // nothing is held any more
  leases.check(8);
  assert.equal(await process().isAbandoned(7), false);
  assert.equal(await process().run(7, async () => 'next', 0), 'next');
});

test('a lease that an attempt without an answer has taken is held; one that few copies have, or another took, is not', async () => {
  /** The first change of a lease is made, and answered as if it was not. */
  const unanswered = (): Connection => {
    let first = true;
    const send = async (call: Call) => {
      const reply = await cluster.connection.send(call);
      const isLost = first && call.method === 'PUT';
      if (isLost) first = false;
      return isLost ? { ...reply, status: 409 } : reply;
    };
    return { ...cluster.connection, send } as unknown as Connection;
  };
  let valid!: () => void;
  const work = async (checkLease: () => void) => {
    valid = checkLease;
    checkLease();
    passed += 10_001;
    assert.throws(valid, { error: 'CLUSTER_OUTCOME_UNKNOWN' });
    return 'done';
  };
  assert.equal(await new Leases(unanswered()).run(7, work, 0), 'done');
  cluster.before = [() => cluster.change(path, { holder: 'faster' })];
  await assert.rejects(
    process().run(7, async () => {}, 0),
    busy,
  );
  cluster.remove(path);
  cluster.copies = [1];
  await assert.rejects(
    process().run(7, async () => {}, 0),
    { error: 'CLUSTER_OUTCOME_UNKNOWN' },
  );
});

test('the lease of a deleted application is removed', async () => {
  cluster.change(path, { holder: null });
  await process().forget(7);
  assert.deepEqual(cluster.paths, []);
  await process().forget(7);
});
