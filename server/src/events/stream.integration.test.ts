import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Family } from '@sosia/contract';
import { createApplication } from '../applications/create.ts';
import { errors } from '../errors.ts';
import type { RunningServer } from '../main.ts';
import { askServer, photograph, startServerOn } from '../service.test.kit.ts';
import type { Values } from '../service.test.kit.ts';
import { openApplicationStore } from '../store/application-store.ts';
import { openDatabase } from '../store/database.ts';
import { eventWriter } from '../store/event-table.ts';
import { recordWriter } from '../store/record-table.ts';
import { imageSchema } from '../store/schema.ts';

type Ports = Pick<RunningServer, 'modifyPort' | 'queryPort'>;

const home = mkdtempSync(join(tmpdir(), 'sosia-stream-'));
const data = join(home, 'data');
const keys: Record<string, string> = {};
let server: RunningServer;
let administratorKey: string;

before(async () => {
  server = await startServerOn(data);
  administratorKey = server.administratorKey!;
  const store = openApplicationStore(data);
  for (const name of ['followed', 'revoked', 'disabled', 'slow', 'killed'])
    keys[name] = createApplication(store, { type: 'media-matching', name }).key;
  store.close();
});
after(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

async function ask(of: Ports, family: Family, operation: string, values: Values): Promise<any> {
  const send = () => askServer(of, family, operation, values);
  let answer = await send();
  while (answer.status.code === errors.OVERLOADED.code) answer = await send(); // on a busy machine
  assert.equal(answer.status.code, 0, `${operation}: ${answer.status.message}`);
  return answer;
}

/** Saves searches for a photograph, so that each copy is an event of every one. */
async function watch(of: Ports, name: string, photo: number, count: number): Promise<void> {
  const application_key = keys[name]!;
  const image_content = await photograph(photo);
  await ask(of, 'enginemodify', 'AddImage', { application_key, image_id: `${photo}`, image_content });
  for (let i = 0; i < count; i++)
    await ask(of, 'review', 'SaveSearch', { application_key, search_id: `${photo} ${i}`, query_id: `${photo}` });
}

async function add(of: Ports, name: string, photo: number): Promise<void> {
  const values = { image_id: `copy of ${photo}`, image_content: await photograph(photo) };
  await ask(of, 'enginemodify', 'AddImage', { application_key: keys[name]!, ...values });
}

/** What a stream has brought, by its ids. */
class Stream {
  readonly ids: number[] = [];
  readonly events: unknown[] = [];
  comments = 0;
  /** Resolves when the stream has ended: cleanly, or with the connection. */
  readonly ended: Promise<'cleanly' | 'cut off'>;
  readonly #response: IncomingMessage;

  private constructor(response: IncomingMessage) {
    this.#response = response;
    const ended = () => (response.complete ? 'cleanly' : 'cut off');
    this.ended = this.#read().then(ended, ended);
  }

  static async open(of: Ports, key: string, query = '', headers: Record<string, string> = {}): Promise<Stream> {
    const response = await request(of, key, query, headers);
    assert.equal(response.headers['content-type'], 'text/event-stream');
    return new Stream(response);
  }

  async has(count: number): Promise<void> {
    while (this.ids.length < count) await pause(20);
  }

  async reaches(id: number): Promise<void> {
    while (!((this.ids.at(-1) ?? 0) >= id)) await pause(1);
  }

  async #read(): Promise<void> {
    let text = '';
    for await (const piece of this.#response.setEncoding('utf8')) {
      const blocks = (text += piece).split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) {
        if (block.startsWith(':')) this.comments++;
        const [, id, event] = /^id: (\d+)\ndata: (.*)$/.exec(block) ?? [];
        if (id === undefined) continue;
        this.ids.push(Number(id));
        this.events.push(JSON.parse(event!));
      }
    }
  }
}

