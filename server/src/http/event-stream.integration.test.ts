import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { json, text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Application } from '../applications/application.ts';
import { errors } from '../errors.ts';
import type { Reviews } from '../review/reviews.ts';
import type { StoredEvent } from '../store/store.ts';
import { callersOf } from './callers.test.kit.ts';
import { type Http, startHttp } from './http.ts';
import type { Limits } from './limits.ts';
import { log, until } from './transport.test.kit.ts';

const path = '/api/v2.0/review/json/ListEvents';
const application = (name: string) => ({ record: { number: 1, name } }) as Application;
const applications: Record<string, Application> = { own: application('own'), other: application('other') };

/** Followers of the events, in the place of what the service has. */
class Followed {
  /** The numbers behind which each one began. */
  readonly begun: number[] = [];
  left = 0;
  /** What each follower gets, until it leaves; then an empty page each 10 ms. */
  pages: StoredEvent[][] = [];

  readonly reviews = {
    events: {
      after: async () => [],
      follow: (_: Application, after: number, signal: AbortSignal) => this.#follow(after, signal),
    },
  } as unknown as Reviews;

  async *#follow(after: number, signal: AbortSignal): AsyncGenerator<StoredEvent[]> {
    this.begun.push(after);
    try {
      yield* this.pages;
      while (!signal.aborted) {
        await pause(10);
        yield [];
      }
    } finally {
      this.left++;
    }
  }
}

async function opened(t: TestContext, followed: Followed, limits: Partial<Limits> = {}): Promise<Http> {
  const http = await startHttp(
    callersOf((key) => applications[key]),
    {
      ...{ host: '127.0.0.1', modifyPort: 0, queryPort: 0, log, reviews: followed.reviews },
      limits: { stopGrace: 0, stopLinger: 0, writeTimeout: 2000, ...limits },
    },
  );
  t.after(() => http.close());
  return http;
}

async function stream(
  http: Http,
  query = 'application_key=own',
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  const sent = get(`http://127.0.0.1:${http.modifyPort}${path}?${query}`, {
    headers: { accept: 'text/event-stream', ...headers },
    agent: false,
  });
  sent.on('error', () => {}); // of a response that is destroyed
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}
const codeOf = async (response: IncomingMessage): Promise<number> => ((await json(response)) as any).status.code;
const event = (number: number, info = ''): StoredEvent => ({
  ...{ number, search: 's', watched: 'w', image: `i${number}`, at: '2026-01-01T00:00:00.000Z', score: 0 },
  ...{ similarity: 100, decision: 'Clone', info, count: 1, repeats: [] },
});

test('a stream has each event with its number, a comment where there is none, and begins where the client says', async (t) => {
  const followed = new Followed();
  followed.pages = [[event(4), event(5)], [event(6)]];
  const http = await opened(t, followed);
  const response = await stream(http);
  const { headers, statusCode } = response;
  assert.deepEqual(
    [statusCode, headers['content-type'], headers.connection, headers['x-accel-buffering'], headers['cache-control']],
    [200, 'text/event-stream', 'close', 'no', 'no-store'],
  );
  assert.match(String(headers['x-request-id']), /^[0-9a-f]{8}-\d+$/);
  let said = '';
  response.setEncoding('utf8').on('data', (part: string) => (said += part));
  await until(async () => said.endsWith(':\n\n:\n\n'));
  response.destroy();
  const [first, second, third, ...comments] = said.split('\n\n');
  for (const [block, number] of [
    [first, 4],
    [second, 5],
    [third, 6],
  ] as const) {
    // prettier-ignore
    const [, id, data] = /^id: (\d+)\ndata: (.*)$/.exec(block!)!;
    assert.deepEqual([id, JSON.parse(data!).image_id], [String(number), `i${number}`]);
  }
  assert.ok(comments.slice(0, -1).every((block) => block === ':'));
  for (const [query, sent, after] of [
    ['application_key=own&after=7', {}, 7],
    ['application_key=own&after=7', { 'last-event-id': '9' }, 9],
    ['application_key=own', { 'last-event-id': '' }, 0],
  ] as const) {
    (await stream(http, query, sent)).destroy();
    await until(async () => followed.begun.at(-1) === after);
  }
  await until(async () => followed.left === 4);
});

