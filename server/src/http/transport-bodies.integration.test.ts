import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { typeDefinitions } from '@sosia/engine';
import type { Application } from '../applications/application.ts';
import { Metrics } from '../metrics/metrics.ts';
import type { Http } from './http.ts';
import { callersOf } from './callers.test.kit.ts';
import { startHttp } from './http.ts';
import type { Limits } from './limits.ts';
import { add, assertError, log, multipart, open, status, until } from './transport.test.kit.ts';
import { exchange, Wire, withBody } from './wire.test.kit.ts';

let http: Http;
before(async () => {
  http = await open({});
});
after(() => http.close());

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
    wire.send(
      `POST ${add} HTTP/1.1\r\nHost: a\r\n${type}\r\nContent-Length: 900000\r\n\r\n`,
      start,
      'x'.repeat(4_096 - start.length),
    );
    assertError(await wire.reply(), 200, 'UNKNOWN_APPLICATION', start);
    wire.cut();
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
    keepNew: () => ended.then(() => Promise.reject(new Error('ended'))),
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
  const record = { number: 1, name: 'stuck', type: 'media-matching' };
  const stuck = { record, traits: typeDefinitions['media-matching'].traits, references };
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
