import assert from 'node:assert/strict';
import { createServer as createRaw } from 'node:net';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Fetcher } from './fetcher.ts';
import type { FetcherOptions, Wanted } from './fetcher.ts';
import { startWeb } from './web.test.kit.ts';
import type { Web } from './web.test.kit.ts';

const MAX_BYTES = 100_000;
const picture = Buffer.alloc(50_000, 7);
const etag = '"v1"';
let web: Web;

before(async () => {
  web = await startWeb({
    '/picture': (response, { headers }) => {
      if (headers['if-none-match'] === etag) return response.writeHead(304).end();
      return response.writeHead(200, { etag }).end(picture);
    },
    '/moved': (response) => response.writeHead(302, { location: 'picture' }).end(),
    '/again': (response) => response.writeHead(301, { location: '/again' }).end(),
    '/inside': (response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    '/file': (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    '/with-user': (response) => response.writeHead(302, { location: 'http://a:b@web.example/' }).end(),
    '/loopback': (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
    '/silent': () => {},
    '/slow': (response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 50);
      response.on('close', () => clearInterval(drip));
    },
    '/endless': (response) => {
      const more = (): void => void (response.destroyed || response.write(picture, more));
      more();
    },
    '/announced': (response) => response.writeHead(200, { 'content-length': 10 ** 12 }).flushHeaders(),
    '/bomb': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(10 ** 7))),
    '/cut': (response) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.write('half', () => response.destroy());
    },
    '/broken': (response) => response.writeHead(500).end(),
  });
});
after(() => web.close());

const limits = { total: 2000, silence: 500, redirects: 5 };

function fetcher(options: FetcherOptions = {}): Fetcher {
  return new Fetcher([`*:${web.port}`, '*'], { ...web.options, limits, ...options });
}

async function fetched(path: string, options: FetcherOptions = {}, wanted: Partial<Wanted> = {}) {
  const pieces: Uint8Array[] = [];
  const take = (piece: Uint8Array): void => void pieces.push(piece);
  const answer = await fetcher(options).fetch(web.base + path, { maxBytes: MAX_BYTES, take, ...wanted });
  return { ...answer, content: Buffer.concat(pieces) };
}

test('a content arrives whole, by its address and by a redirect, and the request names the service', async () => {
  for (const path of ['/picture', '/moved']) {
    const { content, address, ...rest } = await fetched(path);
    assert.deepEqual(content, picture);
    assert.equal(address, `${web.base}/picture`);
    assert.deepEqual(rest, { etag, lastModified: undefined, unchanged: false });
  }
  const { headers } = web.requests.at(-1)!;
  assert.equal(headers.host, `web.example:${web.port}`);
  assert.equal(headers['user-agent'], 'Sosia');
  assert.equal(headers['accept-encoding'], 'identity');
  assert.equal(headers.cookie ?? headers.referer ?? headers.authorization, undefined);
});

test('what the caller has already is not sent again', async () => {
  const { content, unchanged } = await fetched('/picture', {}, { known: { etag } });
  assert.deepEqual([content.length, unchanged], [0, true]);
});

test('redirects that lead inside, to files or to users are refused, and nothing follows them', async () => {
  const before = web.requests.length;
  const paths = ['/inside', '/file', '/with-user', '/loopback'];
  for (const path of paths) await assert.rejects(fetched(path), { error: 'ADDRESS_REFUSED' }, path);
  assert.equal(web.requests.length - before, paths.length);
});

test('a name with another address at the second question is refused: each redirect is checked anew', async () => {
  const answers = [['127.0.0.1'], ['127.0.0.2']];
  const found = fetched('/moved', { resolve: async () => answers.shift()! });
  await assert.rejects(found, { error: 'ADDRESS_REFUSED' });
});

test('the connection leads to the address that was checked, and the name is resolved once', async () => {
  const answers = [['127.0.0.1'], ['10.0.0.1']];
  assert.equal((await fetched('/picture', { resolve: async () => answers.shift()! })).content.length, picture.length);
  assert.equal(answers.length, 1);
});

test('servers that are slow, silent, endless, broken or closed end with one error, and the next request is served', async () => {
  const closed = createRaw().listen(0, '127.0.0.1');
  const { port } = await new Promise<AddressInfo>((resolve) => {
    closed.on('listening', () => resolve(closed.address() as AddressInfo));
  });
  closed.close();
  const wrong = ['/silent', '/slow', '/endless', '/announced', '/bomb', '/cut', '/broken', '/absent', '/again'];
  for (const path of wrong) await assert.rejects(fetched(path), { error: 'NOT_FETCHED' }, path);

  const exempt = new Set([`127.0.0.1:${port}`]);
  const absent = new Fetcher(['*', `*:${port}`], { ...web.options, exempt, limits });
  const take = (): void => {};
  await assert.rejects(absent.fetch(`http://web.example:${port}/`, { maxBytes: 1, take }), { error: 'NOT_FETCHED' });
  assert.equal((await fetched('/picture')).content.length, picture.length);
});

test('a name server that does not answer ends with the time of the request', async () => {
  const resolve = (_host: string, signal: AbortSignal): Promise<string[]> =>
    new Promise((done) => signal.addEventListener('abort', () => done([])));
  await assert.rejects(fetched('/picture', { resolve, limits: { total: 100 } }), { error: 'NOT_FETCHED' });
});

test('what takes the content ends the request by an exception, and so does the signal of the caller', async () => {
  const take = (): never => {
    throw new Error('full');
  };
  await assert.rejects(fetched('/endless', {}, { take }));
  const stop = new AbortController();
  const stopped = fetched('/slow', {}, { signal: stop.signal });
  stop.abort();
  await assert.rejects(stopped, { name: 'AbortError' });
});

test('answers that are not HTTP, and headers without an end, are refused', async () => {
  for (const text of ['SSH-2.0-OpenSSH\r\n', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(10_000)}`]) {
    const server = createRaw((socket) => socket.on('error', () => {}).end(text)).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.on('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const exempt = new Set([`127.0.0.1:${port}`]);
    const fetcher = new Fetcher([`*:${port}`], { ...web.options, exempt, limits });
    const fetching = fetcher.fetch(`http://web.example:${port}/`, { maxBytes: MAX_BYTES, take: () => {} });
    await assert.rejects(fetching, { error: 'NOT_FETCHED' });
    server.close();
  }
});
