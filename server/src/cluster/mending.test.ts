import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Call, Connection, Reply } from './connection.ts';
import { Mending } from './mending.ts';
import { replyTo } from './replies.test.kit.ts';

/** A cluster in which another program has lowered the setting. */
function lowered({ mayReroute = true } = {}) {
  let clauses = 1024;
  const sent: string[] = [];
  const send = async (call: Call): Promise<Reply> => {
    const { method, path, body } = call;
    sent.push(`${method} ${path.split('?')[0]}`);
    if (path.startsWith('/_cluster/reroute')) return replyTo(call, { status: mayReroute ? 200 : 403 });
    const name = 'indices.query.bool.max_clause_count';
    if (method === 'PUT') clauses = (body as { persistent: Record<string, number> }).persistent[name]!;
    return replyTo(call, { body: { persistent: { [name]: `${clauses}` } } });
  };
  const count = (what: string): number => sent.filter((each) => each === what).length;
  const lower = (): void => void (clauses = 1024);
  return { mending: new Mending({ send } as unknown as Connection), count, lower, clauses: () => clauses };
}

test('a setting that another program has lowered is raised again within three seconds', async () => {
  const { mending, lower, clauses } = lowered();
  await mending.look(0, 1000);
  assert.equal(clauses(), 262_144);
  lower();
  await mending.look(0, 2000);
  assert.equal(clauses(), 1024, 'not at each look');
  await mending.look(0, 4000);
  assert.equal(clauses(), 262_144);
});

test('copies that the cluster has given up are tried again, each half minute', async () => {
  const { mending, count } = lowered();
  for (const [missing, now] of [
    [0, 1000],
    [2, 2000],
    [2, 20_000],
    [2, 33_000],
  ] as const)
    await mending.look(missing, now);
  assert.equal(count('POST /_cluster/reroute'), 2);
  await assert.rejects(lowered({ mayReroute: false }).mending.look(1, 1000), {
    error: 'CLUSTER_DENIED',
    message: /cluster:admin\/reroute/,
  });
});

test('the first look mends at once, and each later one after its interval', async () => {
  const { mending, count } = lowered();
  const done: number[][] = [];
  for (const now of [0, 2999, 3000, 29_999, 30_000]) {
    await mending.look(1, now);
    done.push([count('GET /_cluster/settings'), count('POST /_cluster/reroute')]);
  }
  const [first, later] = [done[0]![0]!, done[2]![0]! - done[1]![0]!];
  assert.deepEqual(
    done.map(([settings, retries]) => [settings! - first, retries]),
    [
      [0, 1],
      [0, 1],
      [later, 1],
      [2 * later, 1],
      [2 * later, 2],
    ],
  );
  assert.ok(first > 0 && later > 0);
});
