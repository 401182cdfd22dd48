import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { finished } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { startService, type Service } from '../service/service.ts';
import { openTargets } from './open-targets.ts';

const REQUESTS = 1_000;
const MEASURED_REQUESTS = 400;
/** Most processor time of a connection whose answers are not read, in times of 1,000 requests whose answers are: measured are 0 to 4.3, and all of the others would take hundreds. */
const MAX_TIMES_ORDINARY = 8;
const GROWTH_MB = 60;
/** In 100 ms, of a service that has nothing to do. */
const IDLE_MS = 10;
/** After the last answer that a client reads; the limit is 10 s. */
const ENDED_SECONDS = 20;

let service: Service;
before(async () => {
  service = await startService();
  for (const target of openTargets) await fetch(service.modify + target.split(' ')[1]!); // what is made once is made
});
after(() => service.close());

const withBody = 'POST /console/api/sign-in HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx';
const requests = [
  ...openTargets.map((target) => [target, requestOf(target)] as const),
  ['POST with a body', withBody] as const,
];

for (const [target, line] of requests) {
  test(`1,000 pipelined requests of ${target} and 30 MB of others, whose answers are not read, cost little`, async () => {
    const ordinary = await processorMsOfRead(line);
    const limit = MAX_TIMES_ORDINARY * ordinary;
    const [memory, processor] = [service.memory().main, service.processorMs()];
    const socket = await pipelined(line, line);
    let [peak, spent, idle] = [memory, 0, 0];
    // until nothing more is done
    while (spent <= limit && idle < 3) {
      await pause(100);
      const now = service.processorMs() - processor;
      idle = now - spent <= IDLE_MS ? idle + 1 : 0;
      spent = now;
      peak = Math.max(peak, service.memory().main);
    }
    assert.equal((await fetch(`${service.query}/healthz`)).status, 200);
    socket.destroy();
    assert.ok(spent <= limit, `${spent} ms of processor time, ${ordinary} ms where the answers are read`);
    assert.ok(peak - memory <= GROWTH_MB, `${Math.round(peak - memory)} MB more`);
  });
}

test('a client that does not read is ended', async () => {
  const socket = await pipelined(requestOf('GET /openapi.json'), requestOf('GET /healthz'));
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const late = pause(1000 * ENDED_SECONDS, 'late', { ref: false });
  assert.notEqual(await Promise.race([ended, late]), 'late');
});

function requestOf(target: string): string {
  return `${target} HTTP/1.1\r\nHost: a\r\n\r\n`;
}

/** Processor time of the service for 1,000 requests of a client that reads each answer before it sends the next one. */
async function processorMsOfRead(line: string): Promise<number> {
  const [method, target] = line.split(' ') as [string, string];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const before = service.processorMs();
  for (let count = 0; count < MEASURED_REQUESTS; count++) {
    const sent = request(service.modify + target, { method, agent });
    sent.end(method === 'POST' ? 'x' : undefined);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    await finished(answer.resume());
  }
  agent.destroy();
  return ((service.processorMs() - before) * REQUESTS) / MEASURED_REQUESTS;
}

async function pipelined(line: string, others: string): Promise<Socket> {
  const socket = connect({ port: Number(new URL(service.modify).port), host: '127.0.0.1' });
  socket.on('error', () => {}); // 'close' follows
  socket.pause();
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  socket.write(line.repeat(REQUESTS));
  // more than the system takes: the write waits, and fails when the service ends the connection
  socket.write(Buffer.alloc(30_000_000, others));
  return socket;
}
