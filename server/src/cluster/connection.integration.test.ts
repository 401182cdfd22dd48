import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { encode } from 'cborg';
import { errors } from '../errors.ts';
import { Metrics } from '../metrics/metrics.ts';
import { clusterAddress } from './address.ts';
import { Connection } from './connection.ts';
import { createIndex } from './set-up.ts';

const closing: (() => void)[] = [];
after(() => closing.forEach((close) => close()));

type Answer = (request: IncomingMessage, response: ServerResponse, attempt: number) => void;

/** Something that answers as a cluster, and a connection to it. */
async function connected(answer: Answer, hosts = 1) {
  let attempts = 0;
  const servers = Array.from({ length: hosts }, () =>
    createServer((request, response) => answer(request, response, ++attempts)).listen(0, '127.0.0.1'),
  );
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const urls = servers.map((server) => `http://user:pass@127.0.0.1:${(server.address() as AddressInfo).port}`);
  const connection = new Connection(clusterAddress(urls.join()));
  closing.push(() => {
    connection.close();
    servers.forEach((server) => {
      server.closeAllConnections();
      server.close();
    });
  });
  return { connection, servers, attempts: () => attempts };
}

const json = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
const failing = (type: string, reason = 'a reason') => ({ error: { type, reason } });
const change = { method: 'PUT', path: '/a', body: { b: 1 }, changes: true } as const;
const read = { method: 'GET', path: '/a' } as const;

test('a request has its body, its type and the credentials', async () => {
  const { connection } = await connected(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method, url, headers } = request;
    json(response, 200, { error: `${method} ${url} ${headers['content-type']} ${Buffer.concat(parts)}` });
    assert.equal(headers.authorization, `Basic ${Buffer.from('user:pass').toString('base64')}`);
  });
  assert.equal((await connection.send(change)).body.error, 'PUT /a application/json {"b":1}');
  const lines = { method: 'POST', path: '/_bulk', body: '{}\n' } as const;
  assert.equal((await connection.send(lines)).body.error, 'POST /_bulk application/x-ndjson {}\n');
});

test('an answer in CBOR has bytes as they are; errors come in CBOR or from a proxy in JSON', async () => {
  const bytes = Uint8Array.from({ length: 300 }, (_, i) => i);
  const answers = [{ fields: { record: [bytes] } }, failing('security_exception', 'no rights')];
  const { connection } = await connected((request, response, attempt) => {
    assert.equal(request.headers.accept, 'application/cbor');
    const status = attempt === 1 ? 200 : 403;
    if (attempt === 3) return json(response, status, answers[1]!);
    response.writeHead(status, { 'content-type': 'application/cbor' }).end(encode(answers[attempt - 1]));
  });
  const { body } = await connection.send({ ...read, binary: true });
  assert.deepEqual(body, answers[0]);
  for (let i = 0; i < 2; i++)
    await assert.rejects(connection.send({ ...read, binary: true }), {
      code: errors.CLUSTER_DENIED.code,
      detail: /no rights/,
    });
});

test('an answer in CBOR that is cut off is requested again', async () => {
  const { connection, attempts } = await connected((_, response, attempt) => {
    const whole = encode({ number: 1, text: 'a text' });
    response.writeHead(200, { 'content-type': 'application/cbor' }).end(attempt === 1 ? whole.subarray(0, -3) : whole);
  });
  assert.deepEqual((await connection.send({ ...read, binary: true })).body, { number: 1, text: 'a text' });
  assert.equal(attempts(), 2);
});

test('a request goes to the next host where one does not answer', async () => {
  const { connection, attempts } = await connected((_, response, attempt) => {
    if (attempt === 1) response.destroy();
    else json(response, 200, {});
  }, 2);
  const reply = await connection.send(change);
  assert.deepEqual([reply.status, reply.repeated, attempts()], [200, true, 2]);
  for (let i = 0; i < 4; i++) assert.equal((await connection.send(read)).repeated, false);
});

test('a host that has lost the other nodes is avoided, and one that does not answer', async () => {
  const seen: (string | undefined)[] = [];
  const { connection } = await connected((request, response) => {
    const { localPort } = request.socket;
    const place = connection.address.hosts.findIndex(({ port }) => Number(port) === localPort);
    if (!request.url!.startsWith('/_cluster/health')) seen.push(String(place));
    else if (place === 1) return void response.destroy();
    json(response, 200, { status: 'green', discovered_cluster_manager: place !== 0 });
  }, 3);
  for (let i = 0; i < 3; i++) await connection.send(read);
  await connection.look();
  for (let i = 0; i < 3; i++) await connection.send(read);
  assert.deepEqual(seen, ['0', '1', '2', '2', '2', '2']);
});

test('a change without an answer is of unknown outcome, a read is not', async () => {
  const { connection, attempts } = await connected((_, response) => response.destroy());
  await assert.rejects(connection.send(change), { error: 'CLUSTER_OUTCOME_UNKNOWN' });
  assert.equal(attempts(), 3);
  await assert.rejects(createIndex(connection, 'a', {}, 0), { error: 'CLUSTER_OUTCOME_UNKNOWN' });
  await assert.rejects(connection.send(read), { error: 'CLUSTER_UNREACHABLE' });
});

test('a change is of unknown outcome where its first attempt had no answer and the next one is refused', async () => {
  const { connection } = await connected((_, response, attempt) => {
    if (attempt === 1) response.destroy();
    else json(response, 429, failing('opensearch_rejected_execution_exception'));
  });
  await assert.rejects(connection.send(change), { error: 'CLUSTER_OUTCOME_UNKNOWN' });
});

