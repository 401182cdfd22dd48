import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import Database from 'libsql';
import { Failure } from '../errors.ts';
import { openApplicationStore } from './application-store.ts';
import { openToRead } from './database.ts';
import { dnaOf } from './dna.test.kit.ts';
import { ImageReader, isDamage } from './image-reader.ts';
import { openImageStore } from './image-store.ts';
import { repair } from './repair.ts';
import type { ApplicationRecord, Damage, ImageRecord } from './store.ts';
import { verify } from './verify.ts';

const PAGE = 4096;
const scratch = mkdtempSync(join(tmpdir(), 'sosia-damage-'));
after(() => rmSync(scratch, { recursive: true }));
const sound = join(scratch, 'sound');

const application = (name: string): Omit<ApplicationRecord, 'number'> => ({
  keys: [],
  type: 'media-matching',
  name: `application ${name}`,
  enabled: true,
  defaults: { nbResults: 10, colorWeight: 50, retrievalThreshold: 1 },
});
const picture = (i: number): Omit<ImageRecord, 'number'> => ({
  id: `picture-${i}`,
  keywords: [`keyword ${i}`],
  dna: dnaOf('media-matching', i),
});
/** By application and number: odd numbers are of application 1, even ones of application 2. */
const stored = new Map<number, ImageRecord>();

before(async () => {
  const applications = openApplicationStore(sound);
  for (const name of 'abcdef') applications.create(application(name));
  applications.delete(4);
  applications.close();
  const store = await openImageStore(sound);
  for (let i = 1; i <= 60; i++) {
    assert.equal(await store.append(2 - (i % 2), picture(i)), i);
    stored.set(i, { number: i, ...picture(i) });
  }
  for (const i of [7, 30, 60]) {
    await store.remove(2 - (i % 2), i);
    stored.delete(i);
  }
  await store.close();
  assert.deepEqual(verify(sound), { applications: 5, images: 57, damages: [] });
});

/** A bit of a file; half the time in the first bytes of a page, which contain the structure. */
const bitOf = (size: number) =>
  fc.tuple(
    fc.oneof(
      fc.nat(size - 1),
      fc.tuple(fc.nat(Math.floor(size / PAGE) - 1), fc.nat(60)).map(([page, offset]) => page * PAGE + offset),
    ),
    fc.nat(7),
  );

let copies = 0;
function damagedCopy(file: string, at: number, bit: number): string {
  const folder = join(scratch, `copy-${++copies}`);
  cpSync(sound, folder, { recursive: true });
  const bytes = readFileSync(join(folder, file));
  bytes[at]! ^= 1 << bit;
  writeFileSync(join(folder, file), bytes);
  return folder;
}

/** The data that a server would serve: sound pictures and reports. */
function served(folder: string): { found: ImageRecord[]; damages: Damage[] } {
  const found: ImageRecord[] = [];
  const damages: Damage[] = [];
  try {
    const reader = new ImageReader(openToRead(join(folder, 'images.db')));
    for (const application of [1, 2]) {
      for (const one of reader.replay(application)) {
        if (isDamage(one)) damages.push(one);
        else {
          const { checksum: _, dna, ...rest } = one;
          found.push({ ...rest, dna: new Uint8Array(dna) });
        }
      }
    }
  } catch (cause) {
    damages.push({ file: 'images.db', what: String(cause) });
  }
  return { found, damages };
}

test('any flipped bit in the pictures is reported or harmless: no picture is altered, none disappears silently', () => {
  const size = readFileSync(join(sound, 'images.db')).length;
  let reported = 0;
  fc.assert(
    fc.property(bitOf(size), ([at, bit]) => {
      const folder = damagedCopy('images.db', at, bit);
      const { found, damages } = served(folder);
      for (const image of found) assert.deepEqual(image, stored.get(image.number));
      assert.equal(new Set(found.map(({ number }) => number)).size, found.length);
      if (found.length < stored.size) assert.ok(damages.length > 0, `${stored.size - found.length} missing in silence`);
      if (damages.length > 0) {
        reported++;
        assert.ok(verify(folder).damages.length > 0);
      }
      rmSync(folder, { recursive: true });
    }),
    { numRuns: 150 },
  );
  assert.ok(reported > 30, `${reported} of 150`);
});

