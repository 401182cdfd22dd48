import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application } from '../applications/application.ts';
import { Events } from './events.ts';
import type { Parts } from './saved-searches.ts';

test('a follower without events gets an empty page every five seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let reads = 0;
  const records = { collectEvents: async () => false, recordsAfter: async () => (reads++, []) };
  const events = new Events({ records } as unknown as Parts, () => {}, assert.ifError);
  const application = { record: { number: 1 } } as Application;
  const pages = events.follow(application, 0, new AbortController().signal);
  assert.deepEqual((await pages.next()).value, []);
  const next = pages.next();
  t.mock.timers.tick(4999);
  await Promise.race([next, new Promise(setImmediate)]);
  assert.equal(reads, 1);
  t.mock.timers.tick(1);
  assert.deepEqual((await next).value, []);
  await pages.return(undefined);
});

test('what a deleted application watched is not kept in memory', async () => {
  const read: string[] = [];
  const recordsAfter = async (_: number, kind: string) => (read.push(kind), []);
  const events = new Events(
    { records: { recordsAfter, position: async () => 0 } } as unknown as Parts,
    () => {},
    assert.ifError,
  );
  const application = { record: { number: 1 }, traits: { symmetric: true, references: true } } as Application;
  await events.load([application]);
  await events.load([application]);
  assert.equal(read.length, 2, 'the searches and the hashes, once');
  await events.forget(application);
  await events.load([application]);
  assert.equal(read.length, 4);
});
