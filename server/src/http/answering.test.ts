import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fastify } from 'fastify';
import { errors, fail } from '../errors.ts';
import { Metrics } from '../metrics/metrics.ts';
import { answering } from './answering.ts';
import type { HttpContext } from './context.ts';
import { success } from './envelope.ts';
import { limits } from './limits.ts';

const operation = { name: 'GetImageById', onFailure: { image: null } };

async function opened() {
  const metrics = new Metrics();
  const context = { metrics, stage: 'running', pacer: { pace: () => {} }, limits: { ...limits, discardTimeout: 1 } };
  const app = fastify();
  answering(app, context as unknown as HttpContext);
  app.get('/done', async () => success('done', { a: 1 }));
  app.get('/refused', { config: { operation } as never }, () => Promise.reject(fail('UNKNOWN_IMAGE', 'x')));
  app.get('/fault', () => Promise.reject(new Error('a fault')));
  await app.ready();
  const counts = async (code: number, name = 'none') =>
    Number(new RegExp(`^sosia_requests_total\\{operation="${name}",code="${code}"\\} (\\d+)$`, 'm').exec(await metrics.text())?.[1]); // prettier-ignore
  return { app, counts };
}

test('the series of the alarms begin with 0, of each operation and of requests without one', async () => {
  const { counts } = await opened();
  for (const name of ['none', operation.name])
    for (const error of ['INTERNAL', 'OVERLOADED'] as const) assert.equal(await counts(errors[error].code, name), 0);
});

test('each request is answered in the envelope and counted once, by its code', async (t) => {
  const kept = setInterval(() => {}, 1000); // what discards a body does not keep the process
  t.after(() => clearInterval(kept));
  const { app, counts } = await opened();
  const get = (url: string, headers = {}) => app.inject({ method: 'GET', url, headers });
  const done = await get('/done');
  assert.deepEqual([done.statusCode, done.json()], [200, { status: { code: 0, message: 'done' }, a: 1 }]);
  assert.equal(done.headers['content-type'], 'application/json');
  assert.ok(done.headers['x-request-id']);
  const refused = await get('/refused');
  assert.deepEqual([refused.statusCode, refused.json().status.code], [200, errors.UNKNOWN_IMAGE.code]);
  assert.equal(refused.json().image, null);
  assert.equal((await get('/refused', { prefer: 'http-status' })).statusCode, 404);
  const fault = await get('/fault');
  assert.equal(fault.json().status.code, errors.INTERNAL.code);
  assert.ok(!fault.body.includes('a fault'));
  assert.deepEqual([await counts(0), await counts(errors.INTERNAL.code)], [1, 1]);
  assert.equal(await counts(errors.UNKNOWN_IMAGE.code, operation.name), 2);
});
