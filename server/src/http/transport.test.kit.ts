import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { Metrics } from '../metrics/metrics.ts';
import { errors } from '../errors.ts';
import type { ErrorName } from '../errors.ts';
import { callersOf } from './callers.test.kit.ts';
import { startHttp } from './http.ts';
import type { Limits } from './limits.ts';
import type { Reply } from './wire.test.kit.ts';

// The transport alone: no request here reaches an application.
export const nobody = callersOf(() => undefined);
export const log = pino({ level: 'silent' });
export const open = (changed: Partial<Limits>, metrics = new Metrics()) =>
  startHttp(nobody, {
    metrics,
    host: '127.0.0.1',
    modifyPort: 0,
    queryPort: 0,
    log,
    limits: { stopGrace: 0, stopLinger: 0, ...changed },
  });

export const add = '/api/v2.0/enginemodify/json/AddImage';
export const status = '/api/v2.0/enginequery/json/GetApplicationStatus';
export const multipart = 'Content-Type: multipart/form-data; boundary=edge';

export function assertError(reply: Reply, httpStatus: number, name: ErrorName, about?: string): void {
  const { code } = errors[name];
  assert.deepEqual([reply.http, reply.json?.status.code], [httpStatus, code], about ?? reply.body.toString());
}

export async function until(condition: () => Promise<boolean>): Promise<void> {
  const since = performance.now();
  while (!(await condition())) {
    if (performance.now() - since > 20_000) throw new Error(`expected ${condition.toString()}`);
    await pause(10);
  }
}
