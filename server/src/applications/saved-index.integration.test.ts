import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Decoder } from '../decode/decoder.ts';
import { OnnxRunner } from '../onnx/onnx-runner.ts';
import { Shards } from '../shards/shards.ts';
import { openApplicationStore } from '../store/application-store.ts';
import { dnaOf } from '../store/dna.test.kit.ts';
import { openImageStore } from '../store/image-store.ts';
import { SavedIndexes } from '../store/saved-index/saved-index.ts';
import { verify } from '../store/verify.ts';
import { Applications } from './applications.ts';
import { createApplication } from './create.ts';
import { EmbeddedBackend } from './embedded-backend.ts';
import { Profiles } from './profiles.ts';
import type { References } from './references.ts';

const TYPE = 'image-similarity';
const SAVE_AFTER = 50;
/** A type whose partitions keep records. */
const LOCAL = 'media-matching';

const home = mkdtempSync(join(tmpdir(), 'sosia-saved-'));
const opened = new Set<() => Promise<void>>();
after(async () => {
  for (const close of opened) await close();
  rmSync(home, { recursive: true });
});
let folders = 0;
const newFolder = (): string => join(home, String(++folders));

const dnas = Array.from({ length: 90 }, (_, i) => dnaOf(TYPE, i + 1));

interface Open {
  readonly references: References;
  readonly number: number;
  /** Pictures whose records were read at the start, and what was reported. */
  readonly read: number;
  readonly warnings: string[];
  delete(): void;
  /** @param clean  whether the index is saved before */
  close(clean?: boolean): Promise<void>;
}

/** The layers below the operations on a folder, with one application; all of its types can be saved. */
async function open(
  folder: string,
  threads = 2,
  saveAfter = SAVE_AFTER,
  type: typeof TYPE | typeof LOCAL = TYPE,
): Promise<Open> {
  const images = await openImageStore(folder);
  const store = openApplicationStore(folder);
  if (store.list().length === 0) createApplication(store, { type, name: 'posters' });
  const shards = new Shards(threads, (cause) => assert.fail(cause));
  const warnings: string[] = [];
  let read = 0;
  const replay = images.replay.bind(images);
  images.replay = async function* (...of) {
    for await (const records of replay(...of)) {
      read += records.length;
      yield records;
    }
  };
  const dependencies = { decoder: {} as Decoder, onnx: new OnnxRunner(), profiles: new Profiles(store, folder) };
  const warn = ({ what }: { what: string }) => warnings.push(what);
  const parts = {
    images,
    shards,
    saving: {
      indexes: new SavedIndexes(folder),
      after: saveAfter,
      damaged: (cause: Error) => warnings.push(cause.message),
      warn,
    },
  };
  const applications = new Applications(new EmbeddedBackend(store, parts), dependencies, () => {}); // a purge may end with the store
  await applications.load(() => {});
  const application = applications.all()[0]!;
  const closeStores = async (): Promise<void> => {
    opened.delete(closeStores);
    await shards.close();
    await images.close();
    store.close();
  };
  opened.add(closeStores);
  return {
    references: application.references,
    number: application.record.number,
    read,
    warnings,
    delete() {
      store.delete(application.record.number);
      applications.all();
    },
    async close(clean = true) {
      if (clean) await applications.close();
      await closeStores();
    },
  };
}

async function add(references: References, from: number, to: number): Promise<void> {
  for (let i = from; i < to; i++) {
    await references.add({ id: `picture ${i}`, keywords: [`tenth ${i % 10}`], dna: dnas[i]! });
  }
}

/** All that answers show: lists, searches with and without a filter. */
async function answers(references: References): Promise<unknown> {
  const page = { start: 0, count: 1000 };
  const found: unknown[] = [await references.count()];
  for (const keywords of [[], ['tenth 3']]) {
    const restriction = { keywords, ids: null };
    found.push(await references.list(restriction, page));
    for (const query of [0, 7, 33, 60]) {
      found.push(await references.search({ dna: dnas[query]!, restriction, page, below: 1, colorWeight: 0.5 }));
    }
  }
  return found;
}

const files = (folder: string): string[] => readdirSync(join(folder, 'index')).sort();

/** A closed folder of 70 pictures, all of them saved, and its answers. */
async function filled(from = 0): Promise<{ folder: string; expected: unknown }> {
  const folder = newFolder();
  const first = await open(folder, 2, 70);
  await add(first.references, from, from + 70);
  const expected = await answers(first.references);
  await first.close();
  return { folder, expected };
}

