import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fastify } from 'fastify';
import { allowOrigins, type Origins } from './cors.ts';

const shop = 'https://shop.example';

/** The headers of an answer about origins, and its status. */
async function answer(origins: Origins, origin?: string, method: 'GET' | 'OPTIONS' = 'GET', url = '/api/x') {
  const app = fastify();
  allowOrigins(app, origins);
  app.all('*', async () => 'answered');
  const { headers, statusCode, body } = await app.inject({ method, url, headers: { ...(origin && { origin }) } });
  const shown = Object.entries(headers).filter(([name]) => name.startsWith('access-control-') || name === 'vary');
  return { status: statusCode, body, headers: Object.fromEntries(shown) };
}
const plain = { status: 200, body: 'answered', headers: {} };
const exposed = { 'access-control-expose-headers': 'x-request-id, retry-after, preference-applied' };
const preflight = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'authorization, content-type, last-event-id, prefer',
  'access-control-max-age': '600',
};

test('without listed sites, for others, outside of the interface and without an origin nothing is said', async () => {
  const listed = new Set([shop]);
  assert.deepEqual(await answer(null, shop), plain);
  assert.deepEqual(await answer(null, shop, 'OPTIONS'), plain);
  for (const method of ['GET', 'OPTIONS'] as const) {
    assert.deepEqual(await answer(listed, 'https://other.example', method), plain);
    assert.deepEqual(await answer(listed, undefined, method), plain);
    assert.deepEqual(await answer(listed, shop, method, '/console/'), plain);
    assert.deepEqual(await answer('all', shop, method, '/console/'), plain);
    assert.deepEqual(await answer('all', undefined, method), plain);
  }
});

test('a listed site is named, so that no cache gives its answer to another; with all sites none is', async () => {
  const named = { 'access-control-allow-origin': shop, vary: 'Origin', ...exposed };
  const any = { 'access-control-allow-origin': '*', ...exposed };
  for (const [origins, headers] of [
    [new Set([shop]), named],
    ['all', any],
  ] as const) {
    assert.deepEqual(await answer(origins, shop), { ...plain, headers });
    const allowed = await answer(origins, shop, 'OPTIONS');
    assert.deepEqual(allowed, { status: 204, body: '', headers: { ...headers, ...preflight } });
  }
});
