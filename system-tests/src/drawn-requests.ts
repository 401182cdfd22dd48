import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { drawnRequest, type DrawnRequest } from '@sosia/testing/hostile/drawn-requests';
import { randomFor } from '@sosia/testing/pictures/random';
import { sampleFile } from '@sosia/testing/service/samples';
import type { Service } from '@sosia/testing/service/service';
import { systemTest } from '@sosia/testing/harness/system-test';

/** Processor time of the event loop between a probe and its answer, in milliseconds. */
const STALL_LIMIT = 100;
/** A stall counts only if each of so many tries shows it: the garbage collector may run in one. */
const TRIES = 3;
/** By how much the service may grow, in MB: at most, and a minute after. */
const GROWTH_LIMIT = 300;
const REST_LIMIT = 50;
const REST_SECONDS = 60;
/** Requests before the memory is taken as a base. */
const WARM = 10;

/**
 * Requests drawn by chance, one at a time, beside probes of `/healthz`. What counts is the processor time of the event loop
 * while a probe waits, so that other work on the machine does not count.
 */
export default systemTest({
  name: 'drawn-requests',
  promise:
    'No request of any size and form stops the event loop for more than 100 ms, and the memory of requests is bounded.',
  sizes: { SOSIA_REQUESTS: { usual: 300, whole: 5_000 } },
  async run({ seed, size, start, expect }) {
    const service = await start();
    const key = service.createApplication('media-matching');
    for (let i = 0; i < 50; i++) await service.client(key).add(`picture-${i}`, sampleFile('kodim01.jpg'));
    const random = randomFor('drawn-requests', seed);
    let [before, peak, longest] = [Infinity, 0, 0];
    let costliest = '';
    let stalls = 0;
    for (let i = 0; i < size.SOSIA_REQUESTS && !service.crashed(); i++) {
      if (i === WARM) before = service.memory().main;
      const request = drawnRequest(random, key);
      let least = Infinity;
      for (let n = 0; n < TRIES && least > STALL_LIMIT / 2; n++)
        least = Math.min(least, await stallOf(service, request));
      peak = Math.max(peak, service.memory().main);
      if (least > longest) [longest, costliest] = [least, request.name];
      if (least > STALL_LIMIT) stalls++;
      expect(least <= STALL_LIMIT, `request ${i} stopped the event loop for ${Math.round(least)} ms: ${request.name}`);
    }
    expect(!service.crashed(), 'the service ended');
    const growthMB = Math.round(peak - before);
    expect(growthMB <= GROWTH_LIMIT, `the service grew by ${growthMB} MB`);
    let rest = service.memory().main - before;
    for (let seconds = 0; rest > REST_LIMIT && seconds < REST_SECONDS; seconds++) {
      await pause(1000);
      rest = service.memory().main - before;
    }
    expect(rest <= REST_LIMIT, `a minute later the service is ${Math.round(rest)} MB larger`);
    return {
      requests: size.SOSIA_REQUESTS,
      stalls,
      longestMs: Math.round(longest),
      costliest,
      growthMB,
      restMB: Math.round(rest),
    };
  },
});

/** The most processor time of the event loop between a probe and its answer while the request is sent and answered. */
async function stallOf(service: Service, request: DrawnRequest): Promise<number> {
  let over = false;
  let longest = 0;
  const probe = async (): Promise<void> => {
    do {
      const begin = service.mainThreadMs();
      await fetch(`${service.query}/healthz`).then((response) => response.text());
      longest = Math.max(longest, service.mainThreadMs() - begin);
    } while (!over);
  };
  const probing = probe();
  const port = Number(new URL(request.name.includes('/enginequery/') ? service.query : service.modify).port);
  await exchange(port, request);
  over = true;
  await probing;
  return longest;
}

/** Ends when no answer has come for a while. A client that reads nothing leaves after a moment. */
function exchange(port: number, { bytes, reads }: DrawnRequest): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(bytes));
    const quiet = setTimeout(() => socket.destroy(), reads === 'all' ? 10_000 : 700);
    socket.on('error', () => {}); // 'close' follows
    socket.on('close', () => {
      clearTimeout(quiet);
      resolve();
    });
    if (reads === 'nothing') socket.pause();
    else
      socket.on('data', () => {
        if (reads === 'all') setTimeout(() => socket.destroy(), 150);
        else {
          socket.pause();
          setTimeout(() => socket.resume(), 20);
        }
      });
  });
}
