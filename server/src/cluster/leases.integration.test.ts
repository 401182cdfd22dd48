import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { beforeEach, mock, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../errors.ts';
import { Leases } from './leases.ts';
import { twoProcesses } from './processes.test.kit.ts';

// Two processes of a cluster, one of which hangs for longer than its lease is valid. The clock is moved by hand. Of the cluster there is the one
// document of the lease, which changes only for who knows its version, as in OpenSearch.

let document: { holder: string | null; version: number } | undefined;
let refused = 0;
let reads = 0;

const cluster = createServer(async (request, response) => {
  const answer = (status: number, body: object): unknown =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const version = { _seq_no: document?.version, _primary_term: 1 };
  if (request.method === 'GET') {
    reads++;
    if (!document) return answer(404, {});
    return answer(200, { _source: { content: { holder: document.holder } }, ...version });
  }
  const { content } = (await json(request)) as { content: { holder: string | null } };
  const condition = new URL(request.url!, 'http://a').searchParams;
  const fits = document ? condition.get('if_seq_no') === String(document.version) : condition.has('op_type');
  if (!fits) return (refused++, answer(409, {}));
  document = { holder: content.holder, version: (document?.version ?? 0) + 1 };
  return answer(200, { _seq_no: document.version, _primary_term: 1, _shards: { total: 3, successful: 3 } });
});

const processes = twoProcesses(cluster);
beforeEach(() => {
  document = undefined;
  refused = 0;
  reads = 0;
});

async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await pause(5);
}

const isUnknown = (error: unknown): boolean => error instanceof Failure && error.error === 'CLUSTER_OUTCOME_UNKNOWN';

test('a lease is valid for 10 s after its last sign of life', async () => {
  await new Leases(processes.connections[0]!).run(1, async (checkLease) => {
    processes.seconds += 10;
    checkLease();
    processes.seconds += 0.001;
    assert.throws(checkLease, isUnknown);
    const { version } = document!;
    mock.timers.tick(3000);
    await until(() => document!.version > version);
    mock.timers.tick(3000);
    await until(() => document!.version > version + 1);
    checkLease();
  });
  assert.equal(document!.holder, null, 'it is given back');
});

test('a lease that another process has taken is over for the former holder, also when that goes on with its signs of life', async () => {
  const [hanging, other] = processes.connections.map((connection) => new Leases(connection));
  await hanging!.run(1, async (checkLease) => {
    const { holder } = document!;
    const refusal = assert.rejects(
      other!.run(1, () => assert.fail('the holder may be at work')),
      /another process works/,
    );
    const before = reads;
    await until(() => reads >= before + 2); // so that the answer to the first look has been read
    processes.seconds += 10.001;
    await refusal;
    assert.equal(await other!.isAbandoned(1), false);
    processes.seconds += 10;
    assert.equal(await other!.isAbandoned(1), true);
    await other!.run(1, async (checkOther) => {
      assert.notEqual(document!.holder, holder);
      // the second renewal begins after the answer to the first has been read
      for (const renewals of [1, 2]) {
        mock.timers.tick(3000);
        await until(() => refused >= renewals);
      }
      assert.throws(checkLease, isUnknown);
      checkOther();
    });
  });
  assert.equal(document!.holder, null);
});
