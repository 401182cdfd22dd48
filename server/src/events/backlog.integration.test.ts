import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Family } from '@sosia/contract';
import sharp from 'sharp';
import { createApplication } from '../applications/create.ts';
import { errors } from '../errors.ts';
import { askServer, photograph, type Values } from '../service.test.kit.ts';
import { openApplicationStore } from '../store/application-store.ts';

// Pictures that were there before a search for those of another application are compared in the background.

const PICTURES = 24;
const home = mkdtempSync(join(tmpdir(), 'sosia-backlog-'));
const data = join(home, 'data');
const keys: Record<string, string> = {};
let service: { readonly process: ChildProcess; readonly modifyPort: number; readonly queryPort: number };

before(async () => {
  await start();
  const store = openApplicationStore(data);
  for (const name of ['stock', 'market', 'chosen', 'deleted'])
    keys[name] = createApplication(store, { type: 'media-matching', name }).key;
  store.close();
  for (let i = 1; i <= PICTURES; i++) {
    await add('stock', `${i}.jpg`, await photograph(i));
    const copy = await sharp(await photograph(i))
      .resize(500)
      .jpeg()
      .toBuffer();
    const { dna } = await ask('market', 'enginequery', 'GetDnaByUpload', { image_content: copy });
    for (const name of ['market', 'deleted']) await add(name, `copy ${i}`, Buffer.from(dna, 'base64'), 'dna');
    if (i < 4) await add('chosen', `copy ${i}`, copy, 'image_content', i === 2 ? { keywords: ['summer'] } : {});
  }
});
after(async () => {
  service.process.kill('SIGKILL');
  rmSync(home, { recursive: true });
});

/** A process of its own, which a signal can kill. */
async function start(): Promise<void> {
  const kit = new URL('../service.test.kit.js', import.meta.url).href;
  const file = join(home, 'service.mjs');
  writeFileSync(
    file,
    `const { startServerOn } = await import(${JSON.stringify(kit)});
     const { close, ...shown } = await startServerOn(${JSON.stringify(data)});
     console.log(JSON.stringify(shown));`,
  );
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  service = { process: child, ...JSON.parse(line) };
}

async function ask(name: string, family: Family, operation: string, values: Values = {}): Promise<any> {
  const send = () => askServer(service, family, operation, { application_key: keys[name]!, ...values });
  const busy: number[] = [errors.OVERLOADED.code, errors.LOADING.code];
  let answer = await send();
  while (busy.includes(answer.status.code)) answer = await pause(20).then(send);
  assert.equal(answer.status.code, 0, `${operation}: ${answer.status.message}`);
  return answer;
}

const add = (name: string, image_id: string, content: Uint8Array, as = 'image_content', values: Values = {}) =>
  ask(name, 'enginemodify', 'AddImage', { image_id, [as]: content, ...values });

const watch = (name: string, values: Values = {}) =>
  ask(name, 'review', 'SaveSearch', { search_id: 's', watched_key: keys['stock']!, existing: 1, ...values });

const events = async (name: string): Promise<any[]> =>
  (await ask(name, 'review', 'ListEvents', { nb_results: 1000 })).events;

const search = async (name: string): Promise<any> => (await ask(name, 'review', 'ListSavedSearches')).saved_searches[0];

async function compared(name: string): Promise<void> {
  while ((await search(name)).existing) await pause(50);
}

test('each picture of then that the application has is one event, across a kill in the middle', async () => {
  assert.equal((await watch('market')).nb_events, 0);
  while ((await events('market')).length < 3) await pause(1);
  service.process.kill('SIGKILL');
  await once(service.process, 'exit');
  await start();
  const { existing } = await search('market');
  assert.ok(existing.compared < PICTURES, `${existing.compared} were compared before the kill`);
  await compared('market');
  const shown = async () =>
    (await events('market')).map(({ image_id, watched_in, count }) => [image_id, watched_in.image_id, count]);
  const expected = Array.from({ length: PICTURES }, (_, i) => [`copy ${i + 1}`, `${i + 1}.jpg`, 1]);
  assert.deepEqual(await shown(), expected);

  await watch('market');
  await compared('market');
  assert.deepEqual(await shown(), expected);
});

test('the conditions of the search hold, and later pictures are events as well', async () => {
  await watch('chosen', { keywords: ['summer'] });
  await compared('chosen');
  await add('chosen', 'later', await photograph(4), 'image_content', { keywords: ['summer'] });
  const found = (await events('chosen')).map(({ image_id }) => image_id);
  assert.deepEqual(found, ['copy 2', 'later']);
});

test('a search that is deleted and saved again begins anew', async () => {
  await watch('deleted');
  await ask('deleted', 'review', 'DeleteSavedSearch', { search_id: 's' });
  await watch('deleted');
  await compared('deleted');
  assert.deepEqual(new Set((await events('deleted')).map(({ count }) => count)), new Set([1]));
  assert.equal((await events('deleted')).length, PICTURES);
});
