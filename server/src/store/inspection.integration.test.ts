import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import Database from 'libsql';
import { Failure } from '../errors.ts';
import { openApplicationStore } from './application-store.ts';
import { application } from './application.test.kit.ts';
import { openDatabase, openToRead } from './database.ts';
import { readIdentity, writeIdentity } from './identity.ts';
import { dnaOf } from './dna.test.kit.ts';
import { type ImageStore, openImageStore } from './image-store.ts';
import { inspectFolder } from './inspection.ts';
import { restore } from './restore.ts';
import { applicationSchema, imageSchema } from './schema.ts';
import { snapshot } from './snapshot.ts';
import { verify } from './verify.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sosia-inspection-'));
after(() => rmSync(scratch, { recursive: true }));
let folders = 0;
const newFolder = () => join(scratch, `data-${++folders}`);

const blocks = [1, 2, 3].map((seed) => dnaOf('media-matching', seed));
const picture = (i: number) => ({ id: `p${i}`, keywords: [], dna: blocks[i % 3]! });

function create(folder: string, name: string): number {
  const store = openApplicationStore(folder);
  const { number } = store.create(application(name));
  store.close();
  return number;
}

function copyOf(folder: string): string {
  const copy = newFolder();
  cpSync(folder, copy, { recursive: true });
  for (const name of readdirSync(copy)) if (name.endsWith('-shm')) rmSync(join(copy, name));
  return copy;
}

/** Without the logs, which even a reader may create. */
const bytesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => !/-wal$|-shm$/.test(name))
    .map((name) => [name, readFileSync(join(folder, name), 'base64')]);

/** Every use of a folder refuses it, names the file, and leaves everything unchanged. */
async function refused(folder: string, file: string, words: RegExp): Promise<void> {
  const before = bytesIn(folder);
  const names = (message: string) => message.includes(file) && words.test(message);
  const found = verify(folder).damages;
  assert.ok(
    found.some((damage) => damage.file === file && words.test(damage.what)),
    `${file} ${words}: ${JSON.stringify(found)}`,
  );
  const refusal = (cause: unknown) => {
    assert.ok(cause instanceof Failure && cause.error === 'STORE_INCONSISTENT', String(cause));
    return names(cause.message);
  };
  assert.throws(() => openApplicationStore(folder), refusal);
  await assert.rejects(openImageStore(folder), refusal);
  const backup = newFolder();
  await assert.rejects(snapshot(folder, backup), (cause) => names((cause as Failure).message));
  assert.throws(() => restore(folder, backup), refusal);
  assert.ok(!existsSync(backup));
  assert.deepEqual(bytesIn(folder), before);
}

function swapped(folder: string, file: string, other: string): string {
  const copy = copyOf(folder);
  for (const name of [file, `${file}-wal`]) {
    rmSync(join(copy, name), { force: true });
    if (existsSync(join(other, name))) cpSync(join(other, name), join(copy, name));
  }
  return copy;
}

test('digests of rows that cannot be read are named, and the folder is served', async () => {
  const folder = newFolder();
  create(folder, 'a');
  const store = await openImageStore(folder);
  await store.append(1, picture(1));
  await store.close();
  const path = join(folder, 'images.db');
  const table = openToRead(path).prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'row_digests'");
  const { rootpage } = table.get() as { rootpage: number };
  const bytes = readFileSync(path);
  bytes.fill(0xff, (rootpage - 1) * 4096, rootpage * 4096);
  writeFileSync(path, bytes);
  const { faults, damages } = inspectFolder(folder);
  assert.deepEqual(faults, []);
  assert.match(damages.map(({ what }) => what).join(), /^the digests of the rows of applications: /);
  const again = openApplicationStore(folder);
  assert.equal(again.list().length, 1);
  again.close();
});

const databases = ['applications.db', 'images.db'];