function copyOf(folder: string): string {
  const copy = newFolder();
  cpSync(folder, copy, { recursive: true });
  return copy;
}

test('a start reads the saved index and no record, and answers the same', async () => {
  const { folder, expected } = await filled();
  assert.match(files(folder).join(' '), /^1-[0-9a-f]{16}\.shard-0 1-[0-9a-f]{16}\.shard-1 1\.catalogue$/);
  const again = await open(folder);
  assert.deepEqual([again.read, again.warnings], [0, []]);
  assert.deepEqual(await answers(again.references), expected);
  await again.close();
});

test('what came after the index was saved is read from the store: additions, deletions, new keywords', async () => {
  const { folder } = await filled();
  const second = await open(folder);
  await add(second.references, 70, 85);
  for (const i of [3, 33, 71]) await second.references.delete(`picture ${i}`);
  await second.references.change('picture 13', { keywords: ['new'] });
  const expected = await answers(second.references);
  await second.close(false);
  const third = await open(folder);
  assert.deepEqual([third.read, third.warnings], [15, []]);
  assert.deepEqual(await answers(third.references), expected);
  assert.deepEqual((await third.references.image('picture 13')).keywords, ['new']);
  await third.close(false);
});

test('the index is saved beside the changes and searches of a running service', async () => {
  const folder = newFolder();
  const one = await open(folder);
  await add(one.references, 0, 90);
  for (let i = 0; i < 90; i += 4) await one.references.delete(`picture ${i}`);
  while (!readdirSync(folder).includes('index') || !files(folder).includes('1.catalogue')) await sleep(10);
  const expected = await answers(one.references);
  await one.close(false);
  const again = await open(folder);
  assert.ok(again.read < 67, `${again.read} records read`);
  assert.deepEqual(again.warnings, []);
  assert.deepEqual(await answers(again.references), expected);
  await again.close(false);
});

test('a changed byte in any region of any file is noticed, and the answers stay the same', async () => {
  const { folder, expected } = await filled();
  for (const name of files(folder)) {
    const bytes = readFileSync(join(folder, 'index', name));
    const steps = 5;
    for (let step = 0; step < steps; step++) {
      const copy = copyOf(folder);
      const changed = Buffer.from(bytes);
      const at = Math.floor(((step + 0.5) / steps) * bytes.length);
      changed[at]! ^= 4;
      writeFileSync(join(copy, 'index', name), changed);
      assert.match(
        verify(copy)
          .damages.map(({ file }) => file)
          .join(),
        new RegExp(`^index/${name}$`),
      );
      const it = await open(copy);
      assert.equal(it.warnings.length, 1, `${name}, byte ${at}`);
      assert.equal(it.read, name.endsWith('catalogue') ? 70 : 35, `${name}, byte ${at}`);
      assert.deepEqual(await answers(it.references), expected, `${name}, byte ${at}`);
      await it.close(false);
      rmSync(copy, { recursive: true });
    }
  }
});

test('a file that is missing, cut, empty or of another writing costs time alone', async () => {
  const { folder, expected } = await filled();
  const other = await filled(20);
  const changes: [name: string, change: (path: string, name: string) => void][] = [
    ['missing', (path) => rmSync(path)],
    ['cut', (path) => writeFileSync(path, readFileSync(path).subarray(0, -1))],
    ['empty', (path) => writeFileSync(path, '')],
    ['foreign', (path, name) => writeFileSync(path, readFileSync(join(other.folder, 'index', counterpart(name))))],
  ];
  const counterpart = (name: string): string => files(other.folder)[files(folder).indexOf(name)]!;
  for (const name of files(folder)) {
    for (const [what, change] of changes) {
      const copy = copyOf(folder);
      change(join(copy, 'index', name), name);
      const it = await open(copy);
      assert.ok(it.read >= 35, `${name} ${what}`);
      assert.deepEqual(await answers(it.references), expected, `${name} ${what}`);
      await it.close(false);
    }
  }
});

test('the index of another moment of the folder is not believed, though its files are whole', async () => {
  const folder = newFolder();
  const first = await open(folder);
  await add(first.references, 0, 10);
  await first.close(false);
  const early = copyOf(folder);
  const second = await open(folder, 2, 60);
  await add(second.references, 10, 70);
  await second.close();
  // the store of the earlier copy, in which the same numbers are given to other pictures
  const third = await open(early);
  for (let i = 10; i < 70; i++) {
    await third.references.add({ id: `other ${i}`, keywords: [], dna: dnas[80 - i]! });
  }
  const expected = await answers(third.references);
  await third.close(false);
  rmSync(join(early, 'index'), { recursive: true, force: true });
  cpSync(join(folder, 'index'), join(early, 'index'), { recursive: true });
  const fourth = await open(early);
  assert.ok(fourth.read >= 70);
  assert.equal(fourth.warnings.length, 1);
  assert.deepEqual(await answers(fourth.references), expected);
  await fourth.close(false);
});

