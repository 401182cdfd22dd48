import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Sosia } from '@sosia/client';
import { openTargets } from '@sosia/testing/hostile/open-targets';
import { stallingRequests } from '@sosia/testing/hostile/stalling-requests';
import { sampleFile } from '@sosia/testing/service/samples';
import type { Service } from '@sosia/testing/service/service';
import { slowdownNow } from '@sosia/testing/service/slowdown';
import { mean, quantile } from '@sosia/testing/statistics';
import { systemTest, type Run } from '@sosia/testing/harness/system-test';

const CONNECTIONS = 200;
/** A flood lasts until it has sent so much, of which 43 MB wait in the system for the service, but at most so many times its usual length. */
const ENOUGH_MB = 55;
const LONGEST = 4;
/** The most by which the service process may grow at its peak, in MB. */
const GROWTH_LIMIT = 300;
/** By how much it may still be larger a minute after the flood. */
const REST_LIMIT = 50;
const REST_SECONDS = 60;
/** In milliseconds: of the answers to a probe beside the flood, and of one request on the event loop. */
const PROBE_LIMIT = 200;
const STALL_LIMIT = 100;
/** A stall counts only if each of so many tries shows it. */
const TRIES = 3;

/**
 * First single requests that take time. Then floods of clients without a key, beside a customer who searches and adds: uploads that
 * are held and not finished, bodies in chunks of one byte, and pipelined requests whose answers are not read. Times are divided by how much longer than its processor time this
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
    const held = await flood(service, customer, { kind: 'held' }, run);
    const oneByteChunks = await flood(service, customer, { kind: 'one-byte chunks' }, run);
    const pipelined: Record<string, object> = {};
    pipelined['all together'] = await flood(service, customer, { kind: 'pipelined', targets: openTargets }, run);
    for (const target of openTargets)
      pipelined[target] = await flood(service, customer, { kind: 'pipelined', targets: [target], share: 0.25 }, run);
    return { stallsMs, held, oneByteChunks, pipelined };
  },
});

interface Flood {
  readonly kind: 'held' | 'one-byte chunks' | 'pipelined';
  readonly targets?: readonly string[];
  /** Of the usual length. */
  readonly share?: number;
}

/** What the flood does to the probe, to the customer and to the memory. */
async function flood(
  service: Service,
  customer: () => Promise<string[]>,
  { kind, targets = [], share = 1 }: Flood,
  { size, expect }: Run<'SOSIA_BODIES_SECONDS'>,
) {
  const name = [kind, ...targets.slice(0, 2)].join(' ');
  const before = service.memory().main;
  const flooder = startFlood(service, kind, targets);
  const start = performance.now();
  const goesOn = (): boolean => {
    const usual = (performance.now() - start) / 1000 / (share * size.SOSIA_BODIES_SECONDS);
    return usual < 1 || (kind !== 'pipelined' && usual < LONGEST && flooder.sentMB() < ENOUGH_MB);
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
  const rest = await restOf(service, before);
  expect(growthMB <= GROWTH_LIMIT, `${name}: the service grew by ${growthMB} MB, expected at most ${GROWTH_LIMIT}`);
  expect(rest.growthMB <= REST_LIMIT, `${name}: after ${rest.seconds} s the service is ${rest.growthMB} MB larger`);
  expect(p99Ms <= PROBE_LIMIT, `${name}: probes took ${p99Ms} ms (p99), expected at most ${PROBE_LIMIT}`);
  expect(answered > 0, `${name}: no request of the customer was answered`);
  expect(failed.length === 0, `${name}: ${failed.length} requests of the customer failed: ${failed[0]}`);
  expect(flooded.contentMB >= 10, `${name}: the flood sent only ${flooded.contentMB} MB`);
  const probes = { count: latencies.length, p99Ms, slowdown: Math.round(slowdown * 10) / 10 };
  return { growthMB, rest, probes, customer: { answered, failed: failed.length }, flooded };
}

/** How much larger than before the service is, as soon as that is little, or a minute after the flood. */
async function restOf(service: Service, before: number): Promise<{ growthMB: number; seconds: number }> {
  for (let seconds = 0; ; seconds++) {
    const growthMB = Math.round(service.memory().main - before);
    if (growthMB <= REST_LIMIT || seconds >= REST_SECONDS) return { growthMB, seconds };
    await pause(1000);
  }
}

interface Flooded {
  readonly contentMB: number;
  readonly answers: object;
  /** Connections. */
  readonly ended: number;
}

function startFlood(service: Service, kind: Flood['kind'], targets: readonly string[]) {
  const script = fileURLToPath(import.meta.resolve('@sosia/testing/hostile/flood'));
  const args = [script, new URL(service.modify).port, String(CONNECTIONS), kind, ...targets];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let last: Flooded = { contentMB: 0, answers: {}, ended: 0 };
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
  return 1000 * (await service.metric('nodejs_eventloop_lag_max_seconds'));
}