test('a database that is missing, empty or of another folder is refused by name, and nothing is written', async () => {
  const [folder, other] = [newFolder(), newFolder()];
  for (const one of [folder, other]) {
    create(one, 'a');
    const store = await openImageStore(one);
    for (let i = 0; i < 3; i++) await store.append(1, picture(i));
    await store.close();
    assert.deepEqual(verify(one).damages, []);
  }
  for (const file of databases) {
    const missing = copyOf(folder);
    rmSync(join(missing, file));
    rmSync(join(missing, `${file}-wal`), { force: true });
    await refused(missing, file, /expected a database of the folder [0-9a-f]{32}, found no such file.*Put back/);
    assert.ok(!existsSync(join(missing, file)));

    const empty = copyOf(folder);
    writeFileSync(join(empty, file), '');
    rmSync(join(empty, `${file}-wal`), { force: true });
    await refused(empty, file, /found an empty one/);

    const blank = copyOf(folder);
    rmSync(join(blank, file));
    rmSync(join(blank, `${file}-wal`), { force: true });
    const made = new Database(join(blank, file));
    made.exec('CREATE TABLE a (b); DROP TABLE a');
    made.close();
    await refused(blank, file, /found an empty one/);

    await refused(swapped(folder, file, other), file, /found one of the folder [0-9a-f]{32}/);
  }
  const format = swapped(folder, 'format', other);
  await refused(format, 'format', /expected the folder [0-9a-f]{32}, as in both databases/);
  const lost = copyOf(folder);
  rmSync(join(lost, 'format'));
  assert.throws(() => verify(lost), /no file "format"/);
  await assert.rejects(openImageStore(lost), /no file "format"/);
});

type Step = 'adds' | 'application' | 'restart' | 'kill' | 'many';

test('an earlier copy of one database is refused by name at any moment of a history; whole copies are accepted', async () => {
  let swaps = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom<Step>('adds', 'application', 'restart', 'kill', 'many'), { minLength: 2, maxLength: 4 }),
      fc.constantFrom(...databases),
      async (steps, file) => {
        let folder = newFolder();
        let next = create(folder, 'first');
        let store: ImageStore = await openImageStore(folder);
        let added = 0;
        const add = () => store.append(1, picture(++added));
        const moments: string[] = [];
        const work: Record<Step, () => Promise<void>> = {
          async adds() {
            for (let i = 0; i < 3; i++) await add();
            create(folder, `at ${added}`); // begins a generation, like the end of a minute
            next++;
          },
          async application() {
            assert.equal(create(folder, `number ${next + 1}`), ++next);
          },
          async restart() {
            await store.close();
            store = await openImageStore(folder);
          },
          /** Continues with the files unchanged, while the process that opened them still runs. */
          async kill() {
            const killed = copyOf(folder);
            await store.close();
            folder = killed;
            store = await openImageStore(folder);
          },
          /** Enough changes to write the log to the database, both at its limit and separately. */
          async many() {
            for (let i = 0; i < 200; i++) await add();
          },
        };
        for (const step of steps) {
          await work[step]();
          moments.push(copyOf(folder));
        }
        await work.restart();
        const last = copyOf(folder);
        await store.close();
        assert.deepEqual(verify(copyOf(last)).damages, []);
        for (const moment of moments) {
          assert.deepEqual(inspectFolder(copyOf(moment)).faults, [], 'a whole copy');
          await refused(swapped(last, file, moment), file, /expected generation \d+, .*found \d+: an earlier copy/);
          // the other way round: the newer file is correct, the rest is old
          const rest = databases.find((one) => one !== file)!;
          await refused(swapped(moment, file, last), rest, /an earlier copy/);
          swaps++;
        }
      },
    ),
    { numRuns: 3, endOnFailure: true },
  );
  assert.ok(swaps >= 6);
});

