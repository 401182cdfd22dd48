import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { typeDefinitions } from '@sosia/engine';
import { readPicture } from '@sosia/fixtures';
import {
  Failure,
  openApplicationStore,
  openImageStore,
  verify,
  type ApplicationRecord,
  type Damage,
  type ImageRecord,
  type StoredImage,
} from '@sosia/server';
import { openToRead, type Connection } from '@sosia/server/store/database';
import { ImageReader, isDamage } from '@sosia/server/store/image-reader';
import { Choices } from '../choices.ts';
import { scratchFolder } from '../scratch.ts';
import type { Target } from '../target.ts';

const PAGE = 4096;
const PICTURES = 40;
const APPLICATIONS = 3;

type Content = ReadonlyMap<string, Buffer>;

/** A data folder, and what a sound reader finds in it. */
interface Folder {
  readonly files: Content;
  readonly applications: ReadonlyMap<number, Omit<ApplicationRecord, 'number'>>;
  readonly images: ReadonlyMap<number, ImageRecord & { readonly application: number }>;
  /** Pictures that were added and removed; they may come back with a damaged log alone. */
  readonly removed: ReadonlyMap<number, ImageRecord & { readonly application: number }>;
}

/**
 * Data folders with damaged files. An input is a list of choices: where the damage is and of what kind. Whatever is
 * damaged, the process goes on, each picture that is read is one that was stored, and what is missing is reported.
 */
export const store: Target = {
  name: 'store',
  covers: /server\/dist\/store\/\w+(-\w+)*\.js$/,
  limit: 10_000,

  async open() {
    const home = scratchFolder();
    const folders = await soundFolders(home);
    const seeds = Array.from({ length: 40 }, (_, i) =>
      Uint8Array.from({ length: 12 }, (_, k) => (i * 29 + k * k * 7 + i * k) & 255),
    );
    return {
      seeds,
      async run(input) {
        const folder = join(home, 'damaged');
        rmSync(folder, { recursive: true, force: true });
        return check(folder, folders, new Choices(input));
      },
      async close() {
        rmSync(home, { recursive: true });
      },
    };
  },
};

/** One that was closed, and one as a server leaves it that is killed: with commits in the log that are not in the database. */
async function soundFolders(home: string): Promise<Folder[]> {
  const path = join(home, 'sound');
  const applications = new Map<number, Omit<ApplicationRecord, 'number'>>();
  const images = new Map<number, ImageRecord & { application: number }>();
  const rows = openApplicationStore(path);
  for (let i = 0; i < APPLICATIONS; i++) {
    const row = application(i);
    applications.set(rows.create(row).number, row);
  }
  const pictures = await openImageStore(path);
  const dna = sampleDna();
  for (let i = 0; i < PICTURES; i++) {
    const number = 1 + (i % APPLICATIONS);
    const image = { id: `picture ${i}`, keywords: [`keyword ${i}`, 'all'], dna: dna[i % dna.length]! };
    const given = await pictures.append(
      number,
      i % 5 === 0 ? { ...image, thumbnail: new Uint8Array(2000).fill(i) } : image,
    );
    images.set(given, { ...image, number: given, application: number });
  }
  const removed = new Map([3, 17].map((number) => [number, images.get(number)!]));
  for (const [number, { application }] of removed) {
    await pictures.remove(application, number);
    images.delete(number);
  }
  const killed = join(home, 'killed');
  cpSync(path, killed, { recursive: true });
  await pictures.close();
  rows.close();
  return [path, killed].map((each) => ({ files: contentOf(each), applications, images, removed }));
}

function application(i: number): Omit<ApplicationRecord, 'number'> {
  return {
    keys: [],
    type: 'color-similarity',
    name: `application ${i}`,
    enabled: true,
    defaults: { nbResults: 10, colorWeight: 50, retrievalThreshold: 1 },
  };
}

function sampleDna(): Uint8Array[] {
  return (['kodim05', 'kodim19'] as const).map((name) => {
    const { width, height, rgb } = readPicture(name);
    const picture = { width, height, rgb, originalWidth: width, originalHeight: height };
    return typeDefinitions['color-similarity'].describe(picture, 'reference');
  });
}

function contentOf(folder: string): Content {
  const names = readdirSync(folder).filter((name) => !name.endsWith('-shm') && name !== 'server.lock');
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
}

async function check(path: string, folders: readonly Folder[], choices: Choices): Promise<string> {
  const folder = choices.of(folders);
  const { files, touched } = damaged(folder.files, choices);
  mkdirSync(path);
  for (const [name, bytes] of files) writeFileSync(join(path, name), bytes);

  // commits at the end of a log that is cut or altered do not differ from commits that never were
  const complete = !touched.some((name) => name.endsWith('-wal'));
  const verified = checkVerify(path, folder, complete);
  const applications = checkApplications(path, folder, complete);
  const records = checkRecords(path, folder, complete);
  // with two threads, which takes far longer than all of the rest
  const images = choices.oneIn(6) ? await checkImages(path, folder, complete) : '';
  return `${touched.join(' ')} ${verified} ${applications} ${records} ${images}`;
}

