import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { shippedProfiles } from '@sosia/engine';
import Database from 'libsql';
import { Failure } from '../errors.ts';
import { openApplicationStore } from './application-store.ts';
import { dnaOf } from './dna.test.kit.ts';
import { openImageStore } from './image-store.ts';
import { repair } from './repair.ts';
import { restore } from './restore.ts';
import { rewriteFolder } from './rewrite.ts';
import type { ApplicationRecord, ImageRecord, StoredKey } from './store.ts';
import { verify } from './verify.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sosia-rewrite-'));
after(() => rmSync(scratch, { recursive: true }));
const sound = join(scratch, 'sound');

const application = (name: string, type: ApplicationRecord['type']): Omit<ApplicationRecord, 'number'> => ({
  keys: [],
  type,
  name: `application ${name}`,
  enabled: name !== 'b',
  defaults: { nbResults: 7, colorWeight: 30, retrievalThreshold: 0.5 },
  thumbnails: name === 'a',
});
const administrator: StoredKey = {
  ...{ id: '01', name: 'chief of all', digest: 'd'.repeat(64), hint: 'abcd', scopes: ['administer'] },
  created: '2026-01-01T00:00:00.000Z',
};
const lastUses = { [administrator.digest]: '2026-02-03T00:00:00.000Z' };
const thumbnail = (number: number) => Uint8Array.from({ length: 3000 }, (_, i) => number + i);

before(async () => {
  const applications = openApplicationStore(sound);
  applications.create(application('a', 'media-matching'));
  applications.create(application('b', 'color-similarity'));
  applications.create(application('c', 'media-matching'));
  applications.create(application('d', 'media-matching'));
  applications.profiles.add({ profile: shippedProfiles()[0]!, report: null, mistakes: new Uint8Array([1, 2]) });
  applications.changeKeys(null, () => [administrator]);
  applications.saveLastUses(lastUses);
  const store = await openImageStore(sound);
  for (let i = 1; i <= 40; i++) {
    const owner = 1 + (i % 3);
    const type = owner === 2 ? 'color-similarity' : 'media-matching';
    const image = { id: `p${i}`, keywords: [`k${i}`], dna: dnaOf(type, i) };
    await store.append(owner, owner === 1 ? { ...image, thumbnail: thumbnail(i) } : image);
  }
  await store.remove(1 + (10 % 3), 10);
  await store.remove(1 + (40 % 3), 40); // the highest number
  await store.close();
  applications.delete(3);
  applications.delete(4); // the highest number
  applications.close();
  assert.deepEqual(verify(sound).damages, []);
});

async function contents(folder: string) {
  const applications = openApplicationStore(folder);
  const store = await openImageStore(folder);
  const images = new Map<number, ImageRecord[]>();
  const thumbnails = new Map<number, Uint8Array>();
  for (const { number } of applications.list()) {
    const found: ImageRecord[] = [];
    for await (const batch of store.replay(number)) {
      for (const image of batch) {
        found.push({ ...image, dna: new Uint8Array(image.dna) });
        const jpeg = await store.thumbnail(number, image.number);
        if (jpeg) thumbnails.set(image.number, new Uint8Array(jpeg));
      }
    }
    images.set(number, found);
  }
  const list = applications.list();
  const [profile] = applications.profiles.list();
  const keys = { administrators: applications.administrators(), lastUses: applications.lastUses() };
  const { number } = applications.create(application('e', 'media-matching'));
  const next = await store.append(1, { id: 'next', keywords: [], dna: dnaOf('media-matching', 99) });
  const deleted = applications.deleted();
  await store.close();
  applications.close();
  return { list, ...keys, profile, images, thumbnails, deleted, nextApplication: number, nextImage: next };
}