test('a log that is lost, or of another time or folder, is detected', async (t) => {
  const [folder, other] = [newFolder(), newFolder()];
  for (const one of [folder, other]) {
    create(one, 'a');
    const store = await openImageStore(one);
    t.after(() => store.close());
    // beyond the first time that the log is written to the database
    for (let i = 0; i < 700; i++) await store.append(1, picture(i));
  }
  const killed = copyOf(folder);
  assert.ok(
    readFileSync(join(killed, 'images.db')).length > 500 * blocks[0]!.length,
    'the log was put into the database',
  );
  assert.deepEqual(inspectFolder(copyOf(folder)).faults, []);
  for (const file of databases) {
    const lost = copyOf(folder);
    rmSync(join(lost, `${file}-wal`));
    await refused(lost, file, /an earlier copy|found an empty one/);
  }
  const foreign = copyOf(folder);
  cpSync(join(other, 'images.db-wal'), join(foreign, 'images.db-wal'));
  await refused(foreign, 'images.db', /found one of the folder/);
});

test('files of two copies of a folder that were used separately do not mix', async () => {
  const folder = newFolder();
  create(folder, 'a');
  await (await openImageStore(folder)).close();
  const copy = copyOf(folder);
  for (const one of [folder, copy]) await (await openImageStore(one)).close();
  await refused(swapped(folder, 'images.db', copy), 'images.db', /that of another copy/);

  const backup = newFolder();
  await snapshot(folder, backup);
  assert.deepEqual(verify(backup).damages, []);
  await refused(swapped(folder, 'images.db', backup), 'applications.db', /an earlier copy/);
});

test('a folder whose creation or restoration was interrupted gets an identity at its next opening', async () => {
  const begun = newFolder();
  mkdirSync(begun);
  writeFileSync(join(begun, 'format'), 'sosia data 1\n');
  openDatabase(join(begun, 'applications.db'), applicationSchema).close();
  const cut = copyOf(begun);
  openDatabase(join(begun, 'images.db'), imageSchema).close();
  const tampered = new Database(join(begun, 'images.db'));
  tampered.exec(
    `INSERT INTO images VALUES (5, 1, CAST('a' AS BLOB), CAST('[]' AS BLOB), 0, x'00'); DELETE FROM images`,
  );
  tampered.close();

  assert.deepEqual(verify(copyOf(begun)).damages, []);
  const restored = newFolder();
  assert.deepEqual(restore(copyOf(begun), restored).damages, []);
  assert.deepEqual(verify(restored).damages, []);
  const withoutApplications = copyOf(begun);
  rmSync(join(withoutApplications, 'applications.db'));
  await refused(withoutApplications, 'applications.db', /images.db was in use/);

  for (const folder of [begun, cut]) {
    const store = await openImageStore(folder);
    assert.ok((await store.append(1, picture(1))) > 0);
    await store.close();
    assert.match(readFileSync(join(folder, 'format'), 'utf8'), /^sosia data 1 [0-9a-f]{32} \d+\n$/);
    assert.equal(create(folder, 'a'), 1);
    assert.deepEqual(verify(folder).damages, []);
  }
  // an identity of applications.db that requires images.db, which is missing
  const unfinished = copyOf(begun);
  writeFileSync(join(unfinished, 'format'), 'sosia data 1\n');
  rmSync(join(unfinished, 'images.db'));
  rmSync(join(unfinished, 'images.db-wal'), { force: true });
  await refused(unfinished, 'images.db', /applications.db was in use with it/);
});

test('the remains of a power cut in the very first writes are undone and created; in a finished folder they are refused', async () => {
  const hot = newFolder();
  const model = new Database(join(scratch, 'hot.db'));
  model.exec('CREATE TABLE a (b); PRAGMA cache_spill = 0; BEGIN; CREATE TABLE c (d)');
  mkdirSync(hot);
  writeFileSync(join(hot, 'format'), 'sosia data 1\n');
  // as written by SQLite: a journal whose first page is the database before
  const journal = Buffer.alloc(512 + 4 + 4096 + 4);
  Buffer.from('d9d505f920a163d7', 'hex').copy(journal);
  for (const [at, value] of [
    [8, 1],
    [16, 1],
    [20, 512],
    [24, 4096],
    [512, 1],
  ] as const) {
    journal.writeUInt32BE(value, at);
  }
  model.exec('ROLLBACK');
  model.close();
  const page = readFileSync(join(scratch, 'hot.db')).subarray(0, 4096);
  page.copy(journal, 516);
  let sum = 0;
  for (let at = 4096 - 200; at > 0; at -= 200) sum += page[at]!;
  journal.writeUInt32BE(sum, 516 + 4096);
  writeFileSync(join(hot, 'applications.db'), readFileSync(join(scratch, 'hot.db')));
  writeFileSync(join(hot, 'applications.db-journal'), journal);
  assert.deepEqual(inspectFolder(hot).faults, []);

  const finished = newFolder();
  create(finished, 'a');
  writeFileSync(join(finished, 'images.db-journal'), journal);
  await refused(finished, 'images.db', /one with a journal to undo/);
});

