import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { errorCodes } from './error-codes.generated.ts';
import { ConnectionError, Sosia } from './index.ts';
import { collected, photograph, startService } from './service.test.kit.ts';
import type { Service } from './service.test.kit.ts';

type Fault = 'busy' | 'lost before' | 'lost after' | 'no JSON';

/** The faults of the next requests, in order; later requests succeed. */
let faults: Fault[] = [];
let requests = 0;

/** A proxy in front of the service that simulates a bad network. */
const proxy = createServer(async (request, response) => {
  requests++;
  const fault = faults.shift();
  const body = await buffer(request);
  if (fault === 'busy') {
    return void response.writeHead(503).end('{"status":{"code":-1910,"message":"The service is busy"}}');
  }
  if (fault === 'no JSON') return void response.writeHead(200).end('<html>');
  if (fault === 'lost before') return void response.destroy();
  const headers = { 'content-type': request.headers['content-type']! };
  const answer = await fetch(`${target}${request.url}`, { method: 'POST', headers, body: Uint8Array.from(body) });
  const text = await answer.text();
  if (fault === 'lost after') return void response.destroy();
  response.writeHead(answer.status).end(text);
});

let service: Service;
let sosia: Sosia;
let target: string;
before(async () => {
  service = await startService();
  const { key, modify } = service.application('media-matching');
  target = modify;
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const there = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  sosia = new Sosia({ key, modify: there, query: there, patience: { retries: 3, firstWait: 1 } });
});
after(async () => {
  proxy.closeAllConnections();
  await once(proxy.close(), 'close');
  await service.close();
});

async function requestsOf<T>(
  planned: readonly Fault[],
  work: () => Promise<T>,
): Promise<{ value: T; requests: number }> {
  faults = [...planned];
  requests = 0;
  const value = await work();
  assert.deepEqual(faults, []);
  return { value, requests };
}

const reading = (number: number) => async () => ({ picture: await photograph(number) });

test('a request to a busy service is repeated as often as patience allows', async () => {
  const { value, requests } = await requestsOf(['busy', 'busy', 'busy'], () => sosia.writable());
  assert.deepEqual([value, requests], [true, 4]);
  await requestsOf(['busy', 'busy', 'busy', 'busy'], () =>
    assert.rejects(sosia.writable(), { code: errorCodes.OVERLOADED, http: 503 }),
  );
});

test('a single request whose connection is lost is not repeated: it may have been executed', async () => {
  for (const fault of ['lost before', 'no JSON'] as const) {
    const { requests } = await requestsOf([fault], () => assert.rejects(sosia.writable(), ConnectionError));
    assert.equal(requests, 1);
  }
});

test('adding many continues after lost connections, and reports added for a picture whose answer was lost', async () => {
  const items = [{ id: 'a', read: reading(1) }];
  const outcome = async () => (await collected(sosia.addAll(items)))[0]!.outcome;
  assert.deepEqual(await requestsOf(['lost before', 'busy', 'lost after'], outcome), { value: 'added', requests: 4 });
  assert.deepEqual(await requestsOf([], outcome), { value: 'exists', requests: 1 });
});

test('deleting many does the same', async () => {
  const outcome = async () => (await collected(sosia.deleteAll(['a'])))[0]!.outcome;
  assert.deepEqual(await requestsOf(['lost before', 'lost after'], outcome), { value: 'deleted', requests: 3 });
  assert.deepEqual(await requestsOf([], outcome), { value: 'missing', requests: 1 });
});

test('a failure does not stop the others, and leaving the loop takes no more items', async () => {
  let read = 0;
  const item = (id: string, work: () => Promise<{ picture: Uint8Array }>) => ({ id, read: () => (read++, work()) });
  const broken = item('x', async () => Promise.reject(new Error('no such file')));
  const first = await collected(sosia.addAll([broken, item('b', reading(2))], { parallel: 1 }));
  assert.deepEqual(
    first.map(({ outcome }) => outcome),
    ['failed', 'added'],
  );
  assert.match(String(first[0]!.error), /no such file/);

  read = 0;
  const endless = (function* () {
    for (let i = 0; ; i++) yield item(`many ${i}`, reading(3));
  })();
  for await (const { outcome } of sosia.addAll(endless, { parallel: 2 })) {
    assert.equal(outcome, 'added');
    break;
  }
  assert.ok(read <= 3, `${read} were read`);
});

test('a signal ends the waiting', async () => {
  const { key } = service.application('media-matching');
  const end = new AbortController();
  const there = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const patience = { retries: 9, firstWait: 60_000 };
  const waiting = new Sosia({ key, modify: there, query: there, patience, signal: end.signal }).writable();
  faults = ['busy'];
  setTimeout(() => end.abort(new Error('enough')), 50);
  await assert.rejects(waiting, /enough/);
});

test('a signal ends a request that the service does not answer, and sends none once it is given', async () => {
  const silent = createServer(() => arrived());
  let arrived = (): void => {};
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const there = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const end = new AbortController();
  const client = new Sosia({ key: 'x', modify: there, query: there, signal: end.signal });
  try {
    const first = new Promise<void>((resolve) => (arrived = resolve));
    const waiting = client.writable();
    await first;
    end.abort(new Error('enough'));
    silent.closeAllConnections(); // which would end it too, with another error
    await assert.rejects(waiting, { message: 'enough' });
    let sent = 0;
    arrived = () => {
      sent++;
      silent.closeAllConnections();
    };
    await assert.rejects(client.writable(), { message: 'enough' });
    const [added] = await collected(client.addAll([{ id: 'a', read: reading(1) }]));
    assert.deepEqual([added!.outcome, added!.error!.message, sent], ['failed', 'enough', 0]);
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
});

test('a lost connection says what is wrong with the address', async () => {
  const patience = { retries: 0, firstWait: 1 };
  const at = (address: string): Sosia => new Sosia({ key: 'x', modify: address, query: address, patience });
  const port = createServer();
  await once(port.listen(0, '127.0.0.1'), 'listening');
  const free = `http://127.0.0.1:${(port.address() as AddressInfo).port}`;
  await once(port.close(), 'close');
  await assert.rejects(at(`${free}/`).writable(), {
    name: 'ConnectionError',
    message: `no answer from ${free}: no server listens at this address`,
  });
  faults = ['no JSON'];
  const there = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  await assert.rejects(at(`${there}//`).writable(), {
    message: `no answer from ${there}: the server uses another protocol`,
  });
  faults = ['lost before'];
  await assert.rejects(at(there).writable(), /: (?!no server|the server|undefined).+/);
});