test('any flipped bit in the applications is reported or harmless', () => {
  const size = readFileSync(join(sound, 'applications.db')).length;
  fc.assert(
    fc.property(bitOf(size), ([at, bit]) => {
      const folder = damagedCopy('applications.db', at, bit);
      const damages: Damage[] = [];
      let found: ApplicationRecord[] = [];
      let deleted: number[] = [];
      try {
        const store = openApplicationStore(folder, (damage) => damages.push(damage));
        found = store.list();
        deleted = store.deleted();
        store.close();
      } catch (cause) {
        assert.ok(cause instanceof Failure, String(cause));
        damages.push({ file: 'applications.db', what: cause.message });
      }
      for (const { number, ...rest } of found) assert.deepEqual(rest, application('abcdef'[number - 1]!));
      for (const number of deleted) assert.equal(number, 4);
      if (found.length + deleted.length < 6) assert.ok(damages.length > 0, 'missing in silence');
      rmSync(folder, { recursive: true });
    }),
    { numRuns: 60 },
  );
});

test('a server reports the damaged picture by application and id, leaves it out and serves all others', async (t) => {
  const at = readFileSync(join(sound, 'images.db')).indexOf('keyword 42');
  const folder = damagedCopy('images.db', at, 0);
  const damages: Damage[] = [];
  const store = await openImageStore(folder, (damage) => damages.push(damage));
  t.after(() => store.close());

  const numbers: number[] = [];
  for await (const batch of store.replay(2)) numbers.push(...batch.map(({ number }) => number));
  assert.deepEqual(
    numbers,
    [...stored.keys()].filter((number) => number % 2 === 0 && number !== 42),
  );
  assert.equal(damages.length, 1);
  const { what, ...where } = damages[0]!;
  assert.deepEqual(where, { file: 'images.db', application: 2, number: 42, id: 'picture-42' });
  assert.match(what, /expected the checksum \d+, found \d+/);
  assert.deepEqual(verify(folder).damages, damages);

  await assert.rejects(store.dna(2, 42), (cause) => cause instanceof Failure && cause.error === 'STORE_DAMAGED');
  assert.deepEqual(new Uint8Array(await store.dna(2, 44)), stored.get(44)!.dna);
  assert.equal(await store.append(2, picture(42)), 61);
});

test('missing rows and tables, which SQLite would not notice, are detected', async (t) => {
  const folder = join(scratch, 'vanished');
  cpSync(sound, folder, { recursive: true });
  const images = new Database(join(folder, 'images.db'));
  images.exec('DELETE FROM images WHERE number IN (11, 12)');
  const applications = new Database(join(folder, 'applications.db'));
  applications.exec('DELETE FROM applications WHERE number = 6');

  const { found, damages } = served(folder);
  assert.equal(found.length, stored.size - 2);
  assert.deepEqual(
    damages.map(({ application, what }) => [
      application,
      /expected (\d+) pictures by the tally, found (\d+)/.exec(what)?.slice(1),
    ]),
    [
      [1, ['29', '28']],
      [2, ['28', '27']],
    ],
  );
  const all = verify(folder).damages.map(({ what }) => what);
  assert.ok(all.includes('expected 6 applications, found numbers up to 5'), all.join('\n'));

  // the first page lists the tables; byte 104 counts them
  const emptied = join(scratch, 'emptied');
  cpSync(sound, emptied, { recursive: true });
  const bytes = readFileSync(join(emptied, 'images.db'));
  bytes[104] = 0;
  writeFileSync(join(emptied, 'images.db'), bytes);
  await assert.rejects(
    openImageStore(emptied).then((store) => t.after(() => store.close())),
    (cause) => cause instanceof Failure && cause.error === 'STORE_DAMAGED',
  );
});

test('a file that is no longer a database is refused by name at the start', async () => {
  const folder = damagedCopy('images.db', 0, 0);
  const refused = (cause: unknown) => cause instanceof Failure && cause.error === 'STORE_DAMAGED';
  await assert.rejects(openImageStore(folder), refused);
  const { images, damages } = verify(folder);
  assert.match(damages[0]!.what, /not a database/);
  assert.equal(images, 0);
});

