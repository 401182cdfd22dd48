import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import Database from 'libsql';
import { networkSpecOf } from '@sosia/engine';
import { openApplicationStore } from './application-store.ts';
import { application } from './application.test.kit.ts';
import { dnaOf } from './dna.test.kit.ts';
import { embeddingNetwork } from './embedding-network.ts';
import { openImageStore } from './image-store.ts';
import { PartitionFileWriter } from './saved-index/partition-file.ts';
import { SavedIndexes } from './saved-index/saved-index.ts';
import { verify } from './verify.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sosia-verified-'));
after(() => rmSync(scratch, { recursive: true }));
const sound = join(scratch, 'sound');
const { network, identity } = embeddingNetwork(networkSpecOf({ output: 'embedding' }), Uint8Array.of(1), 3);

before(async () => {
  const applications = openApplicationStore(sound);
  applications.create(application('a'));
  applications.create({ ...application('b'), type: 'image-similarity', network: identity }, network);
  applications.create(application('deleted'));
  const store = await openImageStore(sound);
  for (let i = 1; i <= 3; i++)
    await store.append(1, { id: `p${i}`, keywords: [], dna: dnaOf('media-matching', i), thumbnail: Uint8Array.of(i) });
  await store.append(3, { id: 'q', keywords: [], dna: new Uint8Array(1), thumbnail: Uint8Array.of(9) });
  await store.changeRecords(1, [{ kind: 'k', id: 'r', body: Uint8Array.of(1) }]);
  await store.close();
  applications.delete(3);
  applications.close();
});

let copies = 0;
function changed(file: string, sql: string): string {
  const folder = join(scratch, `copy-${++copies}`);
  cpSync(sound, folder, { recursive: true });
  const database = new Database(join(folder, file));
  database.exec(`PRAGMA writable_schema = ON; ${sql}; PRAGMA wal_checkpoint(TRUNCATE)`);
  database.close();
  return folder;
}
const said = (folder: string) =>
  verify(folder).damages.map(({ file, application: number, what }) => `${file} ${number ?? ''} ${what}`);

test('sound applications and pictures are counted, without those that wait for their removal', () => {
  assert.deepEqual(verify(sound), { applications: 2, images: 3, damages: [] });
  const deleted = changed(
    'images.db',
    "UPDATE images SET dna = x'00' WHERE application = 3; UPDATE thumbnails SET jpeg = x'00' WHERE application = 3",
  );
  assert.deepEqual(verify(deleted), { applications: 2, images: 3, damages: [] });
  for (const file of ['applications.db', 'images.db']) {
    const folder = changed(file, 'SELECT 1');
    writeFileSync(join(folder, 'format'), 'sosia data 1\n');
    for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(join(folder, name), { force: true });
    assert.equal(verify(folder).damages[0]!.file, file);
  }
  assert.throws(() => verify(join(scratch, 'none')), { error: 'STORE_FORMAT' });
});

test('what is damaged is named where it is, and leaves the count', () => {
  const damaged = changed('images.db', "UPDATE images SET dna = x'00' WHERE number = 2");
  assert.equal(verify(damaged).images, 2);
  assert.match(said(damaged).join(), /^images\.db 1 expected the checksum/);
  const record = changed('images.db', 'UPDATE records SET crc = crc + 1');
  assert.match(said(record).join(), /^images\.db 1 the record k r: expected the checksum/);
  const thumbnail = changed('images.db', 'UPDATE thumbnails SET crc = crc + 1 WHERE number = 3');
  assert.match(said(thumbnail).join(), /its thumbnail: expected the checksum/);
  const foreign = changed(
    'images.db',
    'UPDATE images SET application = 9 WHERE number = 1; UPDATE tallies SET application = 9 WHERE application = 3',
  );
  assert.match(said(foreign).join('\n'), /^images\.db 9 pictures of an application that is not there$/m);
  const row = changed('applications.db', 'UPDATE applications SET crc = crc + 1 WHERE number = 1');
  assert.equal(verify(row).applications, 1);
  assert.deepEqual(said(row).filter((each) => /not there/.test(each)), [], 'its pictures are of a damaged one'); // prettier-ignore
  const without = changed('applications.db', 'DELETE FROM networks');
  assert.deepEqual(said(without), [`applications.db 2 there is no embedding-${identity.digest}`]);
  const unreadable = changed(
    'applications.db',
    "UPDATE sqlite_schema SET sql = CAST(x'00' AS TEXT) WHERE name = 'applications'",
  );
  assert.match(said(unreadable).join(), /^applications\.db/);
});

test('of a saved index a picture that is deleted since is none that differs', async () => {
  const folder = changed('images.db', 'SELECT 1');
  const indexes = new SavedIndexes(folder);
  const words = (...values: number[]) => new Uint8Array(Uint32Array.from(values).buffer);
  const save = (checksums: readonly number[]) =>
    indexes.write(
      1,
      { type: 'media-matching', identity: { folder: 'f', generation: { count: 1, nonce: 'n' } } },
      {
        partitions: async (pathOf) => [await (await PartitionFileWriter.create(pathOf(0), [])).finish()],
        catalogue: () => [
          { name: 'numbers', bytes: words(2, 99) },
          { name: 'checksums', bytes: words(...checksums) },
        ],
        pause: async () => {},
      },
    );
  const database = new Database(join(folder, 'images.db'));
  const { crc } = database.prepare('SELECT crc FROM images WHERE number = 2').get() as { crc: number };
  database.close();
  await save([crc, 5]);
  assert.deepEqual(said(folder), []);
  await save([crc + 1, 5]);
  assert.deepEqual(said(folder), ['index/1.catalogue 1 expected picture 2 as in images.db, found another one']);
});
