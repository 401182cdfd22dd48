import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { samplesFolder } from '@sosia/fixtures';
import type { Server } from '@sosia/testing/service/server';
import { createApplication, startServer } from '@sosia/testing/service/server';
import { mean, quantile } from '@sosia/testing/statistics';
import { ask } from '../ask.ts';
import type { GateResult } from '../gate.ts';
import { sizeOf } from '../gate.ts';
import { stallingRequests } from './stalling-requests.ts';

const CONNECTIONS = 64;
/** A flood goes on until so much was sent, of which 43 MB wait in the system for the server, but at most so many times its usual length. */
const ENOUGH_MB = 55;
const LONGEST = 4;
/** Most by which the server process may grow at its peak, in MB. */
const GROWTH_LIMIT = 300;
/** Milliseconds: of the answers to a probe beside the flood, and of one request on the event loop. */
const PROBE_LIMIT = 200;
const STALL_LIMIT = 100;
/** Processor time of one look at how busy the machine is, in milliseconds. */
const LOOK = 4;
/** A stall is the request's own only if each of so many tries shows it. */
const TRIES = 3;

/**
 * Bodies made to take memory and time, from clients without a key, beside a customer who searches and adds. First single
 * requests: none may hold up the event loop. Then uploads that are held and not finished, then bodies in chunks of one
 * byte: memory stays bounded, the probe is answered in time, and the customer is never refused. Times are divided by how
 * much longer than its processor time this process takes, so that other work on the machine does not count.
 */
export async function run(): Promise<GateResult> {
  const data = mkdtempSync(join(tmpdir(), 'sosia-bodies-'));
  const key = createApplication(data, 'media-matching');
  const server = await startServer(data);
  const seconds = sizeOf('SOSIA_BODIES_SECONDS', { usual: 12, whole: 120 });
  const faults: string[] = [];
  try {
    const customer = new Customer(server, key);
    await customer.warmUp();

    const stalls = await stallsOf(server, key);
    for (const [name, ms] of Object.entries(stalls)) {
      if (ms > STALL_LIMIT) faults.push(`${name} held up the event loop for ${ms} ms`);
    }

    const phases: Record<string, object> = {};
    for (const kind of ['held', 'one-byte chunks']) {
      const phase = await beside(server, customer, kind, seconds);
      phases[kind] = phase.figures;
      faults.push(...phase.faults.map((fault) => `${kind}: ${fault}`));
    }
    return { passed: faults.length === 0, figures: { stallsMs: stalls, ...phases, faults } };
  } finally {
    await server.stop();
    rmSync(data, { recursive: true });
  }
}

/** What the flood does to the probe, to the customer and to the memory. */
async function beside(server: Server, customer: Customer, kind: string, seconds: number) {
  const before = server.memory().main;
  const flood = startFlood(server, kind);
  const start = performance.now();
  const goesOn = (): boolean => {
    const usual = (performance.now() - start) / 1000 / seconds;
    return usual < 1 || (usual < LONGEST && flood.sentMB() < ENOUGH_MB);
  };
  let peak = 0;
  const sampling = (async () => {
    for (; goesOn(); await sleep(10)) peak = Math.max(peak, server.memory().main);
  })();
  const [{ latencies, slowdown }, requests] = await Promise.all([
    probe(server, goesOn),
    customer.workWhile(goesOn),
    sampling,
  ]);
  const flooded = await flood.stop();

  const growth = Math.round(peak - before);
  const probeP99 = Math.round(quantile(latencies, 0.99) / slowdown);
  const faults: string[] = [];
  if (!(growth <= GROWTH_LIMIT)) faults.push(`the server grew by ${growth} MB, expected at most ${GROWTH_LIMIT}`);
  if (!(probeP99 <= PROBE_LIMIT)) faults.push(`probes took ${probeP99} ms (p99), expected at most ${PROBE_LIMIT}`);
  if (requests.answered === 0) faults.push('no request of the customer was answered');
  if (requests.refused.length > 0) faults.push(`${requests.refused.length} requests refused: ${requests.refused[0]}`);
  if (flooded.contentMB < 10) faults.push(`the flood sent only ${flooded.contentMB} MB`);
  const customers = { answered: requests.answered, refused: requests.refused.length };
  const probes = { count: latencies.length, p99Ms: probeP99, slowdown: Math.round(slowdown * 10) / 10 };
  return { faults, figures: { growthMB: growth, probes, customers, flooded } };
}

