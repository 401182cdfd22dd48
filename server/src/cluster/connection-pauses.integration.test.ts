import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { clusterAddress } from './address.ts';
import { Connection } from './connection.ts';
import { withoutPauses } from './pauses.test.kit.ts';

const pauses = withoutPauses();
let statuses: number[] = [];
let requests = 0;
const server = createServer((_, response) => {
  requests++;
  response.writeHead(statuses.shift() ?? 200, { 'content-type': 'application/json' }).end('{}');
});
let connection: Connection;
before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  connection = new Connection(clusterAddress(`${host},${host}`));
});
after(() => {
  connection.close();
  server.close();
});
beforeEach(() => {
  pauses.length = 0;
  requests = 0;
});

test('a cluster that cannot yet is given half a second before each further attempt, of three in all', async () => {
  for (const [answers, waits, error] of [
    [[503], [500]],
    [
      [503, 503],
      [500, 500],
    ],
    [[503, 503, 503], [500, 500], 'CLUSTER_INCOMPLETE'],
    [[404], [], 'CLUSTER_UNEXPECTED'],
  ] as const) {
    [pauses.length, requests, statuses] = [0, 0, [...answers]];
    const sent = connection.send({ method: 'GET', path: '/' });
    if (error) await assert.rejects(sent, { error });
    else assert.equal((await sent).repeated, false);
    assert.deepEqual([pauses, requests], [waits, error ? answers.length : answers.length + 1]);
  }
});

test('an earlier attempt may have made a change that the cluster answered with a fault', async () => {
  statuses = [500];
  const { repeated } = await connection.send({ method: 'PUT', path: '/', changes: true });
  assert.equal(repeated, true);
  statuses = [500, 404];
  await assert.rejects(connection.send({ method: 'PUT', path: '/', changes: true }), {
    error: 'CLUSTER_OUTCOME_UNKNOWN',
  });
  statuses = [500, 409];
  const { status } = await connection.send({ method: 'PUT', path: '/', changes: true, expected: [409] });
  assert.equal(status, 409);
  for (const [answer, isExpected] of [
    [200, true],
    [299, true],
    [300, false],
  ] as const) {
    // prettier-ignore
    statuses = [answer];
    const sent = connection.send({ method: 'GET', path: '/' });
    if (isExpected) assert.equal((await sent).status, answer);
    else await assert.rejects(sent, { error: 'CLUSTER_UNEXPECTED' });
  }
});