/** The files with one to three of them altered. */
function damaged(files: Content, choices: Choices): { files: Content; touched: string[] } {
  const all = new Map(Array.from(files, ([name, bytes]) => [name, Buffer.from(bytes)]));
  const touched = new Set<string>();
  const names = [...all.keys()];
  for (let n = 1 + choices.below(3); n > 0; n--) {
    const name = choices.of(names);
    const bytes = all.get(name);
    if (!bytes || bytes.length === 0) continue;
    touched.add(name);
    const page = PAGE * choices.below(Math.ceil(bytes.length / PAGE));
    const end = Math.min(bytes.length, page + PAGE);
    const at = Math.min(bytes.length - 1, page + (choices.oneIn(2) ? choices.below(100) : choices.below(PAGE)));
    switch (choices.below(11)) {
      case 0:
        bytes[at]! ^= 1 << choices.below(8);
        break;
      case 1:
        bytes[at] = choices.below(256);
        break;
      case 2:
        bytes.fill(0, page, end);
        break;
      case 3:
        bytes.fill(choices.below(256), page, end);
        break;
      case 4:
        bytes.copyWithin(page, PAGE * choices.below(Math.ceil(bytes.length / PAGE)), bytes.length);
        break;
      case 5: {
        const other = PAGE * choices.below(Math.ceil(bytes.length / PAGE));
        bytes.copyWithin(page, other, Math.min(bytes.length, other + PAGE));
        break;
      }
      case 6:
        all.set(name, bytes.subarray(0, at));
        break;
      case 7:
        all.delete(name);
        break;
      case 8:
        all.set(name, bytes.subarray(0, 0));
        break;
      case 9: {
        // inside a record, which the structure around it does not show
        const record = bytes.lastIndexOf(`keyword ${choices.below(PICTURES)}`);
        if (record >= 0) bytes[record + choices.below(8)]! ^= 1 << choices.below(3);
        break;
      }
      default:
        for (let i = 0; i < 8; i++) bytes[Math.min(bytes.length - 1, at + i)] = choices.below(256);
    }
  }
  return { files: all, touched: [...touched].sort() };
}

function checkVerify(path: string, folder: Folder, complete: boolean): string {
  try {
    const { applications, images, damages } = verify(path);
    if (complete && (applications < folder.applications.size || images < folder.images.size)) {
      assert.ok(damages.length > 0, `verify: ${applications} applications, ${images} pictures and no damage`);
    }
    assert.ok(images <= PICTURES, `verify: ${images} sound pictures`);
    return damages.length > 0 ? 'damaged' : 'sound';
  } catch (cause) {
    if (cause instanceof Failure) return cause.error;
    throw cause;
  }
}

function checkApplications(path: string, folder: Folder, complete: boolean): string {
  const damages: Damage[] = [];
  try {
    const opened = openApplicationStore(path, (damage) => damages.push(damage));
    try {
      const found = opened.list();
      for (const { number, ...row } of found) assert.deepEqual(row, folder.applications.get(number));
      if (complete) assert.deepEqual(opened.deleted(), [], 'expected no application to be taken for a deleted one');
      if (complete && found.length < folder.applications.size)
        assert.ok(damages.length > 0, 'missing and not reported');
    } finally {
      opened.close();
    }
    return damages.length > 0 ? 'damaged' : 'sound';
  } catch (cause) {
    if (cause instanceof Failure) return cause.error;
    throw cause;
  }
}

/** Every record that is read is one that was stored, whatever the structure around it says. */
function checkRecords(path: string, folder: Folder, complete: boolean): string {
  let database: Connection | undefined;
  let read = 0;
  try {
    database = openToRead(join(path, 'images.db'));
    const reader = new ImageReader(database);
    for (const application of folder.applications.keys()) {
      for (const found of reader.replay(application)) {
        if (isDamage(found)) continue;
        assertStored(found, application, folder, complete);
        read++;
      }
    }
  } catch (cause) {
    if (cause instanceof assert.AssertionError) throw cause;
    return 'unreadable'; // reported by `verify`, and by a store that is opened
  } finally {
    database?.close();
  }
  return read === folder.images.size ? 'all' : 'some';
}

function assertStored(found: StoredImage, application: number, folder: Folder, complete: boolean): void {
  const { dna, checksum: _, ...record } = found;
  const known = folder.images.get(record.number) ?? (complete ? undefined : folder.removed.get(record.number));
  assert.equal(known?.application, application, `picture ${record.number} read as one of application ${application}`);
  const { application: __, dna: expected, ...stored } = known;
  assert.deepEqual(record, stored);
  assert.ok(Buffer.compare(dna, expected) === 0, `another DNA of picture ${record.number}`);
}

async function checkImages(path: string, folder: Folder, complete: boolean): Promise<string> {
  const damages: Damage[] = [];
  const found = new Set<number>();
  try {
    const opened = await openImageStore(path, (damage) => damages.push(damage));
    try {
      for (const number of folder.applications.keys()) {
        for await (const records of opened.replay(number)) {
          for (const record of records) {
            assertStored(record, number, folder, complete);
            assert.ok(!found.has(record.number), `picture ${record.number} came twice`);
            found.add(record.number);
          }
        }
      }
    } finally {
      await opened.close();
    }
    if (complete && found.size < folder.images.size) {
      assert.ok(damages.length > 0, `${folder.images.size - found.size} pictures are missing and not reported`);
    }
    return damages.length > 0 ? 'damaged' : 'sound';
  } catch (cause) {
    if (cause instanceof Failure) return cause.error;
    throw cause;
  }
}
