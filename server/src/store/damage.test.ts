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
import { imageReader, isDamage } from './image-reader.ts';
import { openImageStore } from './image-store.ts';
import type { ApplicationRecord, Damage, ImageRecord } from './store.ts';
import { verify } from './verify.ts';

const PAGE = 4096;
const scratch = mkdtempSync(join(tmpdir(), 'sosia-damage-'));
after(() => rmSync(scratch, { recursive: true }));
const sound = join(scratch, 'sound');

const application = (name: string): Omit<ApplicationRecord, 'number'> => ({
  keyDigest: name.repeat(64),
  keyHint: name,
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

/** A bit of a file; half the time in the first bytes of a page, where the structure is. */
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
  bytes[at] ^= 1 << bit;
  writeFileSync(join(folder, file), bytes);
  return folder;
}

/** What a server would serve: sound pictures and reports. */
function served(folder: string): { found: ImageRecord[]; damages: Damage[] } {
  const found: ImageRecord[] = [];
  const damages: Damage[] = [];
  try {
    const reader = imageReader(openToRead(join(folder, 'images.db')));
    for (const application of [1, 2]) {
      for (const one of reader.replay(application)) {
        if (isDamage(one)) damages.push(one);
        else found.push({ ...one, dna: new Uint8Array(one.dna) });
      }
    }
  } catch (cause) {
    damages.push({ file: 'images.db', what: String(cause) });
  }
  return { found, damages };
}

test('any bit that flips in the pictures is reported or harmless: no picture is altered, none is missing in silence', () => {
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

test('any bit that flips in the applications is reported or harmless', () => {
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
      for (const { number, ...rest } of found) assert.deepEqual(rest, application('abcdef'[number - 1]));
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
  const { what, ...where } = damages[0];
  assert.deepEqual(where, { file: 'images.db', application: 2, number: 42, id: 'picture-42' });
  assert.match(what, /expected the checksum \d+, found \d+/);
  assert.deepEqual(verify(folder).damages, damages);

  await assert.rejects(store.dna(2, 42), (cause) => cause instanceof Failure && cause.error === 'STORE_DAMAGED');
  assert.deepEqual(new Uint8Array(await store.dna(2, 44)), stored.get(44)!.dna);
  assert.equal(await store.append(2, picture(42)), 61);
});

test('rows and tables that vanish, which SQLite would not notice, are missed', async (t) => {
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

test('a file that is no database any more is refused at start and named', async () => {
  const folder = damagedCopy('images.db', 0, 0);
  const refused = (cause: unknown) => cause instanceof Failure && cause.error === 'STORE_DAMAGED';
  await assert.rejects(openImageStore(folder), refused);
  assert.match(verify(folder).damages[0].what, /not a database/);
});
