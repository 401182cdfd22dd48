import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import Database from 'libsql';
import { type NetworkIdentity, networkSpecOf } from '@sosia/engine';
import { fail } from '../errors.ts';
import { type ApplicationStore, openApplicationStore } from './application-store.ts';
import { application, key } from './application.test.kit.ts';
import { rowDigests } from './application-table.ts';
import { openToRead } from './database.ts';
import { embeddingName, embeddingNetwork } from './embedding-network.ts';
import { readFormat } from './folder.ts';
import { readIdentity, writeIdentity } from './identity.ts';
import { openFilesIn } from './open-files.test.kit.ts';
import { ADMINISTRATORS, RowDigestTable } from './row-digests.ts';
import type { Damage } from './store.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sosia-application-store-'));
after(() => rmSync(scratch, { recursive: true }));
let folders = 0;
let folder: string;
let damages: Damage[];
beforeEach(() => {
  folder = join(scratch, String(++folders));
  damages = [];
});

const path = (name = 'applications.db') => join(folder, name);
/** Opens the folder, with the applications of these names if it is new. */
function opened(...names: string[]): ApplicationStore {
  const store = openApplicationStore(folder, (damage) => damages.push(damage));
  for (const name of names) store.create(application(name));
  return store;
}
function tampered(sql: string, name = 'applications.db'): void {
  const database = new Database(path(name));
  database.exec(`PRAGMA writable_schema = ON; ${sql}; PRAGMA wal_checkpoint(TRUNCATE)`);
  database.close();
}
/** A table whose definition nobody can read: SQLite opens the database to read alone. */
const hidden = (table: string) => `UPDATE sqlite_schema SET sql = CAST(x'00' AS TEXT) WHERE name = '${table}'`;
const names = (store: ApplicationStore) => store.list().map(({ number, name }) => `${number} ${name}`);
const written = () => readIdentity(openToRead(path())).written;

test('keys are changed in one step, those of administrators too, and all of them are known', () => {
  const store = opened('a', 'b');
  store.changeKeys(null, (keys) => [...keys, key('root')]);
  store.changeKeys(2, (keys) => [...keys, key('second')]);
  store.changeKeys(null, (keys) => [...keys, key('deputy')]);
  const digests = ['a', 'b', 'root', 'second', 'deputy', 'none'].map((name) => store.knows(key(name).digest));
  assert.deepEqual(digests, [true, true, true, true, true, false]);
  assert.deepEqual(store.administrators(), [key('root'), key('deputy')]);
  assert.deepEqual(store.list().map(({ keys }) => keys.length), [1, 2]); // prettier-ignore
  assert.throws(() => store.changeKeys(3, () => []), { error: 'UNKNOWN_APPLICATION', detail: 'number 3' });
  store.close();
});

test('a change whose work fails changes nothing: a failure as it is, another error as a failed write or damage', () => {
  const store = opened('a');
  const [revision, identity] = [store.revision(), written()];
  const failing = (cause: Error) => () => store.changeKeys(1, () => assert.fail(cause));
  assert.throws(failing(fail('CONFLICT', 'x')), { error: 'CONFLICT' });
  assert.throws(failing(new Error('no room')), { error: 'STORE_WRITE_FAILED', message: /no room/ });
  assert.throws(failing(Object.assign(new Error('malformed'), { code: 'SQLITE_CORRUPT' })), { error: 'STORE_DAMAGED' });
  assert.equal(store.revision(), revision);
  assert.notEqual(written(), identity, 'the generation was announced');
  assert.deepEqual(store.list()[0]!.keys, [key('a')]);
  store.close();
});

test('each change begins a generation, which the format file notes, and counts as one', () => {
  const store = opened('a');
  const before = readIdentity(openToRead(path()));
  store.update(1, { enabled: false });
  const { generation, changes } = readIdentity(openToRead(path()));
  assert.deepEqual([generation.count, changes], [before.generation.count + 1, before.changes + 1]);
  assert.deepEqual(readIdentity(openToRead(path('images.db'))).generation, generation);
  assert.equal((readFormat(folder) as { generation: number }).generation, generation.count);
  store.close();
  assert.equal(readFileSync(`${path()}-wal`).length, 0, 'a stop puts the log into the database');
});

test('the last uses of keys are kept, link the log anew and change no revision', () => {
  const store = opened('a');
  assert.deepEqual(store.lastUses(), {});
  const [revision, link] = [store.revision(), written()];
  const uses = { [key('a').digest]: '2026-02-03T00:00:00.000Z' };
  store.saveLastUses(uses);
  assert.equal(store.revision(), revision);
  assert.notEqual(written(), link);
  assert.deepEqual(store.lastUses(), uses);
  store.close();
  const again = opened();
  assert.deepEqual(again.lastUses(), uses);
  again.close();
});

test('an emptied application has a new number, and remembers its first one; the former counts as deleted', () => {
  const store = opened('a', 'b');
  const { number: _, ...rest } = store.list()[0]!;
  assert.deepEqual(store.empty(1), { ...rest, number: 3, origin: 1 });
  assert.deepEqual(store.empty(3), { ...rest, number: 4, origin: 1 });
  assert.deepEqual(
    [names(store), store.deleted()],
    [
      ['2 b', '4 a'],
      [1, 3],
    ],
  );
  assert.throws(() => store.empty(1), { error: 'UNKNOWN_APPLICATION' });
  store.close();
});

test('a new number is above those of rows and above the one that the identity has', () => {
  opened('a', 'b').close();
  const database = new Database(path());
  writeIdentity(database, { ...readIdentity(database), applications: 9 });
  database.close();
  const store = opened('c');
  store.delete(10);
  store.create(application('d'));
  assert.deepEqual(names(store), ['1 a', '2 b', '11 d']);
  store.close();
});

