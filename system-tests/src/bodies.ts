import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Sosia } from '@sosia/client';
import { stallingRequests } from '@sosia/testing/hostile/stalling-requests';
import { sampleFile } from '@sosia/testing/service/samples';
import type { Service } from '@sosia/testing/service/service';
import { slowdownNow } from '@sosia/testing/service/slowdown';
import { mean, quantile } from '@sosia/testing/statistics';
import { systemTest, type Run } from '@sosia/testing/harness/system-test';

const CONNECTIONS = 64;
/** A flood lasts until it has sent so much, of which 43 MB wait in the system for the service, but at most so many times its usual length. */
const ENOUGH_MB = 55;
const LONGEST = 4;
/** The most by which the service process may grow at its peak, in MB. */
const GROWTH_LIMIT = 300;
/** In milliseconds: of the answers to a probe beside the flood, and of one request on the event loop. */
const PROBE_LIMIT = 200;
const STALL_LIMIT = 100;
/** A stall counts only if each of so many tries shows it. */
const TRIES = 3;

/**
 * First single requests that take time. Then uploads that are held and not finished, and bodies in chunks of one byte, from clients
 * without a key, beside a customer who searches and adds. Times are divided by how much longer than its processor time this
 * process takes, so that other work on the machine does not count.
 */
export default systemTest({
  name: 'bodies',
  promise:
    'The memory of requests is bounded, no request stops the event loop for long, and a client with a key is served.',
  sizes: { SOSIA_BODIES_SECONDS: { usual: 12, whole: 120 } },
  async run(run) {
    const service = await run.start();
    const key = service.createApplication('media-matching');
    const customer = customerOf(service.client(key));
    for (let i = 0; i < 5; i++) await customer(); // warm

    const stallsMs = await stallsOf(service, key);
    for (const [name, ms] of Object.entries(stallsMs))
      run.expect(ms <= STALL_LIMIT, `${name} stopped the event loop for ${ms} ms`);
    const held = await flood(service, customer, 'held', run);
    const oneByteChunks = await flood(service, customer, 'one-byte chunks', run);
    return { stallsMs, held, oneByteChunks };
  },
});

/** What the flood does to the probe, to the customer and to the memory. */
async function flood(
  service: Service,
  customer: () => Promise<string[]>,
  kind: string,
  { size, expect }: Run<'SOSIA_BODIES_SECONDS'>,
) {
  const before = service.memory().main;
  const flooder = startFlood(service, kind);
  const start = performance.now();
  const goesOn = (): boolean => {
    const usual = (performance.now() - start) / 1000 / size.SOSIA_BODIES_SECONDS;
    return usual < 1 || (usual < LONGEST && flooder.sentMB() < ENOUGH_MB);
  };
  let peak = 0;
  const sample = async (): Promise<void> => {
    for (; goesOn(); await pause(10)) peak = Math.max(peak, service.memory().main);
  };
  const failed: string[] = [];
  let answered = 0;
  const serve = async (): Promise<void> => {
    while (goesOn()) {
      const failures = await customer();
      failed.push(...failures.filter((failure) => failure !== ''));
      answered += failures.filter((failure) => failure === '').length;
    }
  };
  const [{ latencies, slowdown }] = await Promise.all([probe(service, goesOn), serve(), sample()]);
  const flooded = await flooder.stop();

  const growthMB = Math.round(peak - before);
  const p99Ms = Math.round(quantile(latencies, 0.99) / slowdown);
  expect(growthMB <= GROWTH_LIMIT, `${kind}: the service grew by ${growthMB} MB, expected at most ${GROWTH_LIMIT}`);
  expect(p99Ms <= PROBE_LIMIT, `${kind}: probes took ${p99Ms} ms (p99), expected at most ${PROBE_LIMIT}`);
  expect(answered > 0, `${kind}: no request of the customer was answered`);
  expect(failed.length === 0, `${kind}: ${failed.length} requests of the customer failed: ${failed[0]}`);
  expect(flooded.contentMB >= 10, `${kind}: the flood sent only ${flooded.contentMB} MB`);
  const probes = { count: latencies.length, p99Ms, slowdown: Math.round(slowdown * 10) / 10 };
  return { growthMB, probes, customer: { answered, failed: failed.length }, flooded };
}

interface Flooded {
  readonly contentMB: number;
  readonly answers: object;
}

function startFlood(service: Service, kind: string) {
  const script = fileURLToPath(import.meta.resolve('@sosia/testing/hostile/flood'));
  const args = [script, new URL(service.modify).port, String(CONNECTIONS), kind];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let last: Flooded = { contentMB: 0, answers: {} };
  createInterface({ input: child.stdout }).on('line', (line) => (last = JSON.parse(line) as Flooded));
  return {
    sentMB: () => last.contentMB,
    async stop(): Promise<Flooded> {
      const ended = once(child, 'close');
      child.stdin.end();
      await ended;
      return last;
    },
  };
}

/** Milliseconds of each answer; infinitely many where none came. */
async function probe(service: Service, goesOn: () => boolean): Promise<{ latencies: number[]; slowdown: number }> {
  const latencies: number[] = [];
  const slowdowns: number[] = [];
  for (; goesOn(); await pause(20)) {
    const start = performance.now();
    const answered = await fetch(`${service.query}/healthz`).then(
      (response) => response.text().then(() => response.ok),
      () => false,
    );
    latencies.push(answered ? performance.now() - start : Infinity);
    slowdowns.push(slowdownNow());
  }
  return { latencies, slowdown: mean(slowdowns) };
}

/** A client with a key adds and searches one picture each. @returns why either failed; empty for success */
function customerOf(client: Sosia): () => Promise<string[]> {
  const picture = sampleFile('kodim01.jpg');
  let added = 0;
  return () => {
    const requests: Promise<unknown>[] = [client.add(`customer-${added++}`, picture), client.search(picture)];
    return Promise.all(requests.map((request) => request.then(() => '', String)));
  };
}

/** The longest delay of the event loop during each request alone, in milliseconds: the least of some tries. */
async function stallsOf(service: Service, key: string): Promise<Record<string, number>> {
  const stalls: Record<string, number> = {};
  for (const { name, send } of stallingRequests(service, key)) {
    let least = Infinity;
    for (let i = 0; i < TRIES && least > STALL_LIMIT / 2; i++) {
      const slowdowns = [slowdownNow(), slowdownNow(), slowdownNow()];
      await delaySinceLastCall(service);
      await send();
      const delay = await delaySinceLastCall(service);
      slowdowns.push(slowdownNow(), slowdownNow(), slowdownNow());
      least = Math.min(least, delay / mean(slowdowns));
    }
    stalls[name] = Math.round(least);
  }
  return stalls;
}

async function delaySinceLastCall(service: Service): Promise<number> {
  await pause(50); // a delay is noted when its timer fires, after the delay
  return 1000 * (await service.metric('nodejs_eventloop_lag_max_seconds'));
}
