import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { errors, fail } from '../errors.ts';
import type { HttpContext } from './context.ts';
import type { Answer } from './envelope.ts';
import { health } from './health.ts';

/** What the routes answer in such a state: HTTP status, code, and progress of a start. */
async function answers(state: Partial<HttpContext>) {
  const context = { stage: 'running', outage: () => undefined, loading: () => undefined, ...state } as HttpContext;
  const routes = new Map<string, () => Promise<Answer>>();
  const get = (url: string, answer: () => Promise<Answer>): unknown => routes.set(url, answer);
  health({ get } as unknown as FastifyInstance, { context, families: [] }, () => {});
  const shown = async (url: string): Promise<unknown[]> => {
    const { http, body } = await routes.get(url)!();
    const { status, loading } = JSON.parse(Buffer.from(body).toString()) as {
      status: { code: number };
      loading?: object;
    };
    return [http, status.code, loading];
  };
  const [ready, readyz, healthz] = await Promise.all(['/ready', '/readyz', '/healthz'].map(shown));
  assert.deepEqual(ready, readyz);
  return { ready, healthz };
}

test('a service is ready when it runs, has all pictures and reaches its cluster; it is alive without', async () => {
  const well = [200, 0, undefined];
  assert.deepEqual(await answers({}), { ready: well, healthz: well });
  const outage = fail('CLUSTER_UNREACHABLE', 'no answer');
  const unreachable = [503, errors.CLUSTER_UNREACHABLE.code, undefined];
  assert.deepEqual(await answers({ outage: () => outage }), { ready: unreachable, healthz: well });
  await assert.rejects(answers({ stage: 'leaving' }), { error: 'SHUTTING_DOWN' });
});