test('another number of search threads builds the partitions anew', async () => {
  const { folder, expected } = await filled();
  const it = await open(folder, 3);
  assert.equal(it.read, 70);
  assert.deepEqual(await answers(it.references), expected);
  await it.close();
  const again = await open(folder, 3);
  assert.deepEqual([again.read, again.warnings], [0, []]);
  await again.close();
});

test('few changes are not saved, nor any with 0; files of a deleted application and of unfinished writings are removed', async () => {
  const small = newFolder();
  const one = await open(small);
  await add(one.references, 0, SAVE_AFTER - 1);
  await one.close();
  assert.ok(!readdirSync(small).includes('index'));
  const none = await open(small, 2, 0);
  await add(none.references, SAVE_AFTER - 1, 80);
  await none.close();
  assert.ok(!readdirSync(small).includes('index'));

  const { folder } = await filled();
  const strays = ['1-0123456789abcdef.shard-0', '1.catalogue.draft', '1-0123456789abcdef.shard-1.draft'];
  for (const name of strays) writeFileSync(join(folder, 'index', name), 'x');
  const it = await open(folder);
  await add(it.references, 70, 90);
  for (let i = 0; i < 40; i++) await it.references.delete(`picture ${i}`);
  while (strays.some((name) => files(folder).includes(name))) await sleep(10);
  it.delete();
  while (files(folder).length > 0) await sleep(10);
  await it.close(false);
});

test('where the index cannot be written, changes go on', async () => {
  const folder = newFolder();
  const it = await open(folder);
  writeFileSync(join(folder, 'index'), 'no folder');
  await add(it.references, 0, 80);
  await it.close();
  assert.match(it.warnings[0]!, /could not be saved/);
  renameSync(join(folder, 'index'), join(folder, '.index'));
  const again = await open(folder);
  assert.equal(await again.references.count(), 80);
  await again.close(false);
});

const localDnas = Array.from({ length: 60 }, (_, i) => dnaOf(LOCAL, i + 1));

async function localAnswers({ references }: Open): Promise<unknown> {
  const page = { start: 0, count: 100 };
  const found: unknown[] = [];
  for (const query of [0, 9, 31, 55]) {
    const restriction = { keywords: [], ids: null };
    found.push(await references.search({ dna: localDnas[query]!, restriction, page, below: 1, colorWeight: 0.5 }));
  }
  return found;
}

test('records of the local types outlast the process; a changed byte in them ends the use of the index', async () => {
  const folder = newFolder();
  const first = await open(folder, 2, SAVE_AFTER, LOCAL);
  const addLocal = async ({ references }: Open, from: number, to: number) => {
    for (let i = from; i < to; i++) await references.add({ id: `picture ${i}`, keywords: [], dna: localDnas[i]! });
  };
  await addLocal(first, 0, SAVE_AFTER);
  while (!readdirSync(folder).includes('index') || !files(folder).includes('1.catalogue')) await sleep(10);
  await addLocal(first, SAVE_AFTER, 60);
  for (const i of [2, 31, 52]) await first.references.delete(`picture ${i}`);
  const expected = await localAnswers(first);
  await first.close(false);

  const again = await open(copyOf(folder), 2, SAVE_AFTER, LOCAL);
  assert.deepEqual([again.read, again.warnings], [9, []]);
  assert.deepEqual(await localAnswers(again), expected);
  await again.close(false);

  const damaged = copyOf(folder);
  for (const name of files(damaged).filter((each) => each.includes('.records-'))) {
    const bytes = readFileSync(join(damaged, 'index', name));
    for (let at = 100; at < bytes.length; at += 1000) bytes[at]! ^= 1;
    writeFileSync(join(damaged, 'index', name), bytes);
  }
  const it = await open(damaged, 2, SAVE_AFTER, LOCAL);
  await assert.rejects(localAnswers(it), /expected the checksum/);
  assert.match(it.warnings[0]!, /expected the checksum/);
  await it.close(false);
  assert.deepEqual(files(damaged), []);
  const rebuilt = await open(damaged, 2, SAVE_AFTER, LOCAL);
  assert.equal(rebuilt.read, 57);
  assert.deepEqual(await localAnswers(rebuilt), expected);
  await rebuilt.close(false);
});
