import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application } from '../applications/application.ts';
import { Events } from './events.ts';
import type { EventParts } from './events.ts';

test('a follower without events gets an empty page every five seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let reads = 0;
  const images = { recordsAfter: async () => (reads++, []) };
  const events = new Events({ images } as unknown as EventParts, () => {});
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
