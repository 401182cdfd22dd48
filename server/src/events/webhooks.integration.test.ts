import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Family } from '@sosia/contract';
import { createApplication } from '../applications/create.ts';
import { errors } from '../errors.ts';
import { askServer, photograph } from '../service.test.kit.ts';
import type { Values } from '../service.test.kit.ts';
import { openApplicationStore } from '../store/application-store.ts';
import { openDatabase } from '../store/database.ts';
import { EVENT_KIND } from '../store/event-records.ts';
import { recordReader, recordWriter } from '../store/record-table.ts';
import { imageSchema } from '../store/schema.ts';
import { PROGRESS_KIND } from './stored.ts';
import type { Progress } from './stored.ts';

interface Received {
  readonly id: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly event: { readonly id: number; readonly image_id: string };
}

/** What a receiver does with a request. */
type Manner = 'takes' | 'thinks' | 'is down' | 'hangs' | 'refuses' | 'redirects' | 'wants no more';
const statuses: Partial<Record<Manner, number>> = {
  takes: 204,
  thinks: 204,
  refuses: 500,
  redirects: 307,
  'wants no more': 410,
};

/** Of the service. */
const limits = { total: 1500, silence: 1000 };

const home = mkdtempSync(join(tmpdir(), 'sosia-webhooks-'));
const data = join(home, 'data');
const received = new Map<string, Received[]>();
const manners = new Map<string, Manner>();
const receiver = createServer((request, response) => {
  const path = request.url!.slice(1);
  void (async () => {
    const body = Buffer.concat(await request.toArray()).toString();
    const manner = manners.get(path) ?? 'takes';
    const status = statuses[manner];
    if (manner === 'is down') request.destroy();
    if (manner === 'takes') {
      const all = received.get(path) ?? [];
      const { headers } = request;
      received.set(path, [...all, { id: String(headers['webhook-id']), headers, body, event: JSON.parse(body).data }]);
    }
    if (manner === 'thinks') await pause(1.25 * limits.silence);
    if (status !== undefined) response.writeHead(status, { location: '/elsewhere' }).end();
  })();
}).listen(0, '127.0.0.1');

let service: { readonly process: ChildProcess; readonly modifyPort: number; readonly queryPort: number };
let administratorKey: string;
const keys: Record<string, string> = {};
let port: number;

before(async () => {
  await once(receiver, 'listening');
  ({ port } = receiver.address() as AddressInfo);
  ({ administratorKey } = await start());
  const store = openApplicationStore(data);
  for (const name of [
    'signed',
    'faulty',
    'killed',
    'disabled',
    'enabled',
    'patient',
    'damaged',
    'managed',
    'other',
    'thinks',
  ])
    keys[name] = createApplication(store, { type: 'media-matching', name }).key;
  store.close();
});
after(async () => {
  service.process.kill('SIGKILL');
  receiver.closeAllConnections();
  receiver.close();
  rmSync(home, { recursive: true });
});

/** A process of its own, which a signal can kill. The receiver alone is reached, as web.example. */
async function start(): Promise<{ readonly administratorKey: string }> {
  const kit = new URL('../service.test.kit.js', import.meta.url).href;
  const program = `
    const { startServerOn } = await import(${JSON.stringify(kit)});
    const fetching = { exempt: new Set(['127.0.0.1:${port}']), resolve: async () => ['127.0.0.1'], limits: ${JSON.stringify(limits)} };
    const { close, ...shown } = await startServerOn(${JSON.stringify(data)}, { fetch_hosts: '*:${port}' }, { fetching });
    console.log(JSON.stringify(shown));`;
  const file = join(home, 'service.mjs');
  writeFileSync(file, program);
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  service = { process: child, ...JSON.parse(line) };
  return JSON.parse(line);
}

async function kill(): Promise<void> {
  service.process.kill('SIGKILL');
  await once(service.process, 'exit');
}

async function ask(name: string, family: Family, operation: string, values: Values = {}): Promise<any> {
  const answer = await askServer(service, family, operation, { application_key: keys[name]!, ...values });
  assert.equal(answer.status.code, 0, `${operation}: ${answer.status.message}`);
  return answer;
}

async function refusal(name: string, operation: string, values: Values = {}): Promise<number> {
  return (await askServer(service, 'review', operation, { application_key: keys[name]!, ...values })).status.code;
}

const hook = (name: string, webhook_id: string, values: Values = {}) =>
  ask(name, 'review', 'AddWebhook', { webhook_id, url: `http://web.example:${port}/${webhook_id}`, ...values });

const stateOf = async (name: string, id: string): Promise<any> =>
  (await ask(name, 'review', 'ListWebhooks')).webhooks.find((each: { id: string }) => each.id === id);

/** Saves searches for a photograph, and adds it: one event for each. */
async function events(name: string, photo: number, ...searches: string[]): Promise<void> {
  const image_content = await photograph(photo);
  for (const search_id of searches) await ask(name, 'review', 'SaveSearch', { search_id, image_content });
  await ask(name, 'enginemodify', 'AddImage', { image_id: `${photo}.jpg`, image_content });
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(50);
}