/** A copy of the sound folder, modified by statements that no server would run. */
function changedCopy(sql: string): string {
  const folder = join(scratch, `changed-${++copies}`);
  cpSync(sound, folder, { recursive: true });
  const database = new Database(join(folder, 'images.db'));
  database.exec(`PRAGMA writable_schema = ON; ${sql}; PRAGMA wal_checkpoint(TRUNCATE)`);
  return folder;
}

async function opened(folder: string) {
  const damages: Damage[] = [];
  const store = await openImageStore(folder, (damage) => damages.push(damage));
  const numbers: number[] = [];
  for (const application of [1, 2]) {
    for await (const batch of store.replay(application, 'media-matching'))
      numbers.push(...batch.map((it) => it.number));
  }
  return { store, damages, numbers: numbers.sort((a, b) => a - b) };
}

const everyNumber = () => [...stored.keys()].sort((a, b) => a - b);

test('a record with a correct checksum and invalid DNA is set aside and named', async (t) => {
  const folder = join(scratch, 'no-dna');
  cpSync(sound, folder, { recursive: true });
  const writing = await openImageStore(folder);
  const number = await writing.append(1, { id: 'noise', keywords: [], dna: new Uint8Array(500).fill(9) });
  const foreign = await writing.append(1, { id: 'colours', keywords: [], dna: dnaOf('color-similarity', 1) });
  await writing.close();

  const { store, damages, numbers } = await opened(folder);
  t.after(() => store.close());
  assert.deepEqual(numbers, everyNumber());
  assert.deepEqual(
    damages.map(({ application, number, id }) => [application, number, id]),
    [
      [1, number, 'noise'],
      [1, foreign, 'colours'],
    ],
  );
  assert.match(damages[0]!.what, /its DNA: /);
  assert.deepEqual(verify(folder).damages, damages);
  assert.deepEqual(store.setAside(1), damages);
  await store.remove(1, number);
  assert.deepEqual(store.setAside(1), damages.slice(1));
});

test('a read that met damage does not disturb the reads after it', async (t) => {
  const folder = join(scratch, 'zeros');
  cpSync(sound, folder, { recursive: true });
  const bytes = readFileSync(join(folder, 'images.db'));
  const pageOf = (number: number) => Math.floor(bytes.indexOf(stored.get(number)!.dna.subarray(0, 100)) / PAGE);
  const page = pageOf(20);
  assert.ok(page > 0);
  const lost = everyNumber().filter((number) => pageOf(number) === page);
  bytes.fill(0, page * PAGE, (page + 1) * PAGE);
  writeFileSync(join(folder, 'images.db'), bytes);

  const { store, numbers } = await opened(folder);
  t.after(() => store.close());
  assert.deepEqual(
    numbers,
    everyNumber().filter((number) => !lost.includes(number)),
  );
  await assert.rejects(store.dna(2, 20), (cause) => cause instanceof Failure && cause.error === 'STORE_DAMAGED');
  for (const number of [2, 58]) assert.deepEqual(new Uint8Array(await store.dna(2, number)), stored.get(number)!.dna);
  assert.deepEqual(
    store.setAside(2).flatMap(({ number }) => number ?? []),
    [20],
  );
});

test('a damaged tally loses nothing, and repair makes a new one', async (t) => {
  for (const sql of ['UPDATE tallies SET count = 5000', 'UPDATE tallies SET sum = sum + 1', 'DELETE FROM tallies']) {
    const folder = changedCopy(sql);
    const { store, damages, numbers } = await opened(folder);
    t.after(() => store.close());
    assert.deepEqual(numbers, everyNumber(), sql);
    assert.ok(damages.length > 0, sql);
    assert.equal(store.setAside(1).length, 0);
    await store.close();
    const to = `${folder}-repaired`;
    repair(folder, to);
    assert.deepEqual(verify(to), { applications: 5, images: stored.size, damages: [] });
  }
});

