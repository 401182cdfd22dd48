import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fail, Failure } from '../errors.ts';
import { JobQueue } from './job-queue.ts';

const resource = { name: 'a decoder', awaited: 'a free decoder' };

/** A job that records how it was refused. */
function job(tenant: number, waitLimit = 60_000) {
  return {
    tenant,
    waitLimit,
    refusal: undefined as Failure | undefined,
    reject(cause: unknown) {
      this.refusal = cause as Failure;
    },
  };
}

const overloaded = (words: RegExp) => (cause: unknown) =>
  cause instanceof Failure && cause.error === 'OVERLOADED' && words.test(cause.message);

test('a full queue refuses the newest job of the largest tenant, or the new job itself', () => {
  const queue = new JobQueue<ReturnType<typeof job>>({ waiting: 3, resource });
  const [first, second, third] = [job(1), job(1), job(1)];
  for (const each of [first, second, third]) queue.add(each, false);
  const full = overloaded(/at most 3 pictures waiting for a decoder/);
  assert.throws(() => queue.checkRoomFor(1), full);
  assert.throws(() => queue.add(job(1), false), full);
  queue.checkRoomFor(2);
  const other = job(2);
  queue.add(other, false);
  assert.ok(full(third.refusal));
  assert.equal(queue.length, 3);
  assert.deepEqual([queue.take(), queue.take(), queue.take(), queue.take()], [first, other, second, undefined]);
});

test('until it is full, a queue has room for every tenant, and once it is not full any more', () => {
  const queue = new JobQueue<ReturnType<typeof job>>({ waiting: 2, resource });
  for (const each of [job(1), job(1)]) {
    queue.checkRoomFor(1);
    queue.add(each, false);
  }
  assert.throws(() => queue.checkRoomFor(1), Failure);
  queue.take();
  queue.checkRoomFor(1);
  queue.clear(fail('SHUTTING_DOWN'));
});

test('a job that is taken at once does not need room', () => {
  const queue = new JobQueue<ReturnType<typeof job>>({ waiting: 0, resource });
  assert.throws(() => queue.add(job(1), false), Failure);
  const next = job(1);
  queue.add(next, true);
  assert.equal(queue.take(), next);
});

test('a job that waits too long is refused and leaves the queue; a taken job is not', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const queue = new JobQueue<ReturnType<typeof job>>({ waiting: 3, resource });
  const [taken, waiting, patient] = [job(1, 1000), job(1, 1000), job(1, 2000)];
  for (const each of [taken, waiting, patient]) queue.add(each, false);
  queue.take();
  context.mock.timers.tick(1000);
  assert.equal(taken.refusal, undefined);
  assert.ok(overloaded(/a free decoder within 1000 ms/)(waiting.refusal));
  assert.equal(patient.refusal, undefined, 'each job has its own limit');
  context.mock.timers.tick(1000);
  assert.ok(overloaded(/a free decoder within 2000 ms/)(patient.refusal));
  assert.equal(queue.take(), undefined);
});

test('clear rejects the jobs that wait', () => {
  const queue = new JobQueue<ReturnType<typeof job>>({ waiting: 3, resource });
  const jobs = [job(1), job(2)];
  for (const each of jobs) queue.add(each, false);
  queue.clear(fail('SHUTTING_DOWN'));
  assert.deepEqual(
    jobs.map(({ refusal }) => refusal?.error),
    ['SHUTTING_DOWN', 'SHUTTING_DOWN'],
  );
  assert.equal(queue.length, 0);
});