interface Flooded {
  readonly contentMB: number;
  readonly answers: object;
}

function startFlood(server: Server, kind: string) {
  const script = fileURLToPath(new URL('./flood.js', import.meta.url));
  const args = [script, new URL(server.modify).port, String(CONNECTIONS), kind];
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

/** Milliseconds of each answer; one that does not come counts as infinitely many. */
async function probe(server: Server, goesOn: () => boolean): Promise<{ latencies: number[]; slowdown: number }> {
  const latencies: number[] = [];
  const looks: number[] = [];
  while (goesOn()) {
    const start = performance.now();
    const answered = await fetch(`${server.query}/healthz`).then(
      (response) => response.text().then(() => response.ok),
      () => false,
    );
    latencies.push(answered ? performance.now() - start : Infinity);
    looks.push(slowdownNow());
    await sleep(20);
  }
  return { latencies, slowdown: mean(looks) };
}

/** How many times longer than its processor time this process takes; 1 on a machine with nothing else to do. */
function slowdownNow(): number {
  const [start, used] = [performance.now(), process.cpuUsage()];
  for (;;) {
    const { user, system } = process.cpuUsage(used);
    const ms = (user + system) / 1000;
    if (ms >= LOOK) return Math.max(1, (performance.now() - start) / ms);
  }
}

/** Somebody with a key, whose requests are clean. */
class Customer {
  readonly #server: Server;
  readonly #key: string;
  readonly #picture = readFileSync(join(samplesFolder, 'kodim01.jpg'));
  #added = 0;

  constructor(server: Server, key: string) {
    this.#server = server;
    this.#key = key;
  }

  async warmUp(): Promise<void> {
    for (let i = 0; i < 5; i++) await this.#work();
  }

  async workWhile(goesOn: () => boolean): Promise<{ answered: number; refused: string[] }> {
    let answered = 0;
    const refused: string[] = [];
    while (goesOn()) {
      for (const answer of await this.#work()) {
        if (answer === undefined) answered++;
        else refused.push(answer);
      }
    }
    return { answered, refused };
  }

  /** One added, one searched; undefined for each that went well, or what was answered. */
  async #work(): Promise<(string | undefined)[]> {
    const picture = { application_key: this.#key, image_content: this.#picture };
    const asked = [
      ask(this.#server, 'modify/AddImage', { image_id: `customer-${this.#added++}`, ...picture }),
      ask(this.#server, 'query/SearchImageByUpload', picture),
    ];
    const settled = await Promise.allSettled(asked);
    return settled.map((each) => {
      if (each.status === 'rejected') return String(each.reason);
      return each.value.status.code === 0 ? undefined : each.value.status.message;
    });
  }
}

/** The longest delay of the event loop, in milliseconds, during each request alone; the least of some tries. */
async function stallsOf(server: Server, key: string): Promise<Record<string, number>> {
  const stalls: Record<string, number> = {};
  for (const { name, send } of stallingRequests(server, key)) {
    let least = Infinity;
    for (let i = 0; i < TRIES && least > STALL_LIMIT / 2; i++) {
      const looks = [slowdownNow(), slowdownNow(), slowdownNow()];
      await stallSinceLastAsked(server);
      await send();
      const stall = await stallSinceLastAsked(server);
      looks.push(slowdownNow(), slowdownNow(), slowdownNow());
      least = Math.min(least, stall / mean(looks));
    }
    stalls[name] = Math.round(least);
  }
  return stalls;
}

async function stallSinceLastAsked(server: Server): Promise<number> {
  await sleep(50); // a delay is noted when its timer fires, after it
  const text = await (await fetch(`${server.modify}/metrics`)).text();
  const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1];
  if (seconds === undefined) throw new Error('expected the delay of the event loop among the metrics');
  return Number(seconds) * 1000;
}