test('a sound folder is the same after it is rewritten, and no number is assigned twice', async () => {
  const to = join(scratch, 'rewritten');
  const { damages, ...counts } = rewriteFolder(sound, to);
  assert.deepEqual(damages, []);
  assert.deepEqual(readdirSync(to).sort(), ['applications.db', 'format', 'images.db'], 'no log is left');
  assert.deepEqual(counts, { applications: 2, images: 25, thumbnails: 13, profiles: 1 });
  assert.deepEqual(verify(to), { applications: 2, images: 25, damages: [] });

  const copy = join(scratch, 'copy');
  cpSync(sound, copy, { recursive: true });
  const expected = await contents(copy);
  const found = await contents(to);
  assert.deepEqual(found, expected);
  assert.deepEqual([found.nextApplication, found.nextImage], [5, 41]);
  assert.deepEqual([found.administrators, found.lastUses], [[administrator], lastUses]);
});

test('a damaged picture is named and left out, and the damaged folder does not change', async () => {
  const folder = join(scratch, 'damaged');
  cpSync(sound, folder, { recursive: true });
  const path = join(folder, 'images.db');
  const bytes = readFileSync(path);
  bytes[bytes.indexOf(dnaOf('media-matching', 9).subarray(200, 220))]! ^= 1;
  writeFileSync(path, bytes);
  // SQLite keeps the shared files of readers beside a database until they end
  const filesOf = () => readdirSync(folder).filter((name) => !/-(shm|wal)$/.test(name));
  const files = filesOf();

  const to = join(scratch, 'repaired');
  const { damages, images } = repair(folder, to);
  assert.equal(images, 24);
  assert.equal(damages.length, 1);
  const [{ what, ...where }] = damages as [(typeof damages)[0]];
  assert.deepEqual(where, { file: 'images.db', application: 1, number: 9, id: 'p9' });
  assert.match(what, /expected the checksum/);
  assert.deepEqual(verify(to), { applications: 2, images: 24, damages: [] });

  assert.deepEqual(filesOf(), files);
  assert.deepEqual(readFileSync(path), bytes);
});

test('an unreadable application is lost with its pictures, and its number is not assigned again', () => {
  const folder = join(scratch, 'lost');
  cpSync(sound, folder, { recursive: true });
  const path = join(folder, 'applications.db');
  const bytes = readFileSync(path);
  bytes[bytes.indexOf('application b')]! ^= 1;
  writeFileSync(path, bytes);

  const to = join(scratch, 'without');
  const { damages, ...counts } = rewriteFolder(folder, to);
  assert.deepEqual(counts, { applications: 1, images: 13, thumbnails: 13, profiles: 1 });
  assert.deepEqual(
    damages.map(({ file, application: number }) => [file, number]),
    [
      ['applications.db', 2],
      ['images.db', 2],
    ],
  );
  assert.deepEqual(verify(to).damages, []);
  const applications = openApplicationStore(to);
  assert.deepEqual(applications.deleted(), [2, 3, 4]);
  applications.close();
});

test('damaged keys of administrators, and damaged last uses, are named and left out alone', () => {
  for (const [text, what, ...left] of [
    ['chief of all', /^the keys of administrators: expected the checksum/, [], lastUses],
    ['2026-02-03', /^the last uses of keys: expected the checksum/, [administrator], {}],
  ] as const) {
    const folder = mkdtempSync(join(scratch, 'administration-'));
    cpSync(sound, folder, { recursive: true });
    const path = join(folder, 'applications.db');
    const bytes = readFileSync(path);
    bytes[bytes.indexOf(text)]! ^= 1;
    writeFileSync(path, bytes);
    const named = (damages: readonly { what: string }[]) => damages.filter((damage) => what.test(damage.what)).length;
    assert.equal(named(verify(folder).damages), 1, text);

    const to = join(folder, 'repaired');
    const { damages, applications: kept } = rewriteFolder(folder, to);
    assert.deepEqual([named(damages), kept], [1, 2]);
    assert.deepEqual(verify(to).damages, []);
    const applications = openApplicationStore(to);
    assert.deepEqual([applications.administrators(), applications.lastUses()], left);
    applications.close();
  }
});

test('a folder in use by a server and one that is not empty are refused', async () => {
  const held = join(scratch, 'held');
  cpSync(sound, held, { recursive: true });
  const store = await openImageStore(held);
  const failsAs = (error: string) => (cause: unknown) => cause instanceof Failure && cause.error === error;
  assert.throws(() => repair(held, join(scratch, 'never')), failsAs('STORE_LOCKED'));
  await store.close();
  assert.throws(() => repair(sound, held), failsAs('STORE_UNAVAILABLE'));
});

