import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Loading } from '../applications/references.ts';
import type { Http } from './http.ts';
import { startHttp } from './http.ts';
import { add, assertError, log, multipart, nobody, open, status, until } from './transport.test.kit.ts';
import { exchange, Wire } from './wire.test.kit.ts';

let http: Http;
before(async () => {
  http = await open({});
});
after(() => http.close());

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
