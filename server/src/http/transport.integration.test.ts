import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { typeDefinitions } from '@sosia/engine';
import { pino } from 'pino';
import type { Application } from '../applications/application.ts';
import type { Loading } from '../applications/references.ts';
import { Metrics } from '../metrics/metrics.ts';
import { errors } from '../errors.ts';
import type { ErrorName } from '../errors.ts';
import type { Http } from './http.ts';
import { callersOf } from './callers.test.kit.ts';
import { startHttp } from './http.ts';
import type { Limits } from './limits.ts';
import type { Reply } from './wire.test.kit.ts';
import { exchange, Wire, withBody } from './wire.test.kit.ts';

// The transport alone: no request here reaches an application.
const nobody = callersOf(() => undefined);
const log = pino({ level: 'silent' });
const open = (changed: Partial<Limits>, metrics = new Metrics()) =>
  startHttp(nobody, {
    metrics,
    host: '127.0.0.1',
    modifyPort: 0,
    queryPort: 0,
    log,
    limits: { stopGrace: 0, stopLinger: 0, ...changed },
  });

const add = '/api/v2.0/enginemodify/json/AddImage';
const status = '/api/v2.0/enginequery/json/GetApplicationStatus';
const multipart = 'Content-Type: multipart/form-data; boundary=edge';

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

