import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../errors.ts';
import { startThread } from './shard-thread.ts';

test('a call that throws rejects with the reason, and the thread goes on', async () => {
  const { shard, close } = startThread((cause) => assert.fail(cause));
  await assert.rejects(shard.size(1), /search thread: .*application 1 is not open/);
  await shard.open(1, 'media-matching');
  await assert.rejects(shard.open(1, 'media-matching'), /open already/);
  assert.equal((await shard.size(1)).count, 0);
  await close();
});

test('when a thread dies, what waits for it is rejected, whatever comes later too, and the loss is told once', async () => {
  for (const [death, cause] of [
    ['throw new Error("boom")', /boom/],
    ['process.exit(3)', /ended with code 3/],
  ] as const) {
    const script = `import { parentPort } from 'node:worker_threads'; parentPort.once('message', () => { ${death} });`;
    const losses: Error[] = [];
    const { shard, close } = startThread((loss) => losses.push(loss), new URL(`data:text/javascript,${script}`));
    const stopped = (fault: unknown) => fault instanceof Failure && fault.error === 'SHUTTING_DOWN';
    await Promise.all([assert.rejects(shard.size(1), stopped), assert.rejects(shard.size(2), stopped)]);
    await assert.rejects(shard.size(3), stopped);
    await close();
    assert.equal(losses.length, 1);
    assert.match(losses[0]!.message, cause);
  }
});

test('closing is no loss, and rejects what still waits', async () => {
  const { shard, close } = startThread((cause) => assert.fail(cause));
  const waiting = assert.rejects(shard.size(1), Failure);
  await close();
  await waiting;
});
