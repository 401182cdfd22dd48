import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { Metrics } from '../metrics/metrics.ts';
import { clusterAddress } from './address.ts';
import { Connection } from './connection.ts';
import { withoutPauses } from './pauses.test.kit.ts';

const pauses = withoutPauses();
let statuses: number[] = [];
let requests = 0;
const authorizations: unknown[] = [];
const server = createServer(({ headers }, response) => {
  requests++;
  authorizations.push(headers.authorization);
  response.writeHead(statuses.shift() ?? 200, { 'content-type': 'application/json' }).end('{}');
});
let connection: Connection;
const metrics = new Metrics();
before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  connection = new Connection(clusterAddress(`${host},${host}`), metrics);
});
after(() => {
  connection.close();
  server.close();
});
beforeEach(() => {
  pauses.length = 0;
  requests = 0;
});

const retries = async () => Number(/^sosia_cluster_retries_total (\d+)$/m.exec(await metrics.text())?.[1] ?? 0);

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
    const before = await retries();
    const sent = connection.send({ method: 'GET', path: '/' });
    if (error) await assert.rejects(sent, { error });
    else assert.equal((await sent).repeated, false);
    assert.deepEqual([pauses, requests], [waits, error ? answers.length : answers.length + 1]);
    assert.equal((await retries()) - before, requests - 1);
  }
});

test('a refused password is read again, and the request is sent again where it is another one', async () => {
  const address = clusterAddress(`http://user:first@127.0.0.1:${(server.address() as AddressInfo).port}`);
  let word = 'first';
  const basic = () => `Basic ${Buffer.from(`user:${word}`).toString('base64')}`;
  const renewing = new Connection({ ...address, readAgain: () => ({ ...address, authorization: basic() }) });
  statuses = [401];
  await assert.rejects(renewing.send({ method: 'GET', path: '/' }), { error: 'CLUSTER_DENIED' });
  assert.equal(requests, 1);
  word = 'second';
  statuses = [401];
  assert.equal((await renewing.send({ method: 'GET', path: '/' })).status, 200);
  assert.deepEqual([requests, authorizations.at(-1)], [3, basic()]);
  renewing.close();
});

test('the only host is used again, though it has failed a moment ago', async () => {
  let attempts = 0;
  const failing = createServer((request, response) => {
    if (++attempts === 1) request.socket.destroy();
    else response.end('{}');
  });
  await once(failing.listen(0, '127.0.0.1'), 'listening');
  const only = new Connection(clusterAddress(`http://127.0.0.1:${(failing.address() as AddressInfo).port}`));
  assert.equal((await only.send({ method: 'GET', path: '/' })).status, 200);
  assert.deepEqual([attempts, only.avoidedHosts], [2, 1]);
  only.close();
  failing.close();
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