test('a damaged identity is reported and the folder is served', async () => {
  for (const file of databases) {
    const folder = newFolder();
    create(folder, 'a');
    const store = await openImageStore(folder);
    await store.append(1, picture(1));
    await store.close();
    const breaker = new Database(join(folder, file));
    breaker.exec('UPDATE identity SET crc = crc + 1');
    breaker.close();

    const found = verify(folder).damages;
    assert.deepEqual([found.length, found[0]?.file], [1, file]);
    assert.match(found[0]!.what, /identity: expected the checksum/);
    const damages: unknown[] = [];
    const opened = await openImageStore(folder, (damage) => damages.push(damage));
    assert.deepEqual(damages, found);
    assert.equal(await opened.append(1, picture(2)), 2);
    await opened.close();
    assert.equal(create(folder, 'b'), 2);
  }
});

test('no number of an application is assigned twice, even if applications.db has lost its rows', async () => {
  const folder = newFolder();
  for (const name of ['a', 'b', 'c']) create(folder, name);
  const thief = new Database(join(folder, 'applications.db'));
  thief.exec(
    "DELETE FROM applications WHERE number > 1; UPDATE sqlite_sequence SET seq = 1 WHERE name = 'applications'",
  );
  thief.close();
  await refused(folder, 'applications.db', /expected the row of application 2 .* found none/);
  const images = new Database(join(folder, 'images.db'));
  images.exec('DELETE FROM row_digests');
  assert.equal(create(folder, 'd'), 4);

  // as after dropped frames of a damaged log: only images.db has the number of applications
  images.exec('DELETE FROM row_digests');
  images.close();
  const applications = openDatabase(join(folder, 'applications.db'), applicationSchema);
  applications.exec(
    "DELETE FROM applications WHERE number > 1; UPDATE sqlite_sequence SET seq = 1 WHERE name = 'applications'",
  );
  writeIdentity(applications, { ...readIdentity(applications), applications: 1 });
  applications.close();
  assert.equal(readIdentity(openToRead(join(folder, 'images.db'))).applications, 4);
  assert.equal(create(folder, 'e'), 5);
});

test('a database of another version, and tables, triggers, views and indexes that the service did not create, are refused by name', async () => {
  const folder = newFolder();
  create(folder, 'a');
  const store = await openImageStore(folder);
  await store.append(1, picture(1));
  await store.close();
  const backup = newFolder();
  await snapshot(folder, backup);
  for (const [file, statement, words] of [
    ['images.db', 'CREATE TRIGGER t AFTER INSERT ON images BEGIN DELETE FROM images; END', /it has the trigger t/],
    ['images.db', 'CREATE VIEW v AS SELECT * FROM images', /it has the view v/],
    ['images.db', 'CREATE INDEX i ON images (crc)', /it has the index i/],
    ['applications.db', 'CREATE TABLE "x y" (z)', /it has the table x y/],
    ['applications.db', 'ALTER TABLE applications ADD COLUMN more', /expected the table applications as .*found/],
    ['images.db', 'PRAGMA user_version = 2', /expected the mark 1 .*found 2: of another version/],
    ['images.db', 'DROP TABLE thumbnails; CREATE VIEW thumbnails AS SELECT 1', /it has the view thumbnails/],
  ] as const) {
    for (const sound of [folder, backup]) {
      const copy = copyOf(sound);
      const attacker = new Database(join(copy, file));
      attacker.exec(statement);
      attacker.close();
      await refused(copy, file, words);
    }
  }
});