test('nothing was changed where no host can be reached', async () => {
  const connection = new Connection(clusterAddress('http://127.0.0.1:1'));
  await assert.rejects(connection.send(change), { error: 'CLUSTER_UNREACHABLE' });
});

test('no attempt begins after the end of the time', async () => {
  const { connection, attempts } = await connected(() => {});
  const until = performance.now() + 300;
  await assert.rejects(connection.send({ ...change, until }), { error: 'CLUSTER_OUTCOME_UNKNOWN' });
  assert.equal(attempts(), 1);
});

test('attempts last 3 s, then 9 s, and 12 s together; a look lasts 2 s, and a host that hangs is avoided for 5 s', async (t) => {
  let now = 1000;
  const lasting: number[] = [];
  t.mock.method(performance, 'now', () => now);
  t.mock.method(AbortSignal, 'timeout', (ms: number) => {
    lasting.push(ms);
    now += ms;
    return AbortSignal.abort();
  });
  const { connection } = await connected(() => {});
  await assert.rejects(connection.send(read), { error: 'CLUSTER_UNREACHABLE' });
  await assert.rejects(connection.send({ ...read, until: now + 20_000 }), { error: 'CLUSTER_UNREACHABLE' });
  assert.deepEqual(lasting, [3000, 9000, 3000, 9000, 8000]);
  now += 5000;
  assert.equal(connection.avoidedHosts, 0);
  await connection.look();
  assert.equal(lasting.at(-1), 2000);
  now += 4999;
  assert.equal(connection.avoidedHosts, 1);
  now += 1;
  assert.equal(connection.avoidedHosts, 0);
});

test('what a proxy answers in its own words is in the failure', async () => {
  const { connection } = await connected((_, response) =>
    response.writeHead(404).end(`No such page${'!'.repeat(300)}`),
  );
  await assert.rejects(connection.send(read), {
    error: 'CLUSTER_UNEXPECTED',
    detail: /^No such page!{188} \(HTTP 404\)$/,
  });
});

const answers: [status: number, body: object, error: string, attempts: number][] = [
  [401, {}, 'CLUSTER_DENIED', 1],
  [403, failing('security_exception'), 'CLUSTER_DENIED', 1],
  [
    403,
    failing('cluster_block_exception', 'index [a] blocked by: [FORBIDDEN/5/index read-only (api)]'),
    'CLUSTER_READ_ONLY',
    1,
  ],
  [429, failing('cluster_block_exception', 'disk usage exceeded flood-stage watermark, index has read-only-allow-delete block'), 'CLUSTER_FULL', 1], // prettier-ignore
  [503, failing('cluster_block_exception', 'blocked by: [SERVICE_UNAVAILABLE/2/no cluster-manager]'), 'CLUSTER_INCOMPLETE', 3], // prettier-ignore
  [500, failing('index_engine_exception', 'No space left on device'), 'CLUSTER_OUTCOME_UNKNOWN', 3],
  [503, failing('unavailable_shards_exception'), 'CLUSTER_INCOMPLETE', 3],
  [503, failing('search_phase_execution_exception'), 'CLUSTER_INCOMPLETE', 3],
  [429, failing('opensearch_rejected_execution_exception'), 'OVERLOADED', 1],
  [500, failing('unknown_exception'), 'CLUSTER_OUTCOME_UNKNOWN', 3],
  [400, failing('parsing_exception'), 'CLUSTER_UNEXPECTED', 1],
];

for (const [status, body, error, expected] of answers) {
  test(`HTTP ${status} with ${JSON.stringify(body).slice(0, 100)} is ${error}`, async () => {
    const { connection, attempts } = await connected((_, response) => json(response, status, body));
    await assert.rejects(connection.send(change), { error });
    assert.equal(attempts(), expected);
  });
}

test('each request is counted once, by its outcome, and its seconds', async () => {
  const answers: Answer[] = [
    (_, response) => void setTimeout(() => json(response, 200, {}), 1000),
    (_, response) => json(response, 200, {}),
    (_, response) => json(response, 403, failing('security_exception')),
  ];
  const server = createServer((request, response) => answers.shift()!(request, response, 1)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const metrics = new Metrics();
  const address = clusterAddress(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const connection = new Connection(address, metrics);
  for (let i = 0; i < 2; i++) await connection.send(read);
  await assert.rejects(connection.send(read));
  server.closeAllConnections();
  server.close();
  await assert.rejects(connection.send(read), { error: 'CLUSTER_UNREACHABLE' });
  connection.close();
  const text = await metrics.text();
  assert.ok(Number(/^sosia_cluster_request_duration_seconds_sum (\S+)$/m.exec(text)![1]) >= 0.99, text);
  const counts = [...text.matchAll(/^sosia_cluster_requests_total\{outcome="(\w+)"\} (\d+)$/gm)];
  assert.deepEqual(Object.fromEntries(counts.map(([, outcome, count]) => [outcome, Number(count)])), {
    ...{ answered: 2, refused: 1, unreachable: 1, unknown: 0 },
  });
});

test('a connection keeps its socket for the next request, and none when it is closed', async () => {
  const { connection, servers } = await connected((_, response) => json(response, 200, {}));
  const sockets: Socket[] = [];
  servers[0]!.on('connection', (socket) => sockets.push(socket));
  for (let i = 0; i < 3; i++) await connection.send(read);
  assert.deepEqual(
    sockets.map(({ destroyed }) => destroyed),
    [false],
  );
  const closed = once(sockets[0]!, 'close').then(() => 'closed');
  connection.close();
  assert.equal(await Promise.race([closed, pause(5000, 'open')]), 'closed');
});