test('if the index lacks rows that the tally counts, the table decides and all pictures are served', async (t) => {
  const definition = (sql: string) => `UPDATE sqlite_schema SET sql = ${sql} WHERE name = 'images_of_application'`;
  const folder = changedCopy(definition(`sql || ' WHERE number > 10'`));
  const partial = new Database(join(folder, 'images.db'));
  partial.exec(`REINDEX images_of_application; PRAGMA writable_schema = ON`);
  partial.exec(`${definition(`replace(sql, ' WHERE number > 10', '')`)}; PRAGMA wal_checkpoint(TRUNCATE)`);
  const { store, damages, numbers } = await opened(folder);
  t.after(() => store.close());
  assert.deepEqual(numbers, everyNumber());
  assert.ok(damages.some(({ what }) => /index/.test(what)));
});

test('an old row that is missing in the index stays deleted', async (t) => {
  const folder = join(scratch, 'old-page');
  cpSync(sound, folder, { recursive: true });
  const before = readFileSync(join(folder, 'images.db'));
  const store = await openImageStore(folder);
  await store.remove(1, 21);
  await store.close();
  const path = join(folder, 'images.db');
  const bytes = readFileSync(path);
  const at = before.indexOf('picture-21');
  const page = Math.floor(at / PAGE) * PAGE;
  // the page before the deletion, as on a disk that has lost a write; its free pages are used again
  before.copy(bytes, page, page, page + PAGE);
  writeFileSync(path, bytes);

  const { store: reopened, damages, numbers } = await opened(folder);
  t.after(() => reopened.close());
  assert.ok(!numbers.includes(21), 'a deleted picture is served');
  assert.ok(damages.length > 0);
  assert.ok(verify(folder).damages.length > 0);
});

test('if free pages cannot be determined, nothing is written, and everything is read', async (t) => {
  const folder = join(scratch, 'freelist');
  cpSync(sound, folder, { recursive: true });
  const path = join(folder, 'images.db');
  const bytes = readFileSync(path);
  const trunk = bytes.readUInt32BE(32);
  assert.ok(trunk > 0 && bytes.readUInt32BE(36) > 1);
  bytes.writeUInt32BE(2, (trunk - 1) * PAGE + 8); // the root of the pictures is listed as free
  writeFileSync(path, bytes);

  const { store, damages, numbers } = await opened(folder);
  t.after(() => store.close());
  assert.deepEqual(numbers, everyNumber());
  assert.match(damages[0]!.what, /reference|free/i);
  assert.equal(store.state, 'read-only');
  await assert.rejects(
    store.append(1, picture(99)),
    (cause) => cause instanceof Failure && cause.error === 'STORE_READ_ONLY' && /sosia repair/.test(cause.message),
  );
  await store.close();
  assert.deepEqual(readFileSync(path), bytes);
});

test('a truncated file is read as far as possible, and not written', async (t) => {
  const folder = join(scratch, 'cut');
  cpSync(sound, folder, { recursive: true });
  const path = join(folder, 'images.db');
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length / 2)));
  const { store, damages, numbers } = await opened(folder);
  t.after(() => store.close());
  assert.ok(numbers.length > 10 && numbers.length < 50, `${numbers.length}`);
  const missing = everyNumber().filter((number) => !numbers.includes(number));
  const named = damages.reduce((sum, { number, records }) => sum + (records ?? (number === undefined ? 0 : 1)), 0);
  assert.equal(named, missing.length);
  assert.equal(store.state, 'read-only');
});

test('a database truncated in its first page is refused as damaged, by name', async () => {
  for (const file of ['applications.db', 'images.db']) {
    const whole = readFileSync(join(sound, file));
    for (const length of [100, 1000, 3000, 3900, 4095]) {
      const folder = join(scratch, 'cut in the first page');
      cpSync(sound, folder, { recursive: true });
      writeFileSync(join(folder, file), whole.subarray(0, length));
      await assert.rejects(bothOpened(folder), (cause) => {
        assert.ok(cause instanceof Failure);
        assert.match(cause.message, /damaged/, `${file}, ${length} bytes`);
        assert.ok(cause.message.includes(file), `${file}, ${length} bytes: ${cause.message}`);
        return true;
      });
      rmSync(folder, { recursive: true });
    }
  }
});

/** Opens both databases, as at a start. */
async function bothOpened(folder: string): Promise<void> {
  const images = await openImageStore(folder);
  await images.close();
  openApplicationStore(folder).close();
}
