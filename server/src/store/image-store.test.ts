import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, test } from 'node:test';
import Database from 'libsql';
import { Metrics } from '../metrics/metrics.ts';
import { type ImageStore, lockImageStore, openImageStore } from './image-store.ts';
import type { Damage, NewImage } from './store.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sosia-image-store-'));
after(() => rmSync(scratch, { recursive: true }));
let folders = 0;
let folder: string;
let damages: Damage[];
let store: ImageStore;
beforeEach(async () => {
  folder = join(scratch, String(++folders));
  damages = [];
  store = await reopened();
});
afterEach(() => store.close());

const path = () => join(folder, 'images.db');
const reopened = async (): Promise<ImageStore> => (store = await openImageStore(folder, (one) => damages.push(one)));
const picture = (id: string, more: Partial<NewImage> = {}): NewImage => ({
  ...{ id, keywords: ['k', id], dna: Uint8Array.of(1, 2, id.length) },
  ...more,
});
async function batches(application = 1, some?: Uint32Array): Promise<string[][]> {
  const found: string[][] = [];
  for await (const batch of store.replay(application, undefined, undefined, some))
    found.push(batch.map(({ id }) => id));
  return found;
}
function tampered(sql: string): void {
  const database = new Database(path());
  database.exec(`PRAGMA writable_schema = ON; ${sql}; PRAGMA wal_checkpoint(TRUNCATE)`);
  database.close();
}

test('a picture and its parts are read by its application and number, and others are unknown', async () => {
  const details = { format: 'png', metadata: { year: 1999 } };
  assert.equal(await store.append(1, picture('a', { thumbnail: Uint8Array.of(7), details })), 1);
  assert.equal(await store.append(1, picture('bb')), 2);
  assert.deepEqual(new Uint8Array(await store.dna(1, 1)), Uint8Array.of(1, 2, 1));
  assert.deepEqual(new Uint8Array((await store.thumbnail(1, 1))!), Uint8Array.of(7));
  assert.deepEqual(await store.details(1, 1), details);
  assert.deepEqual([await store.thumbnail(1, 2), await store.details(1, 2)], [undefined, undefined]);
  for (const [application, number] of [
    [2, 1],
    [1, 3],
  ] as const) {
    // prettier-ignore
    await assert.rejects(store.dna(application, number), { error: 'UNKNOWN_IMAGE', detail: `number ${number}` });
    assert.equal(await store.details(application, number), undefined);
  }
  assert.deepEqual([await store.count(1), await store.count(2)], [2, 0]);
  const held = (await store.held(1))!;
  assert.deepEqual([[...held.numbers], held.tally.count], [[1, 2], 2]);
  assert.deepEqual(held.identity, await store.identity());
  assert.equal(await store.replace(1, 1, picture('c')), 3);
  await assert.rejects(store.replace(1, 1, picture('d')), { error: 'UNKNOWN_IMAGE', detail: 'd' });
  assert.deepEqual(await batches(), [['bb', 'c']]);
  await store.remove(1, 2);
  await store.remove(1, 2);
  assert.deepEqual([await batches(), await batches(2)], [[['c']], []]);
});

test('bytes that are a view are copied, not taken from their owner', async () => {
  const shared = Uint8Array.of(1, 2, 3, 4, 5);
  await store.append(1, picture('a', { dna: shared.subarray(1, 3), thumbnail: shared.subarray(3) }));
  assert.deepEqual(shared, Uint8Array.of(1, 2, 3, 4, 5));
  assert.deepEqual(new Uint8Array(await store.dna(1, 1)), Uint8Array.of(2, 3));
  assert.deepEqual(new Uint8Array((await store.thumbnail(1, 1))!), Uint8Array.of(4, 5));
});

test('a replay has batches of 256 pictures, or of 2 MB of DNA, in the order of their addition', async () => {
  await Promise.all(Array.from({ length: 513 }, (_, i) => store.append(1, picture(`p${i}`))));
  assert.deepEqual((await batches()).map(({ length }) => length), [256, 256, 1]); // prettier-ignore
  assert.deepEqual(await batches(1, Uint32Array.of(2, 513)), [['p1', 'p512']]);
  const half = new Uint8Array(2 ** 20);
  for (const dna of [half, half, half.subarray(1), half, half]) await store.append(2, picture('x', { dna }));
  assert.deepEqual((await batches(2)).map(({ length }) => length), [2, 3]); // prettier-ignore
});