test('a folder that has no pictures yet has none after it is rewritten', () => {
  const folder = join(scratch, 'without pictures');
  openApplicationStore(folder).close();
  const counts = rewriteFolder(folder, join(scratch, 'still without'));
  assert.deepEqual(counts, { applications: 0, images: 0, thumbnails: 0, profiles: 0, damages: [] });
});

test('a page that nothing uses is a fault of the structure, which is reported', () => {
  const folder = join(scratch, 'unused page');
  rewriteFolder(sound, folder);
  const path = join(folder, 'images.db');
  const bytes = readFileSync(path);
  const pages = bytes.readUInt32BE(28);
  assert.equal(bytes.length % pages, 0);
  bytes.writeUInt32BE(pages + 1, 28);
  writeFileSync(path, Buffer.concat([bytes, Buffer.alloc(bytes.length / pages)]));
  assert.deepEqual(verify(folder).damages, [{ file: 'images.db', what: `Page ${pages + 1}: never used` }]);
});

test('records and details are those of the kept applications, also where one was emptied; of pictures with one id the last stays', async () => {
  const folder = join(scratch, 'with records');
  const applications = openApplicationStore(folder);
  for (const name of ['a', 'b', 'c']) applications.create(application(name, 'media-matching'));
  const store = await openImageStore(folder);
  const record = (id: string) => ({ kind: 'k', id, body: Buffer.from(id) });
  for (const number of [1, 2, 3]) await store.changeRecords(number, [record(`of ${number}`)]);
  const dna = dnaOf('media-matching', 1);
  for (const id of ['x', 'y', 'x', 'x'])
    await store.append(2, { id, keywords: [], dna, details: { format: id }, thumbnail: thumbnail(1) });
  await store.close();
  assert.equal(applications.empty(1).number, 4);
  applications.delete(3);
  applications.close();

  const to = join(scratch, 'records kept');
  const { damages, images, thumbnails } = rewriteFolder(folder, to);
  assert.deepEqual([images, thumbnails], [2, 2]);
  assert.deepEqual(
    damages.map(({ application: number, number: picture, id, what }) => [number, picture, id, what]),
    [1, 3].map((number) => [2, number, 'x', 'another picture of the application, number 4, has the same id']),
  );
  const copy = await openImageStore(to);
  const ids = async (number: number) => (await copy.records(number, 'k')).map(({ id }) => id);
  assert.deepEqual([await ids(1), await ids(2), await ids(3)], [['of 1'], ['of 2'], []]);
  assert.deepEqual([await copy.details(2, 2), await copy.details(2, 4)], [{ format: 'y' }, { format: 'x' }]);
  assert.equal(await copy.append(2, { id: 'next', keywords: [], dna }), 5);
  await copy.close();
});

test('a damaged thumbnail and one without its picture are left out and named', async () => {
  const folder = join(scratch, 'damaged thumbnails');
  cpSync(sound, folder, { recursive: true });
  const database = new Database(join(folder, 'images.db'));
  database.exec("UPDATE thumbnails SET jpeg = x'00' WHERE number = 3; DELETE FROM images WHERE number = 6");
  database.close();
  const to = join(scratch, 'without thumbnails');
  const { damages, images, thumbnails } = rewriteFolder(folder, to);
  assert.deepEqual([images, thumbnails], [24, 11]);
  const said = damages.map(({ number, what }) => `${number} ${what}`).join('\n');
  assert.match(said, /^3 its thumbnail: expected the checksum/m);
  assert.match(said, /^6 a thumbnail without its picture$/m);
  assert.deepEqual(verify(to).damages, []);
});

test('a backup is restored into a missing or empty folder alone', () => {
  const to = join(scratch, 'restored');
  assert.equal(restore(sound, to).images, 25);
  const [stranger] = readdirSync(to);
  const refused = { error: 'STORE_UNAVAILABLE', detail: new RegExp(`^${to}: .*, found ${stranger}$`) };
  assert.throws(() => restore(sound, to), refused);
  assert.equal(restore(sound, mkdtempSync(join(scratch, 'empty-'))).images, 25);
});
