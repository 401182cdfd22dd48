import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Family } from '@sosia/contract';
import sharp from 'sharp';
import { startWeb } from '../fetch/web.test.kit.ts';
import type { Web } from '../fetch/web.test.kit.ts';
import type { RunningServer } from '../main.ts';
import { askServer, photograph, startServerOn } from '../service.test.kit.ts';
import type { Values } from '../service.test.kit.ts';
import { makeFilm, withoutFfmpeg } from '../sources/films.test.kit.ts';
import { pictureFolder } from '../sources/sources.test.kit.ts';
import type { PictureFolder } from '../sources/sources.test.kit.ts';

// Events of followed folders say where both pictures lay, wherever events are read.

const keys: Record<string, string> = {};
const received: any[] = [];
let folder: PictureFolder;
let data: string;
let web: Web;
let server: RunningServer;
let administrator: string;

before(async () => {
  folder = await pictureFolder();
  data = await mkdtemp(join(tmpdir(), 'sosia-origins-'));
  web = await startWeb({
    '/hook': async (response, request) => {
      received.push(((await json(request)) as any).data);
      response.writeHead(204).end();
    },
  });
  await start();
  administrator = server.administratorKey!;
});
after(async () => {
  await server.close();
  await Promise.all([web.close(), folder.close()]);
  await rm(data, { recursive: true });
});

async function start(): Promise<void> {
  const settings = { source_folders: folder.path, fetch_hosts: `*:${web.port}` };
  server = await startServerOn(data, settings, { fetching: web.options });
}

async function ask(key: string, family: Family, operation: string, values: Values = {}): Promise<any> {
  const answer = await askServer(server, family, operation, { application_key: key, ...values });
  assert.equal(answer.status.code, 0, `${operation}: ${answer.status.message}`);
  return answer;
}

const administer = (operation: string, values: Values) => ask(administrator, 'administration', operation, values);

async function create(name: string): Promise<void> {
  keys[name] = (await administer('CreateApplication', { name, type: 'media-matching' })).secret;
}

const save = (name: string, search_id: string, values: Values) =>
  ask(keys[name]!, 'review', 'SaveSearch', { search_id, ...values });

const events = async (name: string): Promise<any[]> => (await ask(keys[name]!, 'review', 'ListEvents')).events;

/** As a search lists them, by id. */
async function originsIn(name: string): Promise<Record<string, object | undefined>> {
  const { images } = await ask(keys[name]!, 'enginequery', 'ListImages', { nb_results: 100 });
  return Object.fromEntries(images.map(({ id, origin }: any) => [id, origin]));
}

const follow = (application: string, values: Values) =>
  administer('CreateSource', { application, interval: 3600, ...values });

/** Lets a pass of a source run to its end. */
async function passed(application: string, source: string, run = true): Promise<void> {
  const look = async () => (await administer('GetSource', { application, source })).source;
  const { last_pass } = run ? await look() : { last_pass: null };
  if (run) await administer('RunSource', { application, source });
  for (let now = await look(); now.last_pass === last_pass || now.state === 'running'; now = await look()) {
    await pause(20);
  }
}

/** Another file of other pixels of the same photograph. */
async function copyOf(number: number): Promise<Uint8Array> {
  return sharp(await photograph(number))
    .resize(500)
    .jpeg({ quality: 80 })
    .toBuffer();
}

