import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { Failure } from '../errors.ts';
import { Metrics } from '../metrics/metrics.ts';
import type { Connection, Health } from './connection.ts';
import { withoutPauses } from './pauses.test.kit.ts';
import { Watch } from './watch.ts';

const pauses = withoutPauses();

test('a cluster is unreachable four seconds after its last answer, and is well again with the next one', async () => {
  let seconds = 100;
  const clock = mock.method(performance, 'now', () => seconds * 1000);
  let health: Health | undefined = { status: 'yellow', unassigned_shards: 2, initializing_shards: 1 };
  const connection = { look: async (answered: (health: Health) => void) => health && answered(health) };
  const metrics = new Metrics();
  const watch = new Watch(connection as unknown as Connection, metrics);
  const figures = async (): Promise<string[]> =>
    (await metrics.text()).split('\n').filter((line) => /^sosia_cluster_(?:health|missing).* [^0]/.test(line));
  const outage = (): Failure | undefined => watch.outage;
  /** One look, some seconds later. */
  const look = (by: number): Promise<void> => {
    seconds += by;
    return watch.run(AbortSignal.abort());
  };
  try {
    assert.deepEqual([await figures(), watch.missingCopies], [[], 0], 'before the first look');
    await look(0);
    assert.match((await figures()).join('\n'), /\{status="yellow"\} 1\n.* 3$/);
    assert.equal(watch.missingCopies, 2);
    health = undefined;
    for (let second = 1; second < 4; second++) await look(1);
    assert.equal(outage(), undefined);
    await look(1);
    assert.equal(outage()?.error, 'CLUSTER_UNREACHABLE');
    assert.match(outage()!.message, /for 4 s/);
    assert.equal(watch.missingCopies, 0, 'nobody knows them');
    assert.match((await figures()).join(), /^[^,]*\{status="unreachable"\} 1$/);
    health = { status: 'green', unassigned_shards: 0, initializing_shards: 0 };
    await look(1);
    assert.equal(outage(), undefined);
  } finally {
    clock.mock.restore();
  }
});

test('a look begins each second, whether the former one has an answer or not', async () => {
  let looks = 0;
  const look = (): Promise<void> => {
    if (++looks === 4) throw new Error('enough');
    return new Promise(() => {});
  };
  const watch = new Watch({ look } as unknown as Connection, new Metrics());
  pauses.length = 0;
  await assert.rejects(watch.run(new AbortController().signal), /enough/);
  assert.deepEqual(pauses, [1000, 1000, 1000]);
});
