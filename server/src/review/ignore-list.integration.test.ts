import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Family } from '@sosia/contract';
import sharp from 'sharp';
import { errors } from '../errors.ts';
import { createApplication } from '../applications/create.ts';
import type { RunningServer } from '../main.ts';
import { askServer, photograph, startServerOn } from '../service.test.kit.ts';
import type { Values } from '../service.test.kit.ts';
import { openApplicationStore } from '../store/application-store.ts';
import { restore } from '../store/restore.ts';
import { snapshot } from '../store/snapshot.ts';
import { verify } from '../store/verify.ts';

const home = mkdtempSync(join(tmpdir(), 'sosia-ignore-'));
let folder = join(home, 'data');
let server: RunningServer;
let key: string;
let banner: Buffer;

async function start(): Promise<void> {
  server = await startServerOn(folder);
}

/** A photograph with the banner on it. */
async function withBanner(number: number, at: { left: number; top: number }): Promise<Buffer> {
  return sharp(await photograph(number))
    .composite([{ input: banner, ...at }])
    .jpeg({ quality: 90 })
    .toBuffer();
}

before(async () => {
  await start();
  const store = openApplicationStore(folder);
  key = createApplication(store, { type: 'media-matching', name: 'shop' }).key;
  store.close();
  banner = await sharp(await photograph(22))
    .resize(260, 170, { fit: 'fill' })
    .jpeg({ quality: 90 })
    .toBuffer();
  for (const number of [1, 2]) {
    const image_content = await withBanner(number, { left: 20, top: 20 });
    assert.equal((await ask('enginemodify', 'AddImage', { image_id: `${number}.jpg`, image_content })).status.code, 0);
  }
});
after(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

const ask = (family: Family, operation: string, values: Values = {}): Promise<any> =>
  askServer(server, family, operation, { application_key: key, ...values });

async function found(image_content: Uint8Array, values: Values = {}): Promise<[number, string[], string[]?]> {
  const { nb_results_found, images, ignored } = await ask('enginequery', 'SearchImageByUpload', {
    image_content,
    ...values,
  });
  const ids = images.map(({ id, ignored: only }: any) => (only ? `${id} ignored` : id)).sort();
  return ignored ? [nb_results_found, ids, ignored] : [nb_results_found, ids];
}

test('what matches only by an ignored picture is no match; other matches stay as they are', async () => {
  const other = await withBanner(3, { left: 400, top: 300 });
  const copy = await sharp(await withBanner(1, { left: 20, top: 20 }))
    .resize(600)
    .jpeg()
    .toBuffer();
  assert.deepEqual(await found(other), [2, ['1.jpg', '2.jpg']]);
  const before = await ask('enginequery', 'SearchImageByUpload', { image_content: copy });
  assert.equal(before.nb_results_found, 2);

  const added = await ask('review', 'AddIgnored', { image_id: 'banner', image_content: banner });
  assert.equal(added.status.code, 0, added.status.message);
  assert.deepEqual([added.ignored.id, added.ignored.width, added.ignored.who], ['banner', 260, 'first']);
  assert.deepEqual(await found(other), [0, [], ['banner']]);
  assert.deepEqual(await found(other, { ignored: 1 }), [2, ['1.jpg ignored', '2.jpg ignored'], ['banner']]);
  const after = await ask('enginequery', 'SearchImageByUpload', { image_content: copy });
  assert.deepEqual(after.images, before.images.slice(0, 1));
  assert.equal(after.images[0].id, '1.jpg');
  const missed = await ask('enginequery', 'SearchImageByUpload', {
    image_content: other,
    ids_list: '1.jpg',
    explain: 1,
  });
  assert.equal(missed.why_not.reason, 'the pictures have only a picture of the ignore list in common');
  const itself = await ask('enginequery', 'SearchImageById', { image_id: '1.jpg' });
  assert.deepEqual(
    itself.images.map(({ id, score }: any) => [id, score]),
    [['1.jpg', 0]],
  );
  assert.deepEqual(await found(await photograph(4)), [0, []]);
});

test('a query that is the ignored picture itself, or shows it twice, matches nothing', async () => {
  assert.deepEqual(await found(banner), [0, [], ['banner']]);
  const twice = await sharp(await withBanner(3, { left: 10, top: 10 }))
    .composite([{ input: banner, left: 450, top: 300 }])
    .jpeg()
    .toBuffer();
  assert.deepEqual(await found(twice), [0, [], ['banner']]);
});

test('a review finds no duplicates by an ignored picture', async () => {
  await ask('review', 'StartReview');
  for (;;) {
    const { review } = await ask('review', 'GetReview');
    if (review.state === 'idle') break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.equal((await ask('review', 'ListGroups')).nb_results_found, 0);
});

test('refusals name their reason', async () => {
  const code = async (operation: string, values: Values) => (await ask('review', operation, values)).status.code;
  assert.equal(await code('AddIgnored', { image_id: 'banner', image_content: banner }), errors.IMAGE_EXISTS.code);
  assert.equal(await code('AddIgnored', { image_id: 'logo' }), errors.IMAGE_OR_DNA.code);
  assert.equal(await code('DeleteIgnored', { image_id: 'logo' }), errors.UNKNOWN_IGNORED.code);
  const { secret } = await ask('administration', 'CreateKey', { name: 'judge', scopes: ['search', 'add', 'delete'] });
  assert.equal(await code('DeleteIgnored', { application_key: secret, image_id: 'banner' }), errors.SCOPE_REFUSED.code);
});

test('the list survives a restart, a backup and its restoration, and removal ends its effect', async () => {
  const listed = await ask('review', 'ListIgnored', { with_dna: 1, thumbnails: 1 });
  assert.equal(listed.nb_results_found, 1);
  assert.ok(listed.ignored[0].dna.length > 1000 && listed.ignored[0].thumbnail.length > 1000);
  await server.close();
  const backup = join(home, 'backup');
  await snapshot(folder, backup);
  folder = join(home, 'restored');
  assert.deepEqual(restore(backup, folder).damages, []);
  await start();

  assert.deepEqual(await ask('review', 'ListIgnored', { with_dna: 1, thumbnails: 1 }), listed);
  const other = await withBanner(3, { left: 400, top: 300 });
  assert.deepEqual(await found(other), [0, [], ['banner']]);
  assert.equal((await ask('review', 'DeleteIgnored', { image_id: 'banner' })).status.code, 0);
  assert.deepEqual(await found(other), [2, ['1.jpg', '2.jpg']]);
  const again = await ask('review', 'AddIgnored', { image_id: 'by dna', dna: listed.ignored[0].dna });
  assert.equal(again.status.code, 0, again.status.message);
  assert.deepEqual(await found(other), [0, [], ['by dna']]);
  assert.deepEqual(verify(folder).damages, []);
});