const idsOf = (path: string): number[] => (received.get(path) ?? []).map(({ event }) => event.id);

test('each event is sent once, in order, signed by each secret that holds', async () => {
  await events('signed', 1, 'before');
  const { webhook, secret } = (await hook('signed', 'archive')) as { webhook: any; secret: string };
  assert.deepEqual([webhook.state, webhook.position, webhook.waiting], ['sending', 1, 0]);
  await events('signed', 2, 'a', 'b', 'c');
  await until(() => idsOf('archive').length === 3);
  const rotate = async (): Promise<string> =>
    (await ask('signed', 'review', 'RotateWebhookSecret', { webhook_id: 'archive' })).secret;
  const holding = [await rotate(), await rotate()].reverse().concat(secret);
  await events('signed', 3, 'd');
  await until(() => idsOf('archive').length === 4);
  assert.deepEqual(idsOf('archive'), [2, 3, 4, 5]);

  const listed = (await ask('signed', 'review', 'ListEvents', { after: 1 })).events;
  const sent = received.get('archive')!;
  assert.deepEqual(
    sent.map(({ event }) => event),
    listed,
  );
  assert.equal(new Set(sent.map(({ id }) => id)).size, 4);
  const signatures = (key: string, { id, headers, body }: Received): string => {
    const hmac = createHmac('sha256', Buffer.from(key.slice('whsec_'.length), 'base64'));
    return `v1,${hmac.update(`${id}.${String(headers['webhook-timestamp'])}.${body}`).digest('base64')}`;
  };
  const [first, last] = [sent[0]!, sent[3]!];
  assert.equal(first.headers['webhook-signature'], signatures(secret, first));
  assert.equal(last.headers['webhook-signature'], holding.map((each) => signatures(each, last)).join(' '));
  assert.equal(first.headers['content-type'], 'application/json');
  assert.equal(JSON.parse(first.body).type, 'picture.found');

  await hook('signed', 'archive', { after: 3 });
  await until(() => idsOf('archive').length === 6);
  assert.deepEqual(idsOf('archive').slice(4), [4, 5], 'those behind `after` again');
  assert.equal(received.get('archive')![4]!.id, sent[2]!.id, 'a repeated event has the same id');
});

test('a receiver that hangs, refuses, redirects or wants no more holds no other one back, and gets what it missed', async () => {
  for (const id of ['well', 'slow', 'broken', 'moved', 'closed']) await hook('faulty', id);
  for (const [id, manner] of [
    ['slow', 'hangs'],
    ['broken', 'refuses'],
    ['moved', 'redirects'],
    ['closed', 'wants no more'],
  ] as const)
    manners.set(id, manner);
  await events('faulty', 4, 'a', 'b');
  await until(() => idsOf('well').length === 2);
  for (const [id, state, fault] of [
    ['slow', 'failing', /no whole answer from web.example/],
    ['broken', 'failing', /answered 500/],
    ['moved', 'failing', /answered 307/],
    ['closed', 'dead', /answered 410/],
  ] as const) {
    await until(async () => (await stateOf('faulty', id)).state === state);
    const shown = await stateOf('faulty', id);
    assert.match(shown.fault, fault, id);
    assert.deepEqual([shown.position, shown.waiting], [0, 2], id);
  }
  manners.clear();
  for (const webhook_id of ['slow', 'broken', 'moved', 'closed']) {
    await ask('faulty', 'review', 'ResumeWebhook', { webhook_id });
    await until(() => idsOf(webhook_id).length === 2);
    assert.deepEqual(idsOf(webhook_id), [1, 2], webhook_id);
    await until(async () => (await stateOf('faulty', webhook_id)).state === 'sending');
  }
});

test('a receiver may use nearly all of its time', async () => {
  manners.set('thinker', 'thinks');
  await events('thinks', 8, 'a');
  await hook('thinks', 'thinker', { after: 0 });
  let shown = await stateOf('thinks', 'thinker');
  await until(async () => (shown = await stateOf('thinks', 'thinker')).fault !== undefined || shown.waiting === 0);
  assert.equal(shown.fault, undefined);
});

test('what a receiver missed is sent once within five seconds of its return, though the service was killed meanwhile', async () => {
  await hook('killed', 'newsroom');
  manners.set('newsroom', 'is down');
  await events('killed', 5, 'a', 'b');
  await until(async () => (await stateOf('killed', 'newsroom')).state === 'failing');
  await kill();
  await start();
  await events('killed', 6, 'c');
  await until(async () => (await stateOf('killed', 'newsroom')).state === 'failing');
  manners.delete('newsroom');
  const returned = Date.now();
  await until(() => idsOf('newsroom').length === 3);
  assert.ok(Date.now() - returned < 5000);
  assert.deepEqual(idsOf('newsroom'), [1, 2, 3]);
  await until(async () => (await stateOf('killed', 'newsroom')).waiting === 0);
  assert.equal((await stateOf('killed', 'newsroom')).state, 'sending');
});

