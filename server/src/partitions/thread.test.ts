import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../errors.ts';
import { startThread } from './thread.ts';

test('a call that throws rejects with the reason, and the thread goes on', async () => {
  const { share, close } = startThread((cause) => assert.fail(cause));
  await assert.rejects(share.size(1), /search thread: .*application 1 is not open/);
  await share.open(1, 'media-matching');
  await assert.rejects(share.open(1, 'media-matching'), /open already/);
  assert.equal((await share.size(1)).count, 0);
  await close();
});

test('when a thread dies, what waits for it is rejected, whatever comes later too, and the loss is told once', async () => {
  for (const [death, cause] of [
    ['throw new Error("boom")', /boom/],
    ['process.exit(3)', /ended with code 3/],
  ] as const) {
    const script = `import { parentPort } from 'node:worker_threads'; parentPort.once('message', () => { ${death} });`;
    const losses: Error[] = [];
    const { share, close } = startThread((loss) => losses.push(loss), new URL(`data:text/javascript,${script}`));
    const stopped = (fault: unknown) => fault instanceof Failure && fault.error === 'SHUTTING_DOWN';
    await Promise.all([assert.rejects(share.size(1), stopped), assert.rejects(share.size(2), stopped)]);
    await assert.rejects(share.size(3), stopped);
    await close();
    assert.equal(losses.length, 1);
    assert.match(losses[0]!.message, cause);
  }
});

test('closing is no loss, and rejects what still waits', async () => {
  const { share, close } = startThread((cause) => assert.fail(cause));
  const waiting = assert.rejects(share.size(1), Failure);
  await close();
  await waiting;
});
