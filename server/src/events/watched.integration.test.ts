import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { samplesFolder } from '@sosia/fixtures';
import type { Family } from '@sosia/contract';
import type { ApplicationType } from '@sosia/engine';
import sharp from 'sharp';
import { errors } from '../errors.ts';
import type { ErrorName } from '../errors.ts';
import type { RunningServer } from '../main.ts';
import { Metrics } from '../metrics/metrics.ts';
import { askServer, photograph, startServerOn } from '../service.test.kit.ts';
import type { Values } from '../service.test.kit.ts';
import { openApplicationStore } from '../store/application-store.ts';
import { openImageStore } from '../store/image-store.ts';

const home = mkdtempSync(join(tmpdir(), 'sosia-watching-'));
const data = join(home, 'data');
const pictures = join(home, 'pictures');
const keys: Record<string, string> = {};
let server: RunningServer;
let administratorKey: string;

before(async () => {
  mkdirSync(pictures);
  server = await start();
  administratorKey = server.administratorKey!;
});
after(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

function start(): Promise<RunningServer> {
  return startServerOn(data, { source_folders: pictures });
}

async function ask(key: string, family: Family, operation: string, values: Values = {}): Promise<any> {
  const send = () => askServer(server, family, operation, { application_key: key, ...values });
  const busy: number[] = [errors.OVERLOADED.code, errors.LOADING.code];
  let answer = await send();
  while (busy.includes(answer.status.code)) answer = await pause(20).then(send);
  assert.equal(answer.status.code, 0, `${operation}: ${answer.status.message}`);
  return answer;
}

const administer = (operation: string, values: Values) => ask(administratorKey, 'administration', operation, values);

/** Creates applications that watch others. */
async function create(...names: string[]): Promise<void> {
  for (const name of names) await createOf('media-matching', name);
}

async function createOf(type: ApplicationType, name: string): Promise<void> {
  keys[name] = (await administer('CreateApplication', { name, type })).secret;
}

const add = (name: string, image_id: string, image_content: Uint8Array, values: Values = {}) =>
  ask(keys[name]!, 'enginemodify', 'AddImage', { image_id, image_content, ...values });

const watch = (name: string, of: string, values: Values = {}) =>
  ask(keys[name]!, 'review', 'SaveSearch', { search_id: `all of ${of}`, watched_key: keys[of]!, ...values });

async function refused(name: string, values: Values): Promise<ErrorName | undefined> {
  const given = { application_key: keys[name]!, search_id: 's', ...values };
  const { status } = await askServer(server, 'review', 'SaveSearch', given);
  return (Object.keys(errors) as ErrorName[]).find((each) => errors[each].code === status.code);
}

async function events(name: string, after = 0): Promise<any[]> {
  return (await ask(keys[name]!, 'review', 'ListEvents', { after, nb_results: 1000 })).events;
}

/** What was found of which picture. */
const pairs = (all: readonly any[]): string[] => all.map((each) => `${each.image_id} < ${each.watched_in.image_id}`);

/** Another file of other pixels of the same photograph. */
async function copyOf(number: number, width = 500): Promise<Buffer> {
  return sharp(await photograph(number))
    .resize(width)
    .jpeg({ quality: 80 })
    .toBuffer();
}

async function dnaOf(name: string, image_id: string): Promise<Uint8Array> {
  const { dna } = await ask(keys[name]!, 'enginemodify', 'GetDnaById', { image_id });
  return new Uint8Array(Buffer.from(dna.dna, 'base64'));
}

async function faultOf(name: string): Promise<string | undefined> {
  return (await ask(keys[name]!, 'review', 'ListSavedSearches')).saved_searches[0].fault;
}

test('every picture of another application is searched for, also those that it gets later', async () => {
  await create('stock', 'market');
  await add('stock', 'one.jpg', await photograph(1));
  const { saved_search, nb_events } = await watch('market', 'stock');
  assert.deepEqual([saved_search.application, saved_search.query_id, nb_events], ['stock', undefined, 0]);
  await watch('market', 'stock', { search_id: 'summer', keywords: ['summer'] });
  await add('market', 'one.jpg', await copyOf(1));
  await add('market', 'other.jpg', await copyOf(3));
  await add('market', 'two.jpg', await copyOf(2));
  await add('stock', 'later/two.jpg', await photograph(2));
  await add('market', 'two again.jpg', await copyOf(2, 450), { keywords: ['summer'] });

  const found = await events('market');
  assert.deepEqual(pairs(found), ['one.jpg < one.jpg', ...Array(2).fill('two again.jpg < later/two.jpg')]);
  const searches = found.map(({ search_id }) => search_id);
  assert.deepEqual([searches[0], searches.slice(1).sort()], ['all of stock', ['all of stock', 'summer']]);
  assert.deepEqual(Object.keys(found[0].watched_in), ['application', 'image_id']);
  assert.deepEqual([found[0].watched_in.application, found[0].decision, found[0].count], ['stock', 'Clone', 1]);
  assert.match(found[0].watched, /^dna:/);
  const info = JSON.parse(found[0].result_info);
  assert.ok(info.reference.matchingBox && info.query.matchingBox);
  assert.deepEqual(await events('stock'), []);

  const { saved_searches } = await ask(keys['market']!, 'review', 'ListSavedSearches', { thumbnails: 1 });
  const shown = saved_searches.map(({ id, application, thumbnail, fault }: any) => [id, application, thumbnail, fault]);
  assert.deepEqual(shown, [
    ['all of stock', 'stock', undefined, undefined],
    ['summer', 'stock', undefined, undefined],
  ]);
});

test('pictures with the same pixels are one event, on both sides', async () => {
  await create('doubled', 'flooded');
  for (const id of ['a', 'b', 'c']) await add('doubled', id, await photograph(4));
  await watch('flooded', 'doubled');
  const copy = await copyOf(4);
  for (let i = 0; i < 3; i++) await add('flooded', `copy ${i}`, copy);
  const [event, ...others] = await events('flooded');
  assert.deepEqual([others, event.count, event.repeats], [[], 3, ['copy 1', 'copy 2']]);
});

test('a picture that matches only by an ignored one is no event', async () => {
  await create('shops', 'ignoring');
  const banner = await sharp(await photograph(22))
    .resize(480, 320, { fit: 'fill' })
    .jpeg()
    .toBuffer();
  const withBanner = async (number: number) =>
    sharp(await photograph(number))
      .composite([{ input: banner, left: 20, top: 20 }])
      .jpeg()
      .toBuffer();
  await add('shops', 'shop', await withBanner(7));
  await watch('ignoring', 'shops');
  await add('ignoring', 'before.jpg', await withBanner(8));
  await ask(keys['ignoring']!, 'review', 'AddIgnored', { image_id: 'banner', image_content: banner });
  await add('ignoring', 'after.jpg', await withBanner(9));
  await add('ignoring', 'copy.jpg', await withBanner(7));
  assert.deepEqual(pairs(await events('ignoring')), ['before.jpg < shop', 'copy.jpg < shop']);
});

test('nothing is found while the key is not valid or the application disabled, and pictures are added as before', async () => {
  await create('closing', 'outside');
  await add('closing', 'five', await photograph(5));
  const { key, secret } = await administer('CreateKey', { application: 'closing', name: 'watcher', scopes: 'search' });
  await watch('outside', 'closing', { watched_key: secret });
  let width = 400;
  /** Whether a copy is found after a change. */
  const finds = async (operation: string, values: Values, fault?: RegExp): Promise<void> => {
    await administer(operation, { application: 'closing', ...values });
    const before = (await events('outside')).length;
    await add('outside', `copy ${++width}`, await copyOf(5, width));
    assert.equal((await events('outside')).length - before, fault ? 0 : 1, operation);
    assert.match((await faultOf('outside')) ?? '', fault ?? /^$/);
  };
  await finds('SetKey', { key: key.id, name: 'renamed' });
  await finds('SetKey', { key: key.id, scopes: 'add' }, /needs the scope search, the key renamed has add/);
  await finds('SetKey', { key: key.id, scopes: 'search' });
  await finds('SetKey', { key: key.id, expires: '2020-01-01' }, /expired/);
  await finds('SetKey', { key: key.id, expires: 'never' });
  await finds('SetApplication', { enabled: 0 }, /no enabled application/);
  await finds('SetApplication', { enabled: 1 });
  await administer('EmptyApplication', { application: 'closing', confirm: 'closing' });
  await add('outside', 'emptied', await copyOf(5, ++width));
  await add('closing', 'five again', await photograph(5));
  await finds('RotateKey', { key: key.id, grace: 1000 });
  assert.ok(!pairs(await events('outside')).some((each) => each.startsWith('emptied')));
  await finds('RevokeKey', { key: key.id }, /no enabled application/);
  await watch('outside', 'closing');
  await finds('SetApplication', {});
  await finds('DeleteApplication', { confirm: 'closing' }, /no enabled application/);
});

test('an application that is deleted during additions holds none of them back', async () => {
  await create('leaving', 'busy');
  for (let i = 10; i < 20; i++) await add('leaving', `${i}`, await photograph(i));
  const dna = await dnaOf('leaving', '10');
  await watch('busy', 'leaving');
  const adding = Array.from({ length: 200 }, (_, i) =>
    ask(keys['busy']!, 'enginemodify', 'AddImage', { image_id: `copy ${i}`, dna }),
  );
  await Promise.race(adding);
  await administer('DeleteApplication', { application: 'leaving', confirm: 'leaving' });
  await Promise.all(adding);
  const [event] = await events('busy');
  assert.ok(event.count > 0 && event.count < 200, `${event.count} were found`);
});

test('only another application of the same type is watched, by a key that may search in it', async () => {
  await create('own', 'other');
  await createOf('image-similarity', 'alike');
  await createOf('image-similarity', 'alike too');
  await createOf('mobile-matching', 'mobile');
  const watched_key = keys['other']!;
  assert.equal(await refused('own', { watched_key: keys['alike']! }), 'DOES_NOT_APPLY');
  assert.equal(await refused('mobile', { watched_key }), 'DOES_NOT_APPLY');
  assert.equal(await refused('own', { watched_key: keys['own']! }), 'BAD_PARAMETER');
  assert.equal(await refused('own', { watched_key, query_id: 'a' }), 'BAD_PARAMETER');
  assert.equal(await refused('own', { watched_key, image_content: await photograph(1) }), 'BAD_PARAMETER');
  for (const key of ['unknown', administratorKey])
    assert.equal(await refused('own', { watched_key: key }), 'UNKNOWN_KEY');
  const make = async (name: string, values: Values): Promise<string> =>
    (await administer('CreateKey', { application: 'other', name, ...values })).secret;
  const [adding, expired] = [
    await make('adding', { scopes: 'add' }),
    await make('expired', { scopes: 'search', expires: '2020-01-01' }),
  ];
  assert.equal(await refused('own', { watched_key: adding }), 'SCOPE_REFUSED');
  assert.equal(await refused('own', { watched_key: expired }), 'KEY_EXPIRED');

  await watch('alike', 'alike too', { min_similarity: 90 });
  await add('alike too', 'nine', await photograph(9));
  await add('alike', 'copy', await copyOf(9));
  assert.deepEqual(pairs(await events('alike')), ['copy < nine']);

  for (let i = 0; i < 16; i++) assert.equal(await refused('own', { search_id: `s${i}`, watched_key }), undefined);
  assert.equal(await refused('own', { watched_key }), 'SAVED_SEARCHES_FULL');
  assert.equal(await refused('own', { search_id: 's3', watched_key }), undefined);
  assert.equal(await refused('own', { search_id: 's3', image_content: await photograph(1) }), undefined);
  assert.equal(await refused('own', { watched_key }), undefined);
  const { nb_saved_searches } = await ask(keys['own']!, 'review', 'DeleteSavedSearch', { search_id: 's1' });
  assert.equal(nb_saved_searches, 16);
});

test('people see both pictures as long as the key is valid, and where they lay, and judge them', async () => {
  await create('archive', 'newspaper');
  const folder = join(pictures, 'archive');
  mkdirSync(folder);
  copyFileSync(join(samplesFolder, 'kodim21.jpg'), join(folder, 'lighthouse.jpg'));
  await administer('CreateSource', { application: 'archive', name: 'scans', kind: 'folder', path: folder });
  const count = async () => (await ask(keys['archive']!, 'enginequery', 'GetApplicationStatus')).nb_loaded_images;
  while ((await count()) === 0) await pause(100);
  const { key, secret } = await administer('CreateKey', { application: 'archive', name: 'news', scopes: 'search' });
  await watch('newspaper', 'archive', { watched_key: secret });
  await add('newspaper', 'front page', await copyOf(21));

  const shown = async () => (await ask(keys['newspaper']!, 'review', 'ReviewEvents', { pictures: 1 })).events[0];
  const { id, watched_in, watched_origin, pictures: both } = await shown();
  assert.deepEqual(watched_in, { application: 'archive', image_id: 'lighthouse.jpg' });
  assert.deepEqual([watched_origin.source, watched_origin.path], ['scans', 'lighthouse.jpg']);
  assert.ok(both.watched.thumbnail.length > 1000 && both.found.thumbnail.length > 1000);
  const { verdict } = await ask(keys['newspaper']!, 'review', 'JudgeEvent', { event_id: id, verdict: 'different' });
  assert.deepEqual((await shown()).verdict, { id: verdict, verdict: 'different' });

  await ask(keys['archive']!, 'enginemodify', 'DeleteImage', { image_id: 'lighthouse.jpg' });
  await add('archive', 'lighthouse.jpg', await photograph(3));
  assert.deepEqual((await shown()).pictures.watched, {});
  assert.deepEqual((await shown()).watched_origin, watched_origin);
  await add('archive', 'again', await photograph(21));
  await add('newspaper', 'back page', await copyOf(21, 420));
  assert.ok((await shown()).pictures.watched.thumbnail);
  await administer('RevokeKey', { application: 'archive', key: key.id });
  assert.deepEqual((await shown()).pictures.watched, {});
});

test('after a restart the same is found, and an addition waits until the pictures of both applications are loaded', async () => {
  await create('early', 'late');
  await watch('early', 'late');
  await add('late', 'two.jpg', await photograph(2));
  await add('early', 'other.jpg', await photograph(1));
  const [dna, other] = [await dnaOf('late', 'two.jpg'), await dnaOf('early', 'other.jpg')];
  await ask(keys['late']!, 'enginemodify', 'DeleteImage', { image_id: 'two.jpg' });
  await server.close();
  await stock('late', 3000, other, dna);
  const [modify_port, query_port] = [await freePort(), await freePort()];
  const starting = startServerOn(data, { modify_port, query_port });
  const ports = { modifyPort: Number(modify_port), queryPort: Number(query_port) };
  const values = { application_key: keys['early']!, image_id: 'copy', dna };
  const refusals = new Set<string>();
  for (let code: number | undefined; code !== 0;) {
    const answer = await askServer(ports, 'enginemodify', 'AddImage', values).catch(() => undefined); // not open yet
    code = answer?.status.code;
    if (code !== undefined && code !== 0) refusals.add(answer.status.message);
  }
  server = await starting;
  assert.deepEqual(pairs(await events('early')), ['copy < last']);
  assert.ok(
    [...refusals].some((each) => each.includes('late, whose pictures are searched for')),
    [...refusals].join(),
  );
});

/** Pictures of a stopped service: the last of them has its own DNA. */
async function stock(name: string, count: number, dna: Uint8Array, last: Uint8Array): Promise<void> {
  const store = openApplicationStore(data);
  const { number } = store.list().find((each) => each.name === name)!;
  store.close();
  const images = await openImageStore(data, (damage) => assert.fail(JSON.stringify(damage)), new Metrics());
  const append = (id: string, of: Uint8Array) => images.append(number, { id, keywords: [], dna: of });
  await Promise.all(Array.from({ length: count - 1 }, (_, i) => append(`${i}`, dna)));
  await append('last', last);
  await images.close();
}

async function freePort(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return String(port);
}