async function request(of: Ports, key: string, query: string, headers: Record<string, string>) {
  const sending = get(`http://127.0.0.1:${of.modifyPort}/api/v2.0/review/json/ListEvents?${query}`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${key}`, ...headers },
  });
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  return response;
}

const upTo = (last: number, first = 1): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i);

test('a stream has the events of now and those to come, as ListEvents has them, from the id on that is known', async () => {
  const key = keys['followed']!;
  await watch(server, 'followed', 1, 3);
  await add(server, 'followed', 1);
  const all = await Stream.open(server, key);
  const behind = await Stream.open(server, key, 'after=2');
  const resumed = await Stream.open(server, key, 'after=1', { 'last-event-id': '3' });
  await watch(server, 'followed', 2, 2);
  await add(server, 'followed', 2);
  await Promise.all([all.has(5), behind.has(3), resumed.has(2)]);
  assert.deepEqual([all.ids, behind.ids, resumed.ids], [upTo(5), upTo(5, 3), upTo(5, 4)]);
  assert.deepEqual(all.events, (await ask(server, 'review', 'ListEvents', { application_key: key })).events);
  while (all.comments < 2) await pause(100);
});

test('what refuses the list refuses the stream, with the usual answer', async () => {
  for (const [error, key, query, headers] of [
    ['UNKNOWN_APPLICATION', 'none', '', {}],
    ['BAD_PARAMETER', keys['followed']!, 'after=x', {}],
    ['BAD_PARAMETER', keys['followed']!, '', { 'last-event-id': 'x' }],
  ] as const) {
    const answer = await request(server, key, query, headers);
    assert.equal(answer.headers['content-type'], 'application/json');
    assert.equal(((await json(answer)) as any).status.code, errors[error].code);
  }
});

test('a stream ends when its key is revoked, and when its application is disabled; nothing is sent from then on', async () => {
  const administer = (operation: string, values: Values) =>
    ask(server, 'administration', operation, { application_key: administratorKey, ...values });
  const { key, secret } = await administer('CreateKey', { application: 'revoked', name: 'reader', scopes: 'search' });
  const revoked = await Stream.open(server, secret);
  const other = await Stream.open(server, keys['revoked']!);
  await administer('RevokeKey', { application: 'revoked', key: key.id });
  await watch(server, 'revoked', 3, 1);
  await add(server, 'revoked', 3);
  await other.has(1);
  assert.equal(await revoked.ended, 'cleanly');
  assert.deepEqual(revoked.ids, []);

  const disabled = await Stream.open(server, keys['disabled']!);
  await administer('SetApplication', { application: 'disabled', enabled: 0 });
  assert.equal(await disabled.ended, 'cleanly');
});

test('a client that does not read is cut off, and one that reads is not', async () => {
  const store = openApplicationStore(data);
  const { number } = store.list().find(({ name }) => name === 'slow')!;
  store.close();
  const database = openDatabase(join(data, 'images.db'), imageSchema);
  const write = eventWriter(database, recordWriter(database));
  const event = {
    search: 's',
    watched: 'w',
    at: new Date().toISOString(),
    score: 0,
    similarity: 100,
    decision: 'Clone',
  };
  const info = 'x'.repeat(100_000);
  for (let i = 0; i < 300; i++) write(number, [{ ...event, key: `${i}`, image: `${i}`, info }]);
  database.close();
  const reading = await Stream.open(server, keys['slow']!);
  const socket = connect(server.modifyPort, '127.0.0.1').pause();
  const path = `/api/v2.0/review/json/ListEvents?application_key=${keys['slow']!}`;
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n`);
  let failed = false;
  socket.on('error', () => (failed = true));
  while (!failed) {
    socket.write('x');
    await pause(200);
  }
  assert.equal(await Promise.race([reading.ended, pause(500, 'open')]), 'open');
  assert.deepEqual(reading.ids, upTo(300));
});

test('a stopping service ends its streams cleanly, and a stream that is resumed after a kill has each event once, in order', async () => {
  const stopped = await Stream.open(server, keys['followed']!);
  await stopped.has(5);
  await server.close();
  assert.equal(await stopped.ended, 'cleanly');

  const key = keys['killed']!;
  const seen: number[] = [];
  let { child, ...ports } = await start();
  for (const photo of [4, 5, 6]) {
    await watch(ports, 'killed', photo, 100);
    const resume = { 'last-event-id': String(seen.at(-1) ?? 0) };
    const stream = await Stream.open(ports, key, '', resume);
    const adding = add(ports, 'killed', photo).catch(() => {});
    await stream.reaches(100 * (photo - 4) + 1);
    child.kill('SIGKILL');
    assert.equal(await stream.ended, 'cut off');
    await adding;
    seen.push(...stream.ids);
    ({ child, ...ports } = await start());
  }
  const stream = await Stream.open(ports, key, '', { 'last-event-id': String(seen.at(-1)) });
  await stream.has(300 - seen.length); // all may have come before the last kill
  assert.deepEqual([...seen, ...stream.ids], upTo(300));
  child.kill('SIGKILL');
  await once(child, 'exit');
  server = await startServerOn(data);
});

/** The service as a process of its own, which a signal can kill. */
async function start(): Promise<Ports & { readonly child: ChildProcess }> {
  const kit = new URL('../service.test.kit.js', import.meta.url).href;
  const program = `
    const { startServerOn } = await import(${JSON.stringify(kit)});
    const { modifyPort, queryPort } = await startServerOn(${JSON.stringify(data)});
    console.log(JSON.stringify({ modifyPort, queryPort }));`;
  const file = join(home, 'service.mjs');
  writeFileSync(file, program);
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, ...JSON.parse(line) };
}
