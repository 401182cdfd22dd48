import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Family } from '@sosia/contract';
import sharp from 'sharp';
import { createApplication } from '../applications/create.ts';
import { errors } from '../errors.ts';
import type { RunningServer } from '../main.ts';
import { askServer, photograph, startServerOn } from '../service.test.kit.ts';
import type { Values } from '../service.test.kit.ts';
import { openApplicationStore } from '../store/application-store.ts';

const home = mkdtempSync(join(tmpdir(), 'sosia-events-'));
const data = join(home, 'data');
let server: RunningServer;
/** By type. */
const keys: Record<string, string> = {};

before(async () => {
  server = await startServerOn(data);
  const store = openApplicationStore(data);
  for (const type of ['media-matching', 'mobile-matching', 'image-similarity'] as const) {
    keys[type] = createApplication(store, { type, name: type }).key;
  }
  for (const name of ['busy', 'repeating', 'restarted', 'ignoring', 'conditions'])
    keys[name] = createApplication(store, { type: 'media-matching', name }).key;
  store.close();
});
after(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

/** Fails with the message of a refusal. */
async function ask(name: string, family: Family, operation: string, values: Values = {}): Promise<any> {
  const send = () => askServer(server, family, operation, { application_key: keys[name]!, ...values });
  let answer = await send();
  while (answer.status.code === errors.OVERLOADED.code) answer = await send(); // on a busy machine
  assert.equal(answer.status.code, 0, `${operation}: ${answer.status.message}`);
  return answer;
}

async function refusal(name: string, operation: string, values: Values): Promise<number> {
  return (await askServer(server, 'review', operation, { application_key: keys[name]!, ...values })).status.code;
}

const add = (name: string, image_id: string, image_content: Uint8Array, values: Values = {}) =>
  ask(name, 'enginemodify', 'AddImage', { image_id, image_content, ...values });

const save = (name: string, search_id: string, values: Values) =>
  ask(name, 'review', 'SaveSearch', { search_id, ...values });

async function events(name: string, after = 0): Promise<any[]> {
  return (await ask(name, 'review', 'ListEvents', { after, nb_results: 1000 })).events;
}

/** Another file of other pixels of the same photograph. */
async function copyOf(number: number, width = 500): Promise<Buffer> {
  return sharp(await photograph(number))
    .resize(width)
    .jpeg({ quality: 80 })
    .toBuffer();
}

test('an added picture is an event of each saved search that it matches, in the order of the additions', async () => {
  const app = 'media-matching';
  await add(app, 'before.jpg', await copyOf(1, 480));
  assert.equal((await save(app, 'harbour', { image_content: await photograph(1) })).nb_events, 0);
  await save(app, 'summer', { image_content: await photograph(1), keywords: ['summer'] });
  await save(app, 'bridge', { image_content: await photograph(2), decision: 'Clone' });
  await add(app, 'a.jpg', await copyOf(1));
  await add(app, 'other.jpg', await copyOf(3));
  await add(app, 'b.jpg', await copyOf(1, 400), { keywords: ['summer'] });
  await add(app, 'c.jpg', await copyOf(2));

  const found = await events(app);
  const shown = found.map(({ id, search_id, image_id }) => [id, search_id, image_id]);
  assert.deepEqual(shown.slice(0, 1), [[1, 'harbour', 'a.jpg']]);
  assert.deepEqual(
    shown
      .slice(1, 3)
      .map((each) => each.slice(1))
      .sort(),
    [
      ['harbour', 'b.jpg'],
      ['summer', 'b.jpg'],
    ],
  );
  assert.deepEqual(shown.slice(3), [[4, 'bridge', 'c.jpg']]);
  assert.deepEqual([found[0].decision, found[0].count, found[0].repeats], ['Clone', 1, []]);
  const info = JSON.parse(found[0].result_info);
  assert.ok(found[0].similarity > 90 && info.reference.matchingBox && info.query.matchingBox);
  assert.deepEqual(await events(app, 2), found.slice(2));

  const { nb_events } = await save(app, 'harbour again', { query_id: 'before.jpg', existing: 1 });
  assert.equal(nb_events, 2);
  const existing = (await events(app, 4)).map(({ search_id, image_id }) => `${search_id} ${image_id}`);
  assert.deepEqual(existing.sort(), ['harbour again a.jpg', 'harbour again b.jpg']);

  const { saved_searches, nb_results_found } = await ask(app, 'review', 'ListSavedSearches', { thumbnails: 1 });
  assert.equal(nb_results_found, 4);
  assert.deepEqual(
    saved_searches.map((each: any) => [each.id, each.decision, each.min_similarity, each.keywords, each.who]),
    [
      ['bridge', 'Clone', 0, [], 'first'],
      ['harbour', 'Match', 0, [], 'first'],
      ['harbour again', 'Match', 0, [], 'first'],
      ['summer', 'Match', 0, ['summer'], 'first'],
    ],
  );
  assert.ok(saved_searches.every(({ thumbnail }: any) => thumbnail.length > 100));

  assert.equal((await ask(app, 'review', 'DeleteSavedSearch', { search_id: 'bridge' })).nb_saved_searches, 3);
  await add(app, 'd.jpg', await copyOf(2, 450));
  assert.deepEqual(await events(app, 6), []);
  assert.equal(await refusal(app, 'DeleteSavedSearch', { search_id: 'bridge' }), errors.UNKNOWN_SAVED_SEARCH.code);
});

test('a saved search has conditions on metadata and on the relation, also for pictures that are there', async () => {
  const app = 'conditions';
  const part = async (number: number, width: number): Promise<Buffer> =>
    sharp(await photograph(number))
      .extract({ left: 60, top: 60, width: 420, height: 320 })
      .resize(width)
      .jpeg()
      .toBuffer();
  await add(app, 'early', await copyOf(1, 470), { metadata: '{"agency": "AP", "year": 2025}' });
  await add(app, 'late', await copyOf(1, 460), { metadata: '{"agency": "AP", "year": 2026}' });
  const image_content = await photograph(1);
  const recent = { image_content, where: ['agency=AP', 'year>=2026'], existing: 1 };
  const { saved_search, nb_events } = await save(app, 'recent', recent);
  assert.deepEqual([saved_search.where, nb_events], [['agency="AP"', 'year>=2026'], 1]);
  await save(app, 'parts', { image_content, relation: 'part' });
  await add(app, 'whole', await copyOf(1), { metadata: '{"agency": "AP", "year": 2027.5}' });
  await add(app, 'part', await part(1, 400), { metadata: '{"agency": "Reuters", "year": 2027}' });
  await add(app, 'untitled', await copyOf(1, 450));
  const found = (await events(app)).map(({ search_id, image_id }) => `${search_id} ${image_id}`);
  assert.deepEqual(found, ['recent late', 'recent whole', 'parts part']);
  const [parts] = (await ask(app, 'review', 'ListSavedSearches')).saved_searches;
  assert.deepEqual([parts.relation, parts.decision, parts.where], ['part', 'Similar', undefined]);
  assert.equal(
    await refusal(app, 'SaveSearch', { search_id: 's', dna: 'AAAA', where: ['=1'] }),
    errors.BAD_PARAMETER.code,
  );
});

test('a picture that is added under many ids is one event, which counts and names them', async () => {
  const copy = await copyOf(4);
  await save('repeating', 'castle', { image_content: await photograph(4) });
  for (let i = 0; i < 23; i++) await add('repeating', `copy ${i}`, copy);
  const [event, ...others] = await events('repeating');
  assert.deepEqual(others, []);
  assert.deepEqual([event.image_id, event.count], ['copy 0', 23]);
  assert.deepEqual(
    event.repeats,
    Array.from({ length: 20 }, (_, i) => `copy ${i + 1}`),
  );
  assert.equal((await save('repeating', 'castle', { image_content: await photograph(4), existing: 1 })).nb_events, 0);
});

test('saved searches and events are there after a restart, and an emptied application keeps both', async () => {
  await save('restarted', 'harbour', { image_content: await photograph(5) });
  await add('restarted', 'a.jpg', await copyOf(5));
  const before = await events('restarted');
  await server.close();
  server = await startServerOn(data);
  assert.deepEqual(await events('restarted'), before);
  const confirm = { application: 'restarted', confirm: 'restarted' };
  const emptied = await askServer(server, 'administration', 'EmptyApplication', {
    application_key: keys['restarted']!,
    ...confirm,
  });
  assert.equal(emptied.status.code, 0, emptied.status.message);
  await add('restarted', 'b.jpg', await copyOf(5, 420));
  assert.deepEqual(
    (await events('restarted')).map(({ id, image_id }) => [id, image_id]),
    [
      [1, 'a.jpg'],
      [2, 'b.jpg'],
    ],
  );
});

test('each picture that is added while a search is saved is one event of it', async () => {
  const copies = await Promise.all(Array.from({ length: 8 }, (_, i) => copyOf(6, 400 + 9 * i)));
  const adding = copies.map((copy, i) => add('busy', `copy ${i}`, copy));
  await Promise.race(adding);
  await save('busy', 'boats', { image_content: await photograph(6), existing: 1 });
  await Promise.all(adding);
  const found = await events('busy');
  assert.deepEqual(
    found
      .flatMap(({ image_id, repeats, count }) => [
        image_id,
        ...repeats,
        ...(count > 1 + repeats.length ? ['more'] : []),
      ])
      .sort(),
    copies.map((_, i) => `copy ${i}`).sort(),
  );
  assert.deepEqual(
    found.map(({ id }) => id),
    found.map((_, i) => i + 1),
  );
});

test('what matches a saved search only by an ignored picture is no event', async () => {
  const banner = await sharp(await photograph(22))
    .resize(480, 320, { fit: 'fill' })
    .jpeg()
    .toBuffer();
  const withBanner = async (number: number) =>
    sharp(await photograph(number))
      .composite([{ input: banner, left: 20, top: 20 }])
      .jpeg()
      .toBuffer();
  await save('ignoring', 'shop', { image_content: await withBanner(7) });
  await add('ignoring', 'before.jpg', await withBanner(8));
  await ask('ignoring', 'review', 'AddIgnored', { image_id: 'banner', image_content: banner });
  await add('ignoring', 'after.jpg', await withBanner(9));
  await add('ignoring', 'copy.jpg', await withBanner(7));
  assert.deepEqual(
    (await events('ignoring')).map(({ image_id }) => image_id),
    ['before.jpg', 'copy.jpg'],
  );
});

test('a type without decisions has saved searches by similarity; one with asymmetric DNA has none', async () => {
  const app = 'image-similarity';
  const picture = await photograph(10);
  await save(app, 'like this', { image_content: picture });
  await add(app, 'copy.jpg', await copyOf(10));
  await add(app, 'other.jpg', await copyOf(11));
  assert.deepEqual(
    (await events(app)).map(({ image_id, decision }) => [image_id, decision]),
    [['copy.jpg', '']],
  );
  const values = { search_id: 'a', image_content: picture };
  assert.equal(await refusal(app, 'SaveSearch', { ...values, decision: 'Clone' }), errors.DOES_NOT_APPLY.code);
  assert.equal(await refusal('mobile-matching', 'SaveSearch', values), errors.DOES_NOT_APPLY.code);
  await add('mobile-matching', 'a.jpg', picture);
  assert.deepEqual(await events('mobile-matching'), []);
  assert.equal(await refusal('busy', 'SaveSearch', { ...values, query_id: 'b' }), errors.BAD_PARAMETER.code);
  assert.equal(await refusal('busy', 'SaveSearch', { search_id: 'a' }), errors.IMAGE_OR_DNA.code);
  assert.equal(await refusal('busy', 'SaveSearch', { search_id: 'a', query_id: 'b' }), errors.UNKNOWN_IMAGE.code);
});
