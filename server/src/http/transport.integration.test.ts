import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { typeDefinitions } from '@sosia/engine';
import type { Application } from '../applications/application.ts';
import { Metrics } from '../metrics/metrics.ts';
import { errors } from '../errors.ts';
import type { Http } from './http.ts';
import { callersOf } from './callers.test.kit.ts';
import { startHttp } from './http.ts';
import { add, assertError, log, multipart, nobody, open, status, until } from './transport.test.kit.ts';
import { exchange, Wire, withBody } from './wire.test.kit.ts';

let http: Http;
before(async () => {
  http = await open({});
});
after(() => http.close());

test('every answer is JSON with a status; browsers neither cache it, guess its type nor share it with other sites', async () => {
  const replies = [
    await exchange(http.queryPort, `GET ${status} HTTP/1.1\r\nHost: a\r\n\r\n`),
    await exchange(http.queryPort, `GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n`),
    await exchange(http.queryPort, `PUT ${status} HTTP/1.1\r\nHost: a\r\n\r\n`),
    await exchange(http.queryPort, `not HTTP\r\n\r\n`),
  ];
  for (const reply of replies) {
    assert.equal(reply.headers.get('content-type'), 'application/json');
    assert.equal(reply.headers.get('cache-control'), 'no-store');
    assert.equal(reply.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(reply.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(reply.headers.get('access-control-allow-origin'), undefined);
    assert.ok(Number.isInteger(reply.json.status.code) && typeof reply.json.status.message === 'string');
  }
});

test('a start uses nothing of the framework that is deprecated', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): unknown => warnings.push(warning);
  process.on('warning', note);
  await (await open({})).close();
  process.off('warning', note);
  assert.deepEqual(warnings, []);
});

test('the metrics are on the ports that are named for them', async () => {
  for (const [metricsOn, expected] of [
    ['both', [200, 200]],
    ['query', [404, 200]],
    ['off', [404, 404]],
  ] as const) {
    const ports = { host: '127.0.0.1', modifyPort: 0, queryPort: 0 };
    const limits = { stopGrace: 0, stopLinger: 0 };
    const { close, ...started } = await startHttp(nobody, { ...ports, log, metricsOn, limits });
    const answers = [started.modifyPort, started.queryPort].map((port) => fetch(`http://127.0.0.1:${port}/metrics`));
    const statuses = (await Promise.all(answers)).map((answer) => answer.status);
    await close();
    assert.deepEqual(statuses, expected, metricsOn);
  }
});

test('a body that arrived while the server was blocked is not treated as a slow one', async () => {
  const slow = await open({ slowWindow: 300 });
  const wire = await Wire.open(slow.queryPort);
  try {
    const upload = withBody(`POST ${status} HTTP/1.1\r\nHost: a\r\n${multipart}`, '--edge--'.padEnd(5000));
    await wire.sendAll(upload.subarray(0, -4000));
    await pause(50); // the server reads the first part
    await new Promise<void>((resolve) => {
      // here the event loop continues with timers, and reads sockets after them
      setImmediate(() => {
        wire.send(upload.subarray(-4000));
        for (const end = performance.now() + 600; performance.now() < end;);
        resolve();
      });
    });
    assert.equal((await wire.reply()).json.status.code, errors.UNKNOWN_APPLICATION.code);
  } finally {
    wire.cut();
    await slow.close();
  }
});