test('events, the stream, webhooks and events for people have the origins that a search has', async () => {
  await create('stock');
  await create('market');
  await folder.write('stock/ours/1.jpg', await photograph(1));
  await follow('stock', { name: 'archive', kind: 'folder', path: join(folder.path, 'stock'), prefix: 'a/' });
  await passed('stock', 'archive', false);
  await folder.write('market/known.jpg', await photograph(1));
  await follow('market', { name: 'shop', kind: 'folder', path: join(folder.path, 'market'), writable: 1 });
  await passed('market', 'shop', false);
  await save('market', 'by key', { watched_key: keys['stock']! });
  await save('market', 'by id', { query_id: 'known.jpg' });
  await save('market', 'by file', { image_content: await photograph(1) });
  const { pdq } = await ask(keys['market']!, 'enginequery', 'GetPdq', { image_content: await copyOf(1) });
  await ask(keys['market']!, 'review', 'ImportHashes', { list_id: 'hashes', hashes: Buffer.from(`${pdq}\n`) });
  await ask(keys['market']!, 'review', 'AddWebhook', { webhook_id: 'hook', url: `${web.base}/hook` });
  await folder.write('market/new/copy.jpg', await copyOf(1));
  await passed('market', 'shop');

  const [ours, theirs] = [(await originsIn('stock'))['a/ours/1.jpg'], await originsIn('market')];
  assert.deepEqual(ours, { source: 'archive', kind: 'folder', path: 'ours/1.jpg' });
  const copy = { source: 'shop', kind: 'folder', path: 'new/copy.jpg', writable: true };
  const shown = (all: readonly any[]) =>
    Object.fromEntries(all.map(({ search_id, origin, watched_origin }) => [search_id, [origin, watched_origin]]));
  const expected = {
    'by file': [copy, undefined],
    'by id': [copy, { ...copy, path: 'known.jpg' }],
    'by key': [copy, ours],
    hashes: [copy, undefined],
  };
  const listed = await events('market');
  assert.deepEqual(shown(listed), expected);
  assert.deepEqual([theirs['new/copy.jpg'], theirs['known.jpg']], expected['by id']);

  const url = `http://127.0.0.1:${server.modifyPort}/api/v2.0/review/json/ListEvents?application_key=${keys['market']}`;
  const response = await fetch(url, { headers: { accept: 'text/event-stream' } });
  let text = '';
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (text.split('\n\n').length > listed.length) break;
  }
  const streamed = [...text.matchAll(/^data: (.*)$/gm)].map(([, event]) => JSON.parse(event!));
  assert.deepEqual(streamed, listed);
  while (received.length < listed.length) await pause(20);
  assert.deepEqual(received, listed);
  const reviewed = await ask(keys['market']!, 'review', 'ReviewEvents', { pictures: 1 });
  assert.deepEqual(shown(reviewed.events), expected);
});

test('the origins of an event do not change when its picture is deleted, its source is removed and the service is restarted', async () => {
  const before = await events('market');
  await rm(join(folder.path, 'market', 'new'), { recursive: true });
  await passed('market', 'shop');
  await administer('DeleteSource', { application: 'stock', source: 'archive', pictures: 'remove' });
  while ((await ask(keys['stock']!, 'enginequery', 'ListImages')).nb_results_found > 0) await pause(20);
  assert.deepEqual(Object.keys(await originsIn('market')), ['known.jpg']);
  await server.close();
  await start();
  assert.deepEqual(await events('market'), before);
});

test('a picture that no source brought has no origin, and one that was there before a search has its own', async () => {
  await create('mixed');
  await folder.write('mixed/1.jpg', await photograph(2));
  await follow('mixed', { name: 'f', kind: 'folder', path: join(folder.path, 'mixed') });
  await passed('mixed', 'f', false);
  await save('mixed', 's', { image_content: await copyOf(2), existing: 1 });
  await ask(keys['mixed']!, 'enginemodify', 'AddImage', { image_id: '2.jpg', image_content: await copyOf(2) });
  const origins = (await events('mixed')).map(({ image_id, origin }) => [image_id, origin]);
  assert.deepEqual(origins, [
    ['1.jpg', { source: 'f', kind: 'folder', path: '1.jpg' }],
    ['2.jpg', undefined],
  ]);
});

test('a still of a film has the path of the film and its second', { skip: withoutFfmpeg }, async () => {
  await create('cinema');
  await save('cinema', 's', { image_content: await photograph(5) });
  const film = join(data, 'film.mkv');
  makeFilm(film, [
    { photograph: 7, seconds: 1 },
    { photograph: 5, seconds: 1 },
  ]);
  await folder.write('cinema/film.mkv', await readFile(film));
  await follow('cinema', { name: 'films', kind: 'films', path: join(folder.path, 'cinema') });
  await passed('cinema', 'films', false);
  const [{ image_id, origin }, ...others] = await events('cinema');
  assert.deepEqual([others, origin.source, origin.kind, origin.path], [[], 'films', 'films', 'film.mkv']);
  assert.ok(origin.time >= 1 && origin.time < 2, String(origin.time));
  assert.deepEqual(origin, (await originsIn('cinema'))[image_id]);
});