test('records are found by kind and id, and change only from the version that is expected', async () => {
  const put = (id: string, expected?: number) => ({
    ...{ kind: 'k', id, body: Buffer.from(id) },
    ...(expected !== undefined && { expected }),
  });
  await store.changeRecords(1, [put('a'), put('c'), put('b')]);
  await store.changeRecords(1, [{ ...put('z'), kind: 'other' }]);
  const ids = async (found: Promise<{ id: string }[]>) => (await found).map(({ id }) => id);
  assert.deepEqual(await ids(store.records(1, 'k')), ['a', 'b', 'c']);
  assert.deepEqual(await ids(store.recordsAfter(1, 'k', 'a', 1)), ['b']);
  assert.equal((await store.lastRecord(1, 'k'))!.id, 'c');
  assert.equal(await store.record(1, 'k', 'none'), undefined);
  const { version } = (await store.record(1, 'k', 'a'))!;
  await store.changeRecords(1, [put('a', version)]);
  const conflict = { error: 'CONFLICT', detail: 'k a, k d' };
  await assert.rejects(store.changeRecords(1, [put('a', version), put('d')]), conflict);
  assert.equal((await store.record(1, 'k', 'a'))!.version, version + 1);
  await store.forget([1]);
  assert.deepEqual(await store.records(1, 'k'), []);
});

test('a picture that fails its checksum is reported at each reading, and set aside once until it is removed', async () => {
  await store.append(1, picture('a'));
  await store.append(1, picture('b', { thumbnail: Uint8Array.of(1) }));
  await store.close();
  tampered("UPDATE images SET dna = x'00' WHERE number = 1; UPDATE thumbnails SET jpeg = x'00'");
  await reopened();
  const what = { error: 'STORE_DAMAGED', detail: /^picture 1 \(a\): expected the checksum/ };
  await assert.rejects(store.dna(1, 1), what);
  await assert.rejects(store.dna(1, 1), what);
  assert.deepEqual(await batches(), [['b']]);
  assert.equal(damages.length, 3);
  assert.equal(await store.thumbnail(1, 2), undefined);
  assert.equal(damages.length, 4);
  assert.deepEqual(store.setAside(1).map(({ number }) => number), [1]); // prettier-ignore
  await store.remove(1, 1);
  assert.deepEqual([store.setAside(1), await batches()], [[], [['b']]]);
});

test('a database that SQLite opens for reading alone is read, and refuses changes', async () => {
  await store.append(1, picture('a'));
  await store.close();
  tampered("UPDATE sqlite_schema SET sql = CAST(x'00' AS TEXT) WHERE name = 'details'");
  const bytes = readFileSync(path());
  await reopened();
  assert.ok(damages.some(({ file, what }) => file === 'images.db' && /malformed/.test(what)));
  assert.equal(store.state, 'read-only');
  assert.deepEqual(await batches(), [['a']]);
  const refused = { error: 'STORE_READ_ONLY', message: /images\.db is damaged \(.*malformed.*`sosia repair`/ };
  await assert.rejects(store.append(1, picture('b')), refused);
  await store.close();
  assert.equal(store.state, 'closed');
  assert.ok(readFileSync(path()).equals(bytes));
});

test('a stop puts the logs into the databases and removes them, and unlocks the folder; a failed opening unlocks it, too', async () => {
  await store.append(1, picture('a'));
  await assert.rejects(openImageStore(folder), { error: 'STORE_LOCKED' });
  await store.close();
  const files = readdirSync(folder).filter((name) => /-(wal|shm)$/.test(name));
  assert.deepEqual(files, []);
  const bytes = readFileSync(path());
  writeFileSync(path(), 'no database'.repeat(1000));
  for (let i = 0; i < 2; i++) {
    const failing = await lockImageStore(folder, () => {}, new Metrics());
    await assert.rejects(failing.open(), { error: 'STORE_DAMAGED' });
    assert.equal(failing.state, 'closed');
  }
  writeFileSync(path(), bytes);
  await reopened();
  assert.deepEqual(await batches(), [['a']]);
});

test('the metrics count changes, the bytes of the folder, and whether it takes changes', async () => {
  await store.close();
  const metrics = new Metrics();
  store = await openImageStore(folder, () => {}, metrics);
  await Promise.all(['a', 'b', 'c'].map((id) => store.append(1, picture(id))));
  const text = await metrics.text();
  const value = (name: string) => Number(new RegExp(`^sosia_${name} (\\S+)$`, 'm').exec(text)![1]);
  assert.equal(value('store_changes_total'), 3);
  assert.equal(value('store_writable'), 1);
  assert.ok(value('store_bytes') >= readFileSync(path()).length, text);
  const copy = join(scratch, `copy-${folders}`);
  await store.snapshot(copy);
  assert.ok(existsSync(join(copy, 'images.db')));
  await assert.rejects(store.snapshot(copy), { error: 'SNAPSHOT_FAILED' });
  await store.close();
  assert.match(await metrics.text(), /^sosia_store_writable 0$/m);
});

test('of many faults of the structure twenty are reported', async () => {
  await store.append(1, picture('a'));
  await store.close();
  const bytes = readFileSync(path());
  const pages = bytes.readUInt32BE(28);
  assert.equal(bytes.length, 4096 * pages);
  const longer = Buffer.concat([bytes, Buffer.alloc(4096 * 21)]);
  longer.writeUInt32BE(pages + 21, 28);
  writeFileSync(path(), longer);
  await reopened();
  assert.equal(damages.length, 20);
  assert.ok(damages.every(({ file, what }) => file === 'images.db' && /^Page \d+: never used$/.test(what)));
  assert.equal(store.state, 'available');
  assert.deepEqual(await batches(), [['a']]);
});