test('malformed HTTP is answered 400', async () => {
  const broken = [
    'not HTTP at all\r\n\r\n',
    `GET ${status} HTTP/1.1\r\nHost: a\r\nno colon here\r\n\r\n`,
    `POST ${add} HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `POST ${add} HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcd`,
    `POST ${add} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`,
    `GET ${status}\0 HTTP/1.1\r\nHost: a\r\n\r\n`,
  ];
  for (const bytes of broken) assertError(await exchange(http.modifyPort, bytes), 400, 'MALFORMED_REQUEST');
});

test('a request that proxies could read in two ways is 400: hosts, lengths, transfer codings, versions', async () => {
  const post = `POST ${add} HTTP/1.1\r\nHost: a\r\n${multipart}\r\n`;
  const broken = [
    `GET ${status} HTTP/1.1\r\n\r\n`,
    `GET ${status} HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n`,
    `GET ${status} HTTP/1.1\r\nHost: a\r\nX: y\r\nhOST: b\r\n\r\n`,
    `GET ${status} HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n`,
    `GET ${status} HTTP/1.1\r\nHost: a/b\r\n\r\n`,
    `GET ${status} HTTP/1.1\r\nHost: user@a\r\n\r\n`,
    `GET /healthz HTTP/1.1\r\n\r\n`,
    `GET /nothing HTTP/1.1\r\n\r\n`,
    `GET ${status} HTTP/2.0\r\nHost: a\r\n\r\n`,
    `GET ${status} HTTP/1.1\nHost: a\n\n`,
    `GET ${status} HTTP/1.1\r\nHost : a\r\n\r\n`,
    `${post}Content-Length: 4\r\nContent-Length: 4\r\n\r\nabcd`,
    `${post}Content-Length: 4, 4\r\n\r\nabcd`,
    `${post}Content-Length: +4\r\n\r\nabcd`,
    `${post}Content-Length: -4\r\n\r\nabcd`,
    `${post}Content-Length: 0x4\r\n\r\nabcd`,
    `${post}Content-Length: 4 4\r\n\r\nabcd`,
    `${post}Content-Length: 99999999999999999999\r\n\r\nabcd`,
    `${post}Content-Length: 4\r\nTransfer-Encoding: identity\r\n\r\nabcd`,
    `${post}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n`,
    `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    `${post}Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n`,
    `${post}Transfer-Encoding: chunked\r\n\r\n0x1\r\na\r\n0\r\n\r\n`,
    `${post}Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\na\r\n0\r\n\r\n`,
    `${post}Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n`,
    `POST ${add} HTTP/1.0\r\n${multipart}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ];
  for (const bytes of broken) assertError(await exchange(http.modifyPort, bytes), 400, 'MALFORMED_REQUEST', bytes);
});

test('an unknown path is 404, and so is an operation of the other port', async () => {
  for (const path of ['/', '/api/v2.0/enginemodify/json/Nothing', '/enginemodify/AddImage', status]) {
    assertError(
      await exchange(http.modifyPort, withBody(`POST ${path} HTTP/1.1\r\nHost: a`, 'a=b')),
      404,
      'UNKNOWN_PATH',
    );
  }
});

test('any method but GET and POST is 405 with the allowed ones', async () => {
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND', 'TRACE']) {
    const reply = await exchange(
      http.modifyPort,
      withBody(`${method} ${add} HTTP/1.1\r\nHost: a\r\nContent-Type: ;`, 'x'),
    );
    assertError(reply, 405, 'METHOD_NOT_ALLOWED');
    assert.equal(reply.headers.get('allow'), 'GET, POST');
  }
  assertError(
    await exchange(http.modifyPort, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', Buffer.alloc(5_000_000)),
    405,
    'METHOD_NOT_ALLOWED',
  );
});

test('HEAD changes nothing and is 405', async () => {
  const wire = await Wire.open(http.modifyPort);
  wire.send(`HEAD /api/v2/ltumodify/json/DeleteImage HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  await wire.closed();
  await assert.rejects(wire.reply(), /HTTP\/1.1 405/);
});

test('headers over the limit are 431, and the client can read the answer', async () => {
  const long = `GET ${status}?ids_list=${'a'.repeat(20_000_000)} HTTP/1.1\r\nHost: a\r\n\r\n`;
  assertError(await exchange(http.queryPort, long), 431, 'HEADERS_TOO_LARGE');
  const many = `GET ${status} HTTP/1.1\r\nHost: a\r\n${'X-A: b\r\n'.repeat(100_000)}\r\n`;
  assertError(await exchange(http.queryPort, many), 431, 'HEADERS_TOO_LARGE');
});

test('if unfinished headers are too many together, the connections with most of them are 503, and no others', async () => {
  const metrics = new Metrics();
  const small = await open({ headerBytesInFlight: 250_000 }, metrics);
  const start = `GET ${status} HTTP/1.1\r\nHost: a\r\nX: `;
  try {
    const [usual, once, more, most] = await Promise.all([1, 2, 3, 4].map(() => Wire.open(small.queryPort)));
    // a connection is judged by its current request, not by earlier ones
    for (let i = 0; i < 5; i++) {
      once!.send(`${start}${'x'.repeat(100_000)}\r\n\r\n`);
      assertError(await once!.reply(), 200, 'UNKNOWN_APPLICATION');
    }
    usual!.send(start);
    once!.send(start, 'x'.repeat(50_000));
    more!.send(start, 'x'.repeat(120_000));
    most!.send(start, 'x'.repeat(150_000));
    const refused = await most!.reply();
    assertError(refused, 503, 'OVERLOADED');
    assert.match(refused.json.status.message, /unfinished headers/);
    await most!.closed();
    assert.match(await metrics.text(), /^sosia_connections_refused_total\{code="-1910"\} 1$/m);
    for (const wire of [usual!, once!, more!]) {
      wire.send('\r\n\r\n');
      assertError(await wire.reply(), 200, 'UNKNOWN_APPLICATION');
      wire.cut();
    }
    // what a connection that has ended has sent does not count
    for (let i = 0; i < 4; i++) {
      const wire = await Wire.open(small.queryPort);
      await wire.sendAll(start, 'x'.repeat(100_000));
      await pause(20);
      wire.cut();
    }
    const last = await Wire.open(small.queryPort);
    last.send(start, 'x'.repeat(200_000), '\r\n\r\n');
    assertError(await last.reply(), 200, 'UNKNOWN_APPLICATION');
    last.cut();
  } finally {
    await small.close();
  }
});

test('bodies that contradict their header are 400', async () => {
  const part = '--edge\r\nContent-Disposition: form-data; name=image_id\r\n\r\na';
  const bodies: [header: string, body: string][] = [
    ['Content-Type: application/xml', '{}'],
    ['X-None: 1', 'a=b'],
    ['Content-Type: multipart/form-data', part],
    ['Content-Type: multipart/form-data; boundary=', part],
    [`Content-Type: multipart/form-data; boundary=${'b'.repeat(71)}`, `--${'b'.repeat(71)}--\r\n`],
    [`Content-Type: multipart/form-data; boundary=${'b'.repeat(252)}`, `--${'b'.repeat(252)}--\r\n`],
    [multipart, part],
    [multipart, '--edge\r\nContent-Disposition: form-data; na'],
    [multipart, '--edge\r\nContent-Disposition: form-data; name="a"; filename="'],
    [multipart, `${part}\r\n`.repeat(200) + '--edge--\r\n'],
    [multipart, `${part}\r\n`.repeat(200)],
    [multipart, '--edge\r\n\r\n'.repeat(100_000)],
    ['Content-Type: application/x-www-form-urlencoded\r\nContent-Encoding: gzip', '\x1f\x8b\b'],
    ['Content-Type: application/x-www-form-urlencoded', 'a=1&'.repeat(2000)],
  ];
  for (const [header, body] of bodies) {
    const reply = await exchange(http.modifyPort, withBody(`POST ${add} HTTP/1.1\r\nHost: a\r\n${header}`, body));
    assertError(reply, 400, 'MALFORMED_REQUEST', header);
  }
});

test('odd but well-formed requests get ordinary answers', async () => {
  const odd = [
    `GET ${status} HTTP/1.1\r\nHost:\r\n\r\n`,
    `GET ${status} HTTP/1.0\r\n\r\n`,
    `GET ${status} HTTP/1.1\r\nHost: a\r\nExpect: a miracle\r\n\r\n`,
    `GET ${status} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nAccept: text/html\r\n\r\n`,
    `GET http://elsewhere${status} HTTP/1.1\r\nHost: a\r\n\r\n`,
    `GET ${status} HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
    withBody(`POST ${status} HTTP/1.1\r\nHost: a\r\n${multipart}`),
    withBody(`POST ${status} HTTP/1.1\r\nHost: a\r\n${multipart}`, '--edge--\r\n'),
    withBody(
      `POST ${status} HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=${'b'.repeat(70)}`,
      `--${'b'.repeat(70)}--\r\n`,
    ),
    withBody(
      `POST ${status} HTTP/1.1\r\nHost: a\r\n${multipart}`,
      '--edge\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nx\r\n--edge--',
    ),
    withBody(
      `POST ${status} HTTP/1.1\r\nHost: a\r\n${multipart}`,
      '--edge\r\nContent-Disposition: form-data\r\n\r\nx\r\n--edge--\r\n',
    ),
    withBody(`POST ${status} HTTP/1.1\r\nHost: a\r\n${multipart}`, '--edge\r\nX: y\r\n\r\nx\r\n--edge--\r\nepilogue'),
  ];
  for (const request of odd) {
    const reply = await exchange(http.queryPort, request);
    assertError(reply, 200, 'UNKNOWN_APPLICATION', request.toString());
  }
});

test('interrupted uploads leave nothing behind', async () => {
  const tight = await open({ bodyBytesWithoutKey: 1_600_000, firstBytesWithoutKey: 0 });
  try {
    for (let i = 0; i < 300; i++) {
      const wire = await Wire.open(tight.modifyPort);
      wire.send(
        `POST ${add} HTTP/1.1\r\nHost: a\r\n${multipart}\r\nContent-Length: 500000\r\n\r\n`,
        Buffer.alloc(i * 100),
      );
      wire.cut();
    }
    const upload = withBody(`POST ${add} HTTP/1.1\r\nHost: a\r\n${multipart}`, Buffer.alloc(990_000));
    await until(async () => (await exchange(tight.modifyPort, upload)).http !== 503);
  } finally {
    await tight.close();
  }
});

test('changes that a browser sends for another site or as a prefetch are refused', async () => {
  const remove = '/api/v2.0/enginemodify/json/DeleteImage';
  for (const header of ['Sec-Fetch-Site: cross-site', 'Sec-Purpose: prefetch;prerender', 'Purpose: prefetch']) {
    const refused = await exchange(http.modifyPort, `GET ${remove} HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n`);
    assertError(refused, 403, 'FORBIDDEN');
    const read = await exchange(http.queryPort, `GET ${status} HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n`);
    assertError(read, 200, 'UNKNOWN_APPLICATION');
  }
  const own = await exchange(
    http.modifyPort,
    `GET ${remove} HTTP/1.1\r\nHost: a\r\nSec-Fetch-Site: same-origin\r\n\r\n`,
  );
  assertError(own, 200, 'UNKNOWN_APPLICATION');
});

test('uploads without a key fill only their own share; with a key an application has its own', async () => {
  const stuck = { traits: typeDefinitions['media-matching'].traits, checkRoomForPicture() {} };
  const [one, another] = [{ ...stuck }, { ...stuck }] as unknown[] as Application[];
  const find = (key: string) => (key === 'one' ? one : key === 'another' ? another : undefined);
  const metrics = new Metrics();
  const shared = await startHttp(callersOf(find), {
    host: '127.0.0.1',
    modifyPort: 0,
    queryPort: 0,
    log,
    metrics,
    limits: {
      stopGrace: 0,
      bodyBytesInFlight: 4_100_000,
      bodyBytesWithoutKey: 1_350_000,
      firstBytesWithoutKey: 200_000,
    },
  });
  const open: Wire[] = [];
  const picture = '--edge\r\nContent-Disposition: form-data; name=image_content\r\n\r\n';
  const keyPart = (key: string) => `--edge\r\nContent-Disposition: form-data; name=application_key\r\n\r\n${key}\r\n`;
  const held = async () => Number(/^sosia_upload_bytes (\d+)$/m.exec(await metrics.text())![1]);
  /** Sends all but the last page of a body of 600,000 bytes. */
  async function begin(query: string, start = ''): Promise<Wire> {
    const wire = await Wire.open(shared.modifyPort);
    open.push(wire);
    wire.send(`POST ${add}${query} HTTP/1.1\r\nHost: a\r\n${multipart}\r\nContent-Length: 600000\r\n\r\n`);
    wire.send(start, picture, Buffer.alloc(598_000));
    return wire;
  }
  async function assertTaken(query: string, start = ''): Promise<void> {
    await begin(query, start);
    await until(async () => (await held()) === 600_000 * open.length);
  }
  async function assertRefused(query: string, why: RegExp): Promise<void> {
    const wire = await begin(query);
    const reply = await wire.reply();
    open.splice(open.indexOf(wire), 1);
    assertError(reply, 503, 'OVERLOADED');
    assert.match(reply.json.status.message, why);
  }
  try {
    await assertTaken('');
    await assertRefused('', /without an application key/);
    // the key is in the query string, or in a part before the picture
    await assertTaken('?application_key=one');
    await assertTaken('', keyPart('one'));
    await assertRefused('?application_key=one', /of one application/);
    await assertTaken('?application_key=another');
  } finally {
    open.forEach((wire) => wire.cut());
    await shared.close();
  }
});