test('what waits for the receiver of a disabled application is sent once the application is enabled', async () => {
  const enable = async (enabled: number): Promise<void> => {
    const values = { application_key: administratorKey, application: 'disabled', enabled };
    const answer = await askServer(service, 'administration', 'SetApplication', values);
    assert.equal(answer.status.code, 0, answer.status.message);
  };
  for (const name of ['disabled', 'enabled']) {
    await hook(name, `of-${name}`);
    manners.set(`of-${name}`, 'is down');
    await events(name, 8, 'a', 'b');
    await until(async () => (await stateOf(name, `of-${name}`)).state === 'failing');
  }
  await enable(0);
  manners.clear();
  await kill();
  await start();
  await until(() => idsOf('of-enabled').length === 2);
  await events('enabled', 9, 'c');
  await until(() => idsOf('of-enabled').length === 3);
  assert.deepEqual(idsOf('of-disabled'), []);
  await enable(1);
  await until(() => idsOf('of-disabled').length === 2);
  assert.deepEqual(idsOf('of-disabled'), [1, 2]);
});

test('the three days without success are those of all processes, and a start does not count them anew', async () => {
  const progress = (change?: (stored: Progress) => Progress): Progress => {
    const database = openDatabase(join(data, 'images.db'), imageSchema);
    const found = recordReader(database)
      .all()
      .find(({ kind, id }) => kind === PROGRESS_KIND && id === 'patient')!;
    const stored = JSON.parse(Buffer.from(found.body).toString());
    const body = change && Buffer.from(JSON.stringify(change(stored)));
    if (body) recordWriter(database).change(found.application, [{ kind: PROGRESS_KIND, id: 'patient', body }]);
    database.close();
    return stored;
  };
  await hook('patient', 'patient');
  manners.set('patient', 'is down');
  await events('patient', 10, 'a');
  await until(() => (progress().failingMs ?? 0) > 0);
  await kill();
  const before = progress((stored) => ({ ...stored, failingMs: stored.failingMs! + 3 * 24 * 3600 * 1000 - 2000 }));
  await start();
  await until(async () => (await stateOf('patient', 'patient')).state === 'dead');
  assert.equal((await stateOf('patient', 'patient')).failing_since, before.failingSince);
  manners.delete('patient');
  await ask('patient', 'review', 'ResumeWebhook', { webhook_id: 'patient' });
  await until(() => idsOf('patient').length === 1);
});

test('sound events behind a whole page of damaged ones are listed and sent', async () => {
  const image_content = await photograph(11);
  await ask('damaged', 'enginemodify', 'AddImage', { image_id: 'a', image_content });
  for (let i = 0; i < 70; i++) await ask('damaged', 'review', 'SaveSearch', { search_id: String(i), query_id: 'a' });
  await ask('damaged', 'enginemodify', 'AddImage', { image_id: 'b', image_content });
  const latest = (await ask('damaged', 'review', 'ListEvents', { nb_results: 1000 })).events.at(-1);
  assert.equal(latest.id, 70);
  await kill();
  const database = openDatabase(join(data, 'images.db'), imageSchema);
  const damaged = `kind = '${EVENT_KIND}' AND id < '000000000070' AND body LIKE '%"image":"b"%'`;
  database.exec(`UPDATE records SET crc = crc + 1 WHERE ${damaged}`);
  database.close();
  await start();
  for (const nb_results of [1, 50])
    assert.deepEqual((await ask('damaged', 'review', 'ListEvents', { nb_results })).events, [latest]);
  await hook('damaged', 'behind', { after: 0 });
  await until(() => idsOf('behind').length === 1);
  assert.deepEqual(idsOf('behind'), [70]);
});

test('webhooks are replaced and deleted by name; bad ones and those of other applications are refused', async () => {
  const { secret } = await hook('managed', 'archive');
  const again = await hook('managed', 'archive', { url: `http://web.example:${port}/other` });
  assert.equal(again.secret, secret, 'another address has the same secret');
  for (const [code, url] of [
    [errors.ADDRESS_REFUSED, 'file:///etc/passwd'],
    [errors.ADDRESS_REFUSED, `http://user:secret@web.example:${port}/`],
    [errors.ADDRESS_REFUSED, 'http://web.example:81/'],
    [errors.ADDRESS_REFUSED, 'no address'],
  ] as const)
    assert.equal(await refusal('managed', 'AddWebhook', { webhook_id: 'bad', url }), code.code, url);
  for (const operation of ['RotateWebhookSecret', 'ResumeWebhook', 'DeleteWebhook'])
    assert.equal(await refusal('other', operation, { webhook_id: 'archive' }), errors.UNKNOWN_WEBHOOK.code, operation);
  assert.equal((await ask('other', 'review', 'ListWebhooks')).nb_results_found, 0);

  for (let i = 1; i < 100; i++) await hook('managed', String(i));
  assert.equal(
    await refusal('managed', 'AddWebhook', { webhook_id: 'one more', url: `http://web.example:${port}/` }),
    errors.WEBHOOKS_FULL.code,
  );
  assert.equal((await ask('managed', 'review', 'DeleteWebhook', { webhook_id: 'archive' })).nb_webhooks, 99);
  await events('managed', 7, 'a');
  await until(() => idsOf('1').length === 1);
  assert.deepEqual(idsOf('other'), []);
});