test('what refuses the operation refuses the stream by the usual answer, and without its type the list is answered', async (t) => {
  const followed = new Followed();
  const http = await opened(t, followed);
  assert.equal(await codeOf(await stream(http, 'application_key=none')), errors.UNKNOWN_APPLICATION.code);
  assert.equal(await codeOf(await stream(http, 'application_key=own&after=x')), errors.BAD_PARAMETER.code);
  const listed = await stream(http, 'application_key=own', { accept: 'application/json' });
  assert.equal(await codeOf(listed), 0);
  assert.deepEqual(followed.begun, []);
});

test('as many streams as there may be are no leak of listeners', async (t) => {
  const said: Error[] = [];
  const note = (warning: Error): void => void said.push(warning);
  process.on('warning', note);
  t.after(() => process.off('warning', note));
  const followed = new Followed();
  const http = await opened(t, followed);
  const streams = [];
  for (let i = 0; i < 12; i++) streams.push(await stream(http));
  await until(async () => followed.begun.length === 12);
  for (const each of streams) each.destroy();
  await until(async () => followed.left === 12);
  assert.deepEqual(said, []);
});

test('an application has at most half of the streams, one of which is free when it is closed', async (t) => {
  const http = await opened(t, new Followed(), { streams: 4 });
  const allowed = async (key = 'own') => {
    const response = await stream(http, `application_key=${key}`);
    if (response.headers['content-type'] === 'text/event-stream') return response;
    assert.equal(await codeOf(response), errors.OVERLOADED.code);
    return undefined;
  };
  let next: IncomingMessage | undefined;
  const again = () => until(async () => (next = await allowed()) !== undefined);
  for (let round = 0; round < 3; round++) {
    await again();
    const both = [next, await allowed()];
    assert.ok(both[1], `round ${round}`);
    assert.equal(await allowed(), undefined, `round ${round}`);
    both[0]!.destroy();
    await again(); // once the service has noticed it
    assert.equal(await allowed(), undefined, `round ${round}`);
    for (const each of [both[1], next]) each!.destroy();
    const other = await allowed('other');
    assert.ok(other, 'of another application');
    other.destroy();
    await pause(50);
  }
});

test('a stream ends with the right of its key, and with the service, cleanly', async (t) => {
  const followed = new Followed();
  const http = await opened(t, followed);
  const response = await stream(http);
  await until(async () => followed.begun.length === 1);
  const { own } = applications;
  applications['own'] = undefined as never;
  assert.match(await text(response), /^(:\n\n)*$/);
  assert.equal(response.complete, true);
  applications['own'] = own!;
  await until(async () => followed.left === 1);
  const last = await stream(http);
  const ended = text(last);
  await http.close();
  await ended;
  assert.deepEqual([last.complete, followed.left], [true, 2]);
});

test('a client that does not read for the write timeout is cut off, one that reads is not', async (t) => {
  const followed = new Followed();
  followed.pages = Array.from({ length: 40 }, (_, i) => [event(i + 1, 'x'.repeat(1_000_000))]);
  const http = await opened(t, followed, { writeTimeout: 300 });
  const reading = await stream(http);
  let bytes = 0;
  reading.on('data', (part: Buffer) => (bytes += part.length));
  const idle = await stream(http);
  idle.on('error', () => {});
  await until(async () => bytes > 40_000_000);
  await until(async () => followed.left === 1);
  await pause(500);
  assert.deepEqual([followed.left, reading.destroyed], [1, false]);
  reading.destroy();
  idle.destroy();
});
