import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { errors } from '../errors.ts';
import { callersOf } from './callers.test.kit.ts';
import { success } from './envelope.ts';
import { startHttp } from './http.ts';
import type { Http } from './http.ts';
import type { Limits } from './limits.ts';
import { Wire, withBody } from './wire.test.kit.ts';

// What becomes of a connection after its answer.

const LARGE_BYTES = 48 * 1024 * 1024; // more than the buffers of both ends
const add = '/api/v2.0/enginemodify/json/AddImage?application_key=wrong';

/** @param changed limits; the service has an answer of LARGE_BYTES at `/large` */
function open(changed: Partial<Limits>): Promise<Http> {
  return startHttp(
    callersOf(() => undefined),
    {
      host: '127.0.0.1',
      modifyPort: 0,
      queryPort: 0,
      log: pino({ level: 'silent' }),
      limits: { stopGrace: 0, stopLinger: 0, ...changed },
      plugins: [
        (app, _, done) => {
          app.get('/large', async () => ({ ...success('', {}), body: new Uint8Array(LARGE_BYTES) }));
          done();
        },
      ],
    },
  );
}

test('a connection whose body was not read to its end is not used again', async () => {
  const http = await open({ discardTimeout: 50 });
  const wire = await Wire.open(http.modifyPort);
  try {
    wire.send(`POST ${add} HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=edge\r\n`);
    wire.send('Content-Length: 9000\r\n\r\n--edge\r\n');
    const reply = await wire.reply();
    assert.deepEqual([reply.http, reply.json.status.code], [200, errors.UNKNOWN_APPLICATION.code]);
    assert.equal(reply.headers.get('connection'), 'close');
    await wire.closed();
  } finally {
    wire.cut();
    await http.close();
  }
});

test('a connection whose body was read to its end is used again, also after a refusal', async () => {
  const http = await open({});
  const wire = await Wire.open(http.modifyPort);
  const form = `POST ${add} HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=edge`;
  try {
    for (let i = 0; i < 3; i++) {
      wire.send(withBody(form, '--edge--\r\n'));
      const reply = await wire.reply();
      assert.deepEqual(
        [reply.json.status.code, reply.headers.get('connection')],
        [errors.UNKNOWN_APPLICATION.code, 'keep-alive'],
      );
    }
  } finally {
    wire.cut();
    await http.close();
  }
});

/** @returns the bytes that a client receives that begins to read after some milliseconds */
async function received(changed: Partial<Limits>, readsAfter: number): Promise<number> {
  const http = await open(changed);
  const socket = connect(http.modifyPort, '127.0.0.1').pause();
  let bytes = 0;
  try {
    socket.write('GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await pause(readsAfter);
    socket
      .on('error', () => {})
      .on('data', (piece) => (bytes += piece.length))
      .resume();
    await new Promise((resolve) => socket.once('close', resolve));
  } finally {
    socket.destroy();
    await http.close();
  }
  return bytes;
}

test('a client that does not take its answer loses the connection; one that takes it late gets all', async () => {
  assert.ok((await received({ writeTimeout: 200 }, 1500)) < LARGE_BYTES);
  assert.ok((await received({ writeTimeout: 60_000 }, 1500)) > LARGE_BYTES);
});

test('a service that has closed leaves no timer, so that its process can end', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  const http = await open({});
  await http.close();
  assert.ok(timers() <= before, `${timers()} timers, ${before} before`);
});
