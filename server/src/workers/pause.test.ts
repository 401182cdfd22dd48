import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pause } from './pause.ts';

const timers = (): number => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;

test('a call ends a pause, or the next one, and no timer stays behind', async () => {
  const pause = new Pause();
  const before = timers();
  const waiting = pause.wait(60_000);
  assert.equal(timers(), before + 1);
  pause.end();
  await waiting;
  assert.equal(timers(), before);
  pause.end();
  await pause.wait();
  await pause.wait(1);
});
