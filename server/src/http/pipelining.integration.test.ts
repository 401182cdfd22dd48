import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { typeDefinitions } from '@sosia/engine';
import { pino } from 'pino';
import type { Application } from '../applications/application.ts';
import { errors, fail } from '../errors.ts';
import { Metrics } from '../metrics/metrics.ts';
import { callersOf } from './callers.test.kit.ts';
import type { Http } from './http.ts';
import { startHttp } from './http.ts';
import { limits } from './limits.ts';
import { limitPipelining } from './pipelining.ts';
import { exchange, Wire, withBody } from './wire.test.kit.ts';

const metrics = new Metrics();
let release = (): void => {};
const released = new Promise<void>((resolve) => (release = resolve));
// no real application can be held up
const references = { dna: () => released.then(() => Promise.reject(fail('IMAGE_NOT_FOUND'))) };
const held = { traits: typeDefinitions['media-matching'].traits, references } as unknown as Application;

let http: Http;
before(async () => {
  http = await startHttp(
    callersOf((key) => (key === 'held' ? held : undefined)),
    {
      host: '127.0.0.1',
      modifyPort: 0,
      queryPort: 0,
      log: pino({ level: 'silent' }),
      metrics,
      limits: { stopGrace: 0, stopLinger: 0 },
    },
  );
});
after(() => http.close());

const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const inWork = async (): Promise<number> => Number(/^sosia_operations_in_work (\d+)$/m.exec(await metrics.text())![1]);

test('900 pipelined requests are answered in order, however the bytes are cut', async () => {
  const paths = Array.from({ length: 900 }, (_, i) => `/nothing-${i}`);
  const bytes = Buffer.from(paths.map(request).join(''));
  for (const cut of [bytes.length, 10_007, 61]) {
    const wire = await Wire.open(http.queryPort);
    for (let at = 0; at < bytes.length; at += cut) wire.send(bytes.subarray(at, at + cut));
    for (const path of paths) assert.match((await wire.reply()).json.status.message, new RegExp(`"${path}"`));
    wire.cut();
  }
});

test('bodies of declared length and in chunks, with what looks like the end of headers, are followed by the next request', async () => {
  const head = 'POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded';
  const content = '\r\n\r\nGET /never HTTP/1.1\r\n\r\n'.repeat(200);
  const chunk = `${content.length.toString(16)}\r\n${content}\r\n`;
  const chunked = `${head}\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(3)}0\r\n\r\n`;
  const wire = await Wire.open(http.queryPort);
  for (let i = 0; i < 5; i++) wire.send(withBody(head, content), request('/first'), chunked, request('/second'));
  for (let i = 0; i < 5; i++) {
    for (const path of ['/nothing', '/first', '/nothing', '/second'])
      assert.match((await wire.reply()).json.status.message, new RegExp(`"${path}"`));
  }
  wire.cut();
});

test('of a read that has bodies and further requests, each request begins when the one before is answered', async () => {
  const server = createServer();
  const order: string[] = [];
  limitPipelining(server, limits, () => assert.fail());
  server.on('request', (request, response) => {
    order.push(`begin ${request.url}`);
    let bytes = 0;
    request.on('data', (piece: Buffer) => (bytes += piece.length));
    request.on('end', () =>
      setImmediate(() => {
        order.push(`end ${request.url} ${bytes}`);
        response.end('1');
      }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const wire = await Wire.open((server.address() as AddressInfo).port);
  const head = (i: number) => `POST /${i} HTTP/1.1\r\nHost: a`;
  const lengths = [0, 10, 2_000, 3, 5_000];
  wire.send(...lengths.map((length, i) => withBody(head(i), '\r\n\r\n'.repeat(length).slice(0, length))));
  for (const _ of lengths) assert.equal((await wire.reply()).json, 1);
  const expected = lengths.flatMap((length, i) => [`begin /${i}`, `end /${i} ${length}`]);
  assert.deepEqual(order, expected);
  wire.cut();
  server.close();
});

test('while a request is in work, the next ones of its connection wait', async () => {
  const wire = await Wire.open(http.modifyPort);
  const dna = request('/api/v2.0/enginemodify/json/GetDnaById?application_key=held&image_id=a');
  wire.send(dna.repeat(20));
  while ((await inWork()) === 0) await pause(10);
  await pause(200);
  assert.equal(await inWork(), 1);
  // other connections do not wait
  assert.equal((await exchange(http.modifyPort, request('/healthz'))).http, 200);
  release();
  for (let i = 0; i < 20; i++) assert.equal((await wire.reply()).json.status.code, errors.IMAGE_NOT_FOUND.code);
  wire.cut();
});

test('unfinished headers of as many bytes as the limit are kept, and one byte more is refused', async (t) => {
  const server = createServer();
  const refused: number[] = [];
  let received = (): number => 0;
  server.on('connection', (socket) => (received = () => socket.bytesRead));
  limitPipelining(server, { ...limits, headerBytesInFlight: 10_000 }, (socket) => refused.push(socket.bytesRead));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const wire = await Wire.open((server.address() as AddressInfo).port);
  t.after(() => wire.cut());
  wire.send('GET / HTTP/1.1\r\nHost: a\r\nX: '.padEnd(10_000, 'x'));
  while (received() < 10_000) await pause(1);
  await pause(10);
  wire.send('x');
  while (refused.length === 0) await pause(1);
  assert.deepEqual(refused, [10_001]);
});