test('a body over the limit is 413, announced or not, and the client can read the answer', async () => {
  const piece = Buffer.alloc(1024 * 1024, 'x');
  const pieces = Array.from({ length: 22 }, () => piece);
  const head = `POST ${add} HTTP/1.1\r\nHost: a\r\n${multipart}`;
  assertError(await exchange(http.modifyPort, withBody(head, ...pieces)), 413, 'REQUEST_TOO_LARGE');

  const chunks = pieces.flatMap((each) => [`${each.length.toString(16)}\r\n`, each, '\r\n']);
  const chunked = await exchange(
    http.modifyPort,
    `${head}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ...chunks,
    '0\r\n\r\n',
  );
  assertError(chunked, 413, 'REQUEST_TOO_LARGE');
});

test('headers, bodies and whole requests that arrive too slowly are 408', async () => {
  const upload = `POST ${add} HTTP/1.1\r\nHost: a\r\n${multipart}\r\nContent-Length: 9000000\r\n\r\n`;
  await slowly({ headersTimeout: 200 }, /200 ms for headers/, (wire) => wire.send('GET / HTTP/1.1\r\nHost: a\r\nX-'));
  await slowly({ slowWindow: 100 }, /6 bytes in 100 ms/, (wire) => wire.send(upload, '--edge'));
  // enough in every window, but never complete
  await slowly({ headersTimeout: 200, requestTimeout: 1200, slowWindow: 500 }, /1200 ms in all/, (wire) => {
    wire.send(upload);
    return setInterval(() => wire.send(Buffer.alloc(8192)), 20);
  });
});

test('a refused client that keeps its connection and goes on sending loses it', async () => {
  const hasty = await open({ discardTimeout: 50 });
  const socket = connect({ port: hasty.modifyPort, host: '127.0.0.1', allowHalfOpen: true });
  const sending = setInterval(() => socket.write('x'), 20);
  try {
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket
      .on('error', () => {})
      .resume()
      .write('not HTTP\r\n\r\n');
    await closed;
  } finally {
    clearInterval(sending);
    socket.destroy();
    await hasty.close();
  }
});

async function slowly(changed: Partial<Limits>, reason: RegExp, act: (wire: Wire) => unknown): Promise<void> {
  const hasty = await open({ connectionsCheckingInterval: 50, discardTimeout: 100, ...changed });
  const wire = await Wire.open(hasty.modifyPort);
  try {
    const timer = act(wire) as NodeJS.Timeout | undefined;
    const reply = await wire.reply().finally(() => clearInterval(timer));
    assertError(reply, 408, 'REQUEST_TIMEOUT');
    assert.match(reply.json.status.message, reason);
    await wire.closed();
  } finally {
    wire.cut();
    await hasty.close();
  }
}

test('bodies beyond their memory are 503 with Retry-After, and the memory is returned', async () => {
  const small = await open({ bodyBytesWithoutKey: 170_000, firstBytesWithoutKey: 0 });
  try {
    const held = await Wire.open(small.modifyPort);
    held.send(`POST ${add} HTTP/1.1\r\nHost: a\r\n${multipart}\r\nContent-Length: 90000\r\n\r\n`, Buffer.alloc(80_000));
    const upload = withBody(`POST ${add} HTTP/1.1\r\nHost: a\r\n${multipart}`, Buffer.alloc(100_000));
    await until(async () => (await exchange(small.modifyPort, upload)).http === 503);

    const reply = await exchange(small.modifyPort, upload);
    assertError(reply, 503, 'OVERLOADED');
    assert.equal(reply.headers.get('retry-after'), '1');
    assert.equal(reply.headers.get('connection'), 'close');

    held.cut();
    await until(async () => (await exchange(small.modifyPort, upload)).http !== 503);
  } finally {
    await small.close();
  }
});

test('a wrong key is refused as soon as it has arrived, in any place, before the end of the body', async () => {
  const wrong = 'Content-Disposition: form-data; name=application_key\r\n\r\nwrong\r\n';
  const bodies: [type: string, start: string][] = [
    [multipart, `--edge\r\n${wrong}--edge\r\nContent-Disposition: form-data; name=image_content\r\n\r\n`],
    [
      multipart,
      `--edge\r\nContent-Disposition: form-data; name=image_content\r\n\r\nx\r\n--edge\r\n${wrong}--edge\r\n\r\n`,
    ],
    ['Content-Type: application/x-www-form-urlencoded', 'application_key=wrong&dna='],
  ];
  for (const [type, start] of bodies) {
    const wire = await Wire.open(http.modifyPort);
    wire.send(`POST ${add} HTTP/1.1\r\nHost: a\r\n${type}\r\nContent-Length: 900000\r\n\r\n`, start, 'x'.repeat(9_000));
    assertError(await wire.reply(), 200, 'UNKNOWN_APPLICATION', start);
    wire.cut();
  }
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
  /** Sends all but the end of a body of 600,000 bytes. */
  async function begin(query: string, start = ''): Promise<Wire> {
    const wire = await Wire.open(shared.modifyPort);
    open.push(wire);
    wire.send(`POST ${add}${query} HTTP/1.1\r\nHost: a\r\n${multipart}\r\nContent-Length: 600000\r\n\r\n`);
    wire.send(start, picture, Buffer.alloc(590_000));
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

test('the bytes of an upload of a disconnected client count until its operation has ended', async () => {
  const metrics = new Metrics();
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const application = {
    type: 'media-matching',
    traits: typeDefinitions['media-matching'].traits,
    references: { has: () => Promise.resolve(false) },
    keep: () => ended.then(() => Promise.reject(new Error('ended'))),
  } as unknown as Application;
  const find = () => application;
  const options = { host: '127.0.0.1', modifyPort: 0, queryPort: 0, log, metrics, limits: { stopGrace: 0 } };
  const slow = await startHttp(callersOf(find), options);
  const held = async () => Number(/^sosia_upload_bytes (\d+)$/m.exec(await metrics.text())![1]);
  try {
    const wire = await Wire.open(slow.modifyPort);
    const part = '--edge\r\nContent-Disposition: form-data; name=image_content\r\n\r\n';
    const head = `POST ${add}?application_key=k&image_id=a HTTP/1.1\r\nHost: a\r\n${multipart}`;
    wire.send(withBody(head, part, Buffer.alloc(100_000), '\r\n--edge--\r\n'));
    await until(async () => (await held()) >= 100_000);
    wire.cut();
    await pause(100);
    assert.ok((await held()) >= 100_000);
    end();
    await until(async () => (await held()) === 0);
  } finally {
    await slow.close();
  }
});

test('an answer that takes too long is 503, and its work still counts against the limit of its application', async () => {
  // no real application can be slowed down
  const references = { dna: () => new Promise(() => {}), count: () => Promise.resolve(5) };
  const stuck = { traits: typeDefinitions['media-matching'].traits, references };
  const [one, another] = [{ ...stuck }, { ...stuck }] as unknown[] as Application[];
  const find = (key: string) => (key === 'k' ? one : another);
  const applications = callersOf(find);
  const busy = await startHttp(applications, {
    host: '127.0.0.1',
    modifyPort: 0,
    queryPort: 0,
    log,
    limits: { stopGrace: 0, answerTimeout: 500, operationsInFlight: 4 },
  });
  try {
    const stay = `GET /api/v2.0/enginemodify/json/GetDnaById?application_key=k&image_id=a HTTP/1.1\r\nHost: a\r\n\r\n`;
    for (let i = 0; i < 2; i++) {
      const reply = await exchange(busy.modifyPort, stay);
      assertError(reply, 503, 'OVERLOADED');
      assert.match(reply.json.status.message, /within 500 ms/);
    }
    const refused = await exchange(busy.queryPort, `GET ${status}?application_key=k HTTP/1.1\r\nHost: a\r\n\r\n`);
    assertError(refused, 503, 'OVERLOADED');
    assert.match(refused.json.status.message, /operations of one application at once/);
    const other = await exchange(busy.queryPort, `GET ${status}?application_key=another HTTP/1.1\r\nHost: a\r\n\r\n`);
    assert.equal(other.json.status.code, 0);
  } finally {
    await busy.close();
  }
});

test('an address with too many wrong keys is refused for a while', async () => {
  const strict = await open({ wrongKeysAtOnce: 2, wrongKeysPerSecond: 0 });
  try {
    const codes = [];
    for (let i = 0; i < 4; i++)
      codes.push((await exchange(strict.queryPort, `GET ${status} HTTP/1.1\r\nHost: a\r\n\r\n`)).http);
    assert.deepEqual(codes, [200, 200, 503, 503]);
  } finally {
    await strict.close();
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

test('one listener serves both families when both ports are the same', async () => {
  const { modifyPort: port } = await open({}).then(async (each) => (await each.close(), each));
  const one = await startHttp(nobody, {
    host: '127.0.0.1',
    modifyPort: port,
    queryPort: port,
    log,
    limits: { stopGrace: 0 },
  });
  try {
    assert.equal(one.modifyPort, one.queryPort);
    assertError(await exchange(port, `GET ${status} HTTP/1.1\r\nHost: a\r\n\r\n`), 200, 'UNKNOWN_APPLICATION');
    assertError(await exchange(port, `GET ${add} HTTP/1.1\r\nHost: a\r\n\r\n`), 200, 'UNKNOWN_APPLICATION');
  } finally {
    await one.close();
  }
});

test('a port in use is reported, and the other one is released', async () => {
  const { modifyPort } = await open({}).then(async (each) => (await each.close(), each));
  const options = { host: '127.0.0.1', modifyPort, queryPort: http.queryPort, log };
  await assert.rejects(startHttp(nobody, options), { code: 'EADDRINUSE' });
  const again = await startHttp(nobody, { ...options, queryPort: 0, limits: { stopGrace: 0 } });
  await again.close();
});

test('a service that loads its pictures is alive and not ready, and reports how far it is', async () => {
  let loading: Loading | undefined = { loaded: 333, pictures: 1000 };
  const options = { host: '127.0.0.1', modifyPort: 0, queryPort: 0, log, limits: { stopGrace: 0, stopLinger: 0 } };
  const starting = await startHttp(nobody, { ...options, loading: () => loading });
  const at = (path: string) => exchange(starting.queryPort, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  for (const path of ['/ready', '/readyz', '/healthz']) {
    const reply = await at(path);
    if (path !== '/healthz') assertError(reply, 503, 'LOADING');
    else assert.deepEqual([reply.http, reply.json.status.code], [200, 0]);
    assert.deepEqual(reply.json.loading, { loaded: 333, pictures: 1000, share: 0.33 });
  }
  loading = undefined;
  for (const path of ['/readyz', '/healthz']) {
    assert.deepEqual((await at(path)).json, { status: { code: 0, message: 'No error' } });
  }
  await starting.close();
});

test('a stopping service reports it, answers until its ports close, and finishes its operations', async () => {
  const leaving = await open({ stopGrace: 1500, stopLinger: 1500 });
  const ready = 'GET /ready HTTP/1.1\r\nHost: a\r\n\r\n';
  assert.equal((await exchange(leaving.queryPort, ready)).json.status.code, 0);
  const upload = await Wire.open(leaving.modifyPort);
  upload.send(`POST ${add} HTTP/1.1\r\nHost: a\r\n${multipart}\r\nContent-Length: 8\r\n\r\n--ed`);

  const idle = await Wire.open(leaving.queryPort);
  idle.send(`GET ${status} HTTP/1.1\r\nHost: a\r\n\r\n`);
  assert.equal((await idle.reply()).headers.get('connection'), 'keep-alive');

  const closing = leaving.close();
  const unready = await exchange(leaving.queryPort, ready);
  assertError(unready, 503, 'SHUTTING_DOWN');
  assert.equal(unready.headers.get('retry-after'), '1');
  assertError(
    await exchange(leaving.queryPort, `GET ${status} HTTP/1.1\r\nHost: a\r\n\r\n`),
    200,
    'UNKNOWN_APPLICATION',
  );

  await until(() =>
    Wire.open(leaving.queryPort).then(
      (wire) => (wire.cut(), false),
      () => true,
    ),
  );
  upload.send('ge--');
  idle.send(`GET ${status} HTTP/1.1\r\nHost: a\r\n\r\n`);
  for (const wire of [upload, idle]) {
    const last = await wire.reply();
    assertError(last, 200, 'UNKNOWN_APPLICATION');
    assert.equal(last.headers.get('connection'), 'close');
  }
  await closing;
});

test('busy clients lose no request during a stop: their last answer announces the end', async () => {
  const leaving = await open({ stopGrace: 50, stopLinger: 1500 });
  let begun = 0;
  let allBusy = () => {};
  const busy = new Promise<void>((resolve) => (allBusy = resolve));
  const clients = Array.from({ length: 8 }, async () => {
    const wire = await Wire.open(leaving.queryPort);
    for (let answered = 1; ; answered++) {
      wire.send(`GET ${status} HTTP/1.1\r\nHost: a\r\n`);
      await pause(1); // the rest arrives a little later
      wire.send('\r\n');
      const reply = await wire.reply();
      assertError(reply, 200, 'UNKNOWN_APPLICATION');
      if (reply.headers.get('connection') === 'close') return answered;
      if (answered === 1 && ++begun === 8) allBusy();
    }
  });
  await Promise.race([busy, Promise.all(clients)]);
  await leaving.close();
  for (const answered of await Promise.all(clients)) assert.ok(answered > 1);
});

test('a stop ends at its time limit, independently of the clients', async () => {
  const stubborn = await open({ stopTimeout: 300 });
  const wire = await Wire.open(stubborn.modifyPort);
  wire.send(`POST ${add} HTTP/1.1\r\nHost: a\r\n${multipart}\r\nContent-Length: 100\r\n\r\n`);
  await pause(50);
  await stubborn.close();
  await assert.rejects(wire.reply(), /connection ended after ""/);
});

function assertError(reply: Reply, httpStatus: number, name: ErrorName, about?: string): void {
  const { code } = errors[name];
  assert.deepEqual([reply.http, reply.json?.status.code], [httpStatus, code], about ?? reply.body.toString());
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const since = performance.now();
  while (!(await condition())) {
    if (performance.now() - since > 20_000) throw new Error(`expected ${condition.toString()}`);
    await pause(10);
  }
}