test('a network is stored once, and goes with the last application that is described by it', () => {
  const spec = networkSpecOf({ output: 'embedding' });
  const networks = [1, 2].map((byte) => embeddingNetwork(spec, Uint8Array.of(byte), 3));
  const [first, second] = networks.map(({ identity }) => identity) as unknown as [NetworkIdentity, NetworkIdentity];
  assert.match(first.digest, /^[0-9a-f]{16}$/);
  assert.deepEqual(networks[0]!.network, { name: `embedding-${first.digest}`, spec, model: Uint8Array.of(1) });
  assert.equal(networks[0]!.identity.length, 3);
  assert.notEqual(first.digest, second.digest);
  const store = opened();
  const create = (at: number) => {
    const { network, identity } = networks[at]!;
    return store.create({ ...application('a'), network: identity } as never, network).number;
  };
  const kept = () => store.profiles.names().map(({ name }) => name);
  const [a, b, c] = [create(0), create(0), create(1)];
  const both = [embeddingName(first), embeddingName(second)].sort();
  assert.deepEqual(kept(), both);
  const plain = store.create(application('plain')).number;
  store.delete(a);
  store.delete(plain);
  assert.deepEqual(kept(), both, 'another application has it');
  store.delete(c);
  assert.deepEqual(kept(), [embeddingName(first)]);
  store.delete(b);
  assert.deepEqual(kept(), []);
  store.close();
});

test('damage of the structure is reported, and where it could spread nothing is changed', () => {
  opened('a', 'b').close();
  const bytes = readFileSync(path());
  bytes.writeUInt32BE(5, 36); // free pages that are not there
  writeFileSync(path(), bytes);
  const store = opened();
  assert.deepEqual(damages.map(({ file }) => file), ['applications.db']); // prettier-ignore
  assert.match(damages[0]!.what, /freelist/i);
  assert.deepEqual(names(store), ['1 a', '2 b']);
  const refused = { error: 'STORE_READ_ONLY', message: /applications\.db is damaged \(.*freelist.*`sosia repair`/i };
  assert.throws(() => store.create(application('c')), refused);
  store.saveLastUses({ a: 'b' });
  assert.deepEqual(store.lastUses(), {});
  store.close();
  assert.deepEqual(readFileSync(path()), bytes);
});

test('a database that can be read but not opened for changes is read', () => {
  opened('a').close();
  tampered(hidden('profiles'));
  const store = opened();
  assert.ok(damages.some(({ file, what }) => file === 'applications.db' && /malformed/.test(what)));
  assert.deepEqual(names(store), ['1 a']);
  assert.throws(() => store.create(application('b')), { error: 'STORE_READ_ONLY', message: /malformed/ });
  store.close();
});

test('where images.db is damaged, applications change without a generation', () => {
  opened('a').close();
  const { generation } = readIdentity(openToRead(path()));
  tampered(hidden('details'), 'images.db');
  const store = opened();
  const revision = store.revision();
  assert.equal(store.create(application('b')).number, 2);
  assert.deepEqual(names(store), ['1 a', '2 b']);
  assert.notEqual(store.revision(), revision);
  assert.deepEqual(readIdentity(openToRead(path())).generation, generation);
  store.close();
});

test('a damaged application is reported once, and a folder of which none can be read is damaged', () => {
  opened('a', 'b').close();
  tampered('UPDATE applications SET crc = crc + 1 WHERE number = 1');
  const store = opened();
  assert.deepEqual(damages.map((damage) => damage.application), [1]); // prettier-ignore
  for (const enabled of [true, false]) {
    store.update(2, { enabled });
    assert.deepEqual(names(store), ['2 b']);
  }
  assert.equal(damages.length, 1);
  store.close();
  tampered('UPDATE applications SET crc = crc + 1 WHERE number = 2');
  assert.throws(() => opened(), { error: 'STORE_DAMAGED', message: /no application in applications\.db can be read/ });
});

test('no key of a row that is not the latest is accepted, until the row is changed', () => {
  const first = opened('a', 'b');
  first.changeKeys(null, () => [key('root')]);
  first.close();
  const { digests } = rowDigests(openToRead(path()));
  const images = new Database(path('images.db'));
  const other = new Map([ADMINISTRATORS, 1].map((number) => [number, digests.get(number)!]));
  new RowDigestTable(images).note({ other, missing: [] });
  images.close();
  const store = opened();
  assert.deepEqual(new Set(damages.map((damage) => damage.application)), new Set([undefined, 1]));
  const known = () => ['root', 'a', 'b'].map((name) => store.knows(key(name).digest));
  assert.deepEqual([known(), store.administrators()], [[false, false, true], []]);
  store.changeKeys(1, (keys) => [...keys, key('new')]);
  store.changeKeys(null, (keys) => [...keys, key('other')]);
  assert.deepEqual(store.list()[0]!.keys, [key('new')]);
  assert.deepEqual([known(), store.administrators()], [[false, false, true], [key('other')]]);
  store.close();
});

test('what cannot be opened is named with its path', () => {
  writeFileSync(folder, '');
  assert.throws(() => opened(), { error: 'STORE_UNAVAILABLE', message: new RegExp(path()) });
  rmSync(folder);
});

test('a store that is closed has no file open', async () => {
  opened('a').close();
  const { removeLogs } = await import('./remove-logs.ts');
  await removeLogs(folder);
  assert.deepEqual(openFilesIn(folder), []);
});
