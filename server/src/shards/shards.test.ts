import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../errors.ts';
import { Metrics } from '../metrics/metrics.ts';
import { Shards } from './shards.ts';

const shuttingDown = (cause: unknown) => cause instanceof Failure && cause.error === 'SHUTTING_DOWN';

test('a call that throws in the thread rejects with the reason, and the thread goes on', async () => {
  const shards = new Shards(1, (cause) => assert.fail(cause));
  await assert.rejects(shards.size(1), (cause: Error) => {
    assert.equal(cause.message, 'application 1 is not open');
    return /shard\.js/.test(cause.stack!);
  });
  await shards.open(1, 'media-matching');
  await assert.rejects(shards.open(1, 'media-matching'), /open already/);
  assert.equal((await shards.size(1)).count, 0);
  await shards.close();
});

test('when a thread ends by itself, pending and later calls reject, and the loss is reported once', async () => {
  for (const [death, cause] of [
    ['throw new Error("boom")', /boom/],
    ['process.exit(3)', /ended with code 3/],
  ] as const) {
    const script = `import { parentPort } from 'node:worker_threads'; parentPort.once('message', () => { ${death} });`;
    const losses: Error[] = [];
    const lost = (loss: Error) => losses.push(loss);
    const shards = new Shards(2, lost, { script: new URL(`data:text/javascript,${script}`) });
    await Promise.all([assert.rejects(shards.size(1), shuttingDown), assert.rejects(shards.size(2), shuttingDown)]);
    await assert.rejects(shards.size(3), shuttingDown);
    await shards.close();
    assert.equal(losses.length, 1);
    assert.match(losses[0]!.message, cause);
  }
});

test('close reports no loss, and rejects pending calls', async () => {
  const shards = new Shards(2, (cause) => assert.fail(cause));
  const pending = assert.rejects(shards.size(1), shuttingDown);
  await shards.close();
  await pending;
});

test('the wait for other searches of the application is measured', async () => {
  const metrics = new Metrics();
  const shards = new Shards(1, (cause) => assert.fail(cause), { metrics });
  await shards.open(1, 'media-matching');
  await Promise.all([1, 2, 3].map((image) => shards.explain(1, new Uint8Array(), image).catch(() => {})));
  assert.match(await metrics.text(), /search_duration_seconds_count\{phase="wait"\} 3\n/);
  await shards.close();
});
