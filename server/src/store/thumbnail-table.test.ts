import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import Database from 'libsql';
import { openToRead } from './database.ts';
import { openImageStore } from './image-store.ts';
import type { Damage } from './store.ts';
import { thumbnailReader } from './thumbnail-table.ts';
import { verify } from './verify.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sosia-thumbnails-'));
after(() => rmSync(scratch, { recursive: true }));
let folders = 0;
const newFolder = () => join(scratch, `data-${++folders}`);

const jpeg = (i: number) => Uint8Array.from({ length: 300 + i }, (_, k) => (i * 7 + k) & 255);
const picture = (i: number) => ({ id: `p${i}`, keywords: [], dna: new Uint8Array(50).fill(i) });
const bytes = (thumbnail: Uint8Array | undefined) => thumbnail && new Uint8Array(thumbnail);

/** Here the pictures are stored without their applications, which `verify` rightly misses. */
const damagesOf = (folder: string): string[] =>
  verify(folder)
    .damages.map(({ what }) => what)
    .filter((what) => what !== 'pictures of an application that is not there');

/** Pictures 1 to 9 of application 1; all but every third have a thumbnail. */
async function filled(): Promise<string> {
  const folder = newFolder();
  const store = await openImageStore(folder);
  for (let i = 1; i <= 9; i++) {
    await store.append(1, i % 3 === 0 ? picture(i) : { ...picture(i), thumbnail: jpeg(i) });
  }
  await store.close();
  assert.deepEqual(damagesOf(folder), []);
  return folder;
}

function tampered(folder: string, ...statements: string[]): void {
  const database = new Database(join(folder, 'images.db'));
  for (const statement of statements) database.exec(statement);
  database.close();
}

test('a thumbnail is present after a restart, for its own picture and application alone', async () => {
  const store = await openImageStore(await filled());
  for (let i = 1; i <= 9; i++) {
    assert.deepEqual(bytes(await store.thumbnail(1, i)), i % 3 === 0 ? undefined : jpeg(i), String(i));
  }
  assert.equal(await store.thumbnail(2, 1), undefined);
  assert.equal(await store.thumbnail(1, 99), undefined);
  await store.close();
});

test('a thumbnail is removed with its picture, and with its application', async () => {
  const folder = await filled();
  const store = await openImageStore(folder);
  await store.remove(2, 1); // of another application: no effect
  assert.ok(await store.thumbnail(1, 1));
  await store.remove(1, 1);
  assert.equal(await store.thumbnail(1, 1), undefined);
  await store.append(2, { ...picture(10), thumbnail: jpeg(10) });
  await store.purge(1);
  assert.equal(await store.thumbnail(1, 2), undefined);
  assert.deepEqual(bytes(await store.thumbnail(2, 10)), jpeg(10));
  await store.close();
  assert.deepEqual(damagesOf(folder), []);
});

test('a snapshot contains the thumbnail', async () => {
  const store = await openImageStore(await filled());
  const copy = newFolder();
  await store.snapshot(copy);
  await store.close();
  assert.deepEqual(damagesOf(copy), []);
  const copied = await openImageStore(copy);
  assert.deepEqual(bytes(await copied.thumbnail(1, 4)), jpeg(4));
  await copied.close();
});

test('a damaged thumbnail is reported and not returned; the picture itself is still served', async (t) => {
  const folder = await filled();
  const path = join(folder, 'images.db');
  const content = readFileSync(path);
  content[content.indexOf(jpeg(5)) + 100]! ^= 4;
  writeFileSync(path, content);
  assert.match(damagesOf(folder).join(), /^its thumbnail: expected the checksum \d+, found \d+$/);

  const damages: Damage[] = [];
  const store = await openImageStore(folder, (damage) => damages.push(damage));
  t.after(() => store.close());
  assert.equal(await store.thumbnail(1, 5), undefined);
  assert.deepEqual(
    damages.map(({ application, number }) => [application, number]),
    [[1, 5]],
  );
  assert.deepEqual(store.setAside(1), [], 'the picture is not lost');
  assert.deepEqual(bytes(await store.dna(1, 5)), picture(5).dna);
  assert.deepEqual(bytes(await store.thumbnail(1, 4)), jpeg(4));
});

test('verify finds a missing thumbnail, and one without its picture', async () => {
  const incomplete = await filled();
  tampered(incomplete, 'DELETE FROM thumbnails WHERE number = 2');
  assert.deepEqual(damagesOf(incomplete), ['expected 6 thumbnails by the tally, found 5 or not the same']);

  const orphaned = await filled();
  tampered(orphaned, 'DELETE FROM images WHERE number = 2');
  const [damage] = verify(orphaned).damages.filter(({ what }) => what === 'a thumbnail without its picture');
  assert.deepEqual([damage?.application, damage?.number, damage?.records], [1, 2, 0], 'no further picture is lost');
});

test('a thumbnail whose picture is lost is removed with its application', async () => {
  const folder = await filled();
  tampered(folder, 'DELETE FROM images WHERE number = 2');
  const store = await openImageStore(folder);
  await store.purge(1);
  await store.close();
  assert.deepEqual(damagesOf(folder), []);
});

test('thumbnails on a page that cannot be read are named by their numbers, and the others are read', async (t) => {
  const folder = newFolder();
  const store = await openImageStore(folder);
  const large = (i: number) => new Uint8Array(3000).fill(100 + i);
  for (let i = 1; i <= 9; i++) await store.append(1, { ...picture(i), thumbnail: large(i) });
  await store.close();
  const path = join(folder, 'images.db');
  const content = readFileSync(path);
  const at = content.indexOf(large(5).subarray(0, 100));
  content.fill(0xff, at - (at % 4096), at - (at % 4096) + 4096);
  writeFileSync(path, content);
  const found = [...thumbnailReader(openToRead(path)).damages(12)];
  const file = 'images.db';
  assert.deepEqual(found, [
    { file, numbers: { from: 5, to: 5 }, records: 0, what: 'thumbnails of these pictures cannot be read, if any' },
    { file, application: 1, what: 'expected 9 thumbnails by the tally, found 8 or not the same' },
  ]);
  const damages: Damage[] = [];
  const again = await openImageStore(folder, (damage) => damages.push(damage));
  t.after(() => again.close());
  damages.length = 0;
  assert.equal(await again.thumbnail(1, 5), undefined);
  assert.deepEqual(damages.map(({ number, records }) => [number, records]), [[5, 0]]); // prettier-ignore
  assert.match(damages[0]!.what, /^its thumbnail: database disk image is malformed/);
  assert.deepEqual(bytes(await again.thumbnail(1, 6)), large(6));
});

test('a tally of thumbnails that cannot be read is named, and so is one of an application without any', async () => {
  const of = (folder: string) => {
    const reader = thumbnailReader(openToRead(join(folder, 'images.db')));
    return [...reader.damages(9)].map(({ application, what }) => `${application} ${what}`);
  };
  const counted = await filled();
  tampered(counted, 'INSERT INTO thumbnail_tallies VALUES (7, 2, 3)');
  assert.deepEqual(of(counted), ['7 expected 2 thumbnails by the tally, found 0 or not the same']);
  const lost = await filled();
  tampered(lost, 'DROP TABLE thumbnail_tallies');
  assert.deepEqual(of(lost), ['1 its tally of thumbnails cannot be read']);
});
