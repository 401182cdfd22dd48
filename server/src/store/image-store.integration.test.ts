import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { Failure } from '../errors.ts';
import type { ErrorName } from '../errors.ts';
import { type ImageStore, lockImageStore, openImageStore } from './image-store.ts';
import { Metrics } from '../metrics/metrics.ts';
import type { Damage, ImageRecord, StoredImage } from './store.ts';
import { openFilesIn } from './open-files.test.kit.ts';
import { verify } from './verify.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sosia-images-'));
after(() => rmSync(scratch, { recursive: true }));
let folders = 0;
const newFolder = () => join(scratch, `data-${++folders}`);
const child = fileURLToPath(new URL('./image-store.test.child.js', import.meta.url));

const picture = (id: string, length = 50) => ({
  id,
  keywords: ['sea', `of ${id}`],
  dna: Uint8Array.from({ length }, (_, i) => id.length + i * 7),
});

/** Closed with the test, also after a failure: an open store keeps the process running. */
async function open(t: TestContext, folder: string, onDamage?: (damage: Damage) => void): Promise<ImageStore> {
  const store = await openImageStore(folder, onDamage);
  t.after(() => store.close());
  return store;
}

async function replayed(store: ImageStore, application: number): Promise<ImageRecord[]> {
  const all: StoredImage[] = [];
  for await (const batch of store.replay(application)) all.push(...batch);
  return all.map(({ dna, checksum: _, ...rest }) => ({ ...rest, dna: new Uint8Array(dna) }));
}

function failsAs(error: ErrorName, words: RegExp) {
  return (cause: unknown) => {
    assert.ok(cause instanceof Failure, String(cause));
    assert.equal(cause.error, error);
    assert.match(cause.message, words);
    return true;
  };
}

test('a picture is present after a reopening, with all its fields', async (t) => {
  const folder = newFolder();
  const first = await open(t, folder);
  const number = await first.append(3, picture('\ufeffété/日本 🌊', 20_000));
  await first.close();

  const second = await open(t, folder);
  assert.deepEqual(await replayed(second, 3), [{ number, ...picture('\ufeffété/日本 🌊', 20_000) }]);
  assert.deepEqual(new Uint8Array(await second.dna(3, number)), picture('\ufeffété/日本 🌊', 20_000).dna);
  await second.close();
});

test('a picture takes the place of another one, which must be there', async (t) => {
  const store = await open(t, newFolder());
  const number = await store.append(3, picture('old'));
  const next = await store.replace(3, number, picture('new'));
  assert.deepEqual(await replayed(store, 3), [{ number: next, ...picture('new') }]);
  await assert.rejects(store.replace(3, number, picture('late')), failsAs('UNKNOWN_IMAGE', /late/));
  assert.deepEqual(await replayed(store, 3), [{ number: next, ...picture('new') }]);
});

test('applications do not share pictures', async (t) => {
  const store = await open(t, newFolder());
  const one = await store.append(1, picture('same'));
  const two = await store.append(2, picture('same'));
  assert.deepEqual(
    (await replayed(store, 1)).map(({ number }) => number),
    [one],
  );
  await assert.rejects(store.dna(1, two), failsAs('UNKNOWN_IMAGE', /number 2/));
  await store.remove(1, two); // of another application: no effect
  assert.equal((await replayed(store, 2)).length, 1);
  await store.purge(1);
  assert.equal((await replayed(store, 1)).length, 0);
  assert.equal((await replayed(store, 2)).length, 1);
  await store.close();
});

test('a number is never assigned twice, not even after the highest was removed and the store reopened', async (t) => {
  const folder = newFolder();
  const numbers: number[] = [];
  for (let round = 0; round < 3; round++) {
    const store = await open(t, folder);
    numbers.push(await store.append(1, picture('a')), await store.append(1, picture('b')));
    await store.remove(1, numbers.at(-1)!);
    await store.close();
  }
  assert.deepEqual(numbers, [1, 2, 3, 4, 5, 6]);
});

test('concurrent writes share commits, at most 256 in one', async (t) => {
  const folder = newFolder();
  const store = await open(t, folder);
  await store.append(1, picture('before'));
  const commits = commitsInLog(folder);
  // the first has its own commit, since nothing waits yet; the other 599 take 256 + 256 + 87
  await Promise.all(Array.from({ length: 600 }, (_, i) => store.append(1, picture(`p${i}`, 3))));
  assert.equal(commitsInLog(folder) - commits, 4);
  assert.equal((await replayed(store, 1)).length, 601);
  await store.close();
});

test('the changes of one caller take effect in the order of its calls', async (t) => {
  const store = await open(t, newFolder());
  const [number] = await Promise.all([
    store.append(1, picture('a')),
    store.remove(1, 1),
    store.append(1, picture('a')),
  ]);
  assert.equal(number, 1);
  assert.deepEqual(
    (await replayed(store, 1)).map((image) => image.number),
    [2],
  );
  await store.close();
});

test('a replay shows one moment, independently of concurrent writes, and may be stopped early', async (t) => {
  const folder = newFolder();
  const store = await open(t, folder);
  await Promise.all(Array.from({ length: 600 }, (_, i) => store.append(1, picture(`p${i}`))));
  let seen = 0;
  for await (const batch of store.replay(1)) {
    if (seen === 0) {
      await store.append(1, picture('late'));
      await store.remove(1, 600);
      assert.equal((await replayed(store, 1)).length, 600);
    }
    seen += batch.length;
  }
  assert.equal(seen, 600);
  const files = openFilesIn(folder).length;
  for (let i = 0; i < 3; i++) for await (const batch of store.replay(1)) if (batch.length > 0) break;
  // fewer where the garbage collector closes earlier ones meanwhile
  assert.ok(openFilesIn(folder).length <= files, 'a replay that ends early leaves its connection to the next one');
  assert.deepEqual(
    (await replayed(store, 1)).slice(-2).map(({ number }) => number),
    [599, 601],
  );
  await store.close();
});

test('purging removes all pictures, even more than fit into one transaction', async (t) => {
  const folder = newFolder();
  const store = await open(t, folder);
  await Promise.all(Array.from({ length: 700 }, (_, i) => store.append(1, picture(`p${i}`))));
  await store.purge(1);
  assert.deepEqual(await replayed(store, 1), []);
  await store.close();
});

test('a purge that a stop interrupts has removed 256 pictures with all that belongs to them, and the next one removes the rest', async (t) => {
  const folder = newFolder();
  const store = await open(t, folder);
  const of = { thumbnail: new Uint8Array(10).fill(1), details: { format: 'png' } };
  await Promise.all(Array.from({ length: 300 }, (_, i) => store.append(1, { ...picture(`p${i}`), ...of })));
  await Promise.all([store.purge(1), store.close()]);
  assert.deepEqual(damagesOf(folder), []);
  const again = await open(t, folder);
  assert.equal(await again.count(1), 300 - 256);
  assert.equal((await replayed(again, 1)).length, 300 - 256);
  assert.equal(await again.details(1, 256), undefined);
  await again.purge(1);
  assert.equal(await again.count(1), 0);
  await again.close();
  assert.deepEqual(damagesOf(folder), []);
});

test('the records of deleted applications are removed, and those of others stay', async (t) => {
  const store = await open(t, newFolder());
  const body = Buffer.from('record');
  for (const number of [1, 2, 3]) await store.changeRecords(number, [{ kind: 'group', id: 'a', body }]);
  await store.forget([1, 2]);
  const left = await Promise.all([1, 2, 3].map(async (number) => (await store.records(number, 'group')).length));
  assert.deepEqual(left, [0, 0, 1]);
  await store.close();
});

test('a closed store has settled earlier requests and refuses new ones', async (t) => {
  const folder = newFolder();
  const store = await open(t, folder);
  const appended = Array.from({ length: 20 }, (_, i) => store.append(1, picture(`p${i}`)));
  const closing = store.close();
  assert.equal(store.state, 'closed');
  await assert.rejects(store.append(1, picture('late')), failsAs('STORE_READ_ONLY', /closed/));
  // the work for deleted applications ends with the store
  await store.purge(2);
  await store.forget([2]);
  assert.equal((await Promise.all(appended)).length, 20);
  await closing;
  await store.close();
  const again = await open(t, folder);
  assert.equal((await replayed(again, 1)).length, 20);
  await again.close();
});

test('until the folder is open reads and changes are refused as loading, and no refused change ends the later ones', async (t) => {
  const store = await lockImageStore(newFolder(), () => {}, new Metrics());
  t.after(() => store.close());
  const change = [{ kind: 'k', id: 'a', body: Uint8Array.of(1) }];
  for (const early of [
    () => store.recordsAfter(1, 'k', '', 1),
    () => store.records(1, 'k'),
    () => store.record(1, 'k', 'a'),
    () => store.lastRecord(1, 'k'),
    () => store.changeRecords(1, change),
    () => store.addEvents({ application: 1, events: [] }),
    () => store.forget([1]),
    () => store.append(1, picture('a')),
    () => store.remove(1, 1),
    () => store.purge(1),
    () => store.dna(1, 1),
    () => store.count(1),
    () => store.replay(1).next(),
  ])
    await assert.rejects(early(), failsAs('LOADING', /the data folder is checked first/));
  await store.open();
  await store.changeRecords(1, change);
  assert.deepEqual(
    (await store.recordsAfter(1, 'k', '', 9)).map(({ id }) => id),
    ['a'],
  );
});

test('a second server on the folder is refused, in this process and from another, until the first is closed', async (t) => {
  const folder = newFolder();
  const store = await open(t, folder);
  const other = () => spawnSync(process.execPath, [child, 'open', folder], { encoding: 'utf8' }).stdout;
  await assert.rejects(open(t, folder), failsAs('STORE_LOCKED', /in use by another server.*data-/));
  assert.match(other(), /STORE_LOCKED/);
  assert.match(other(), /STORE_LOCKED/); // the refused ones have not broken the lock
  await store.append(1, picture('a'));
  await store.close();
  assert.deepEqual(
    openFilesIn(folder).filter((path) => path.endsWith('server.lock')),
    [],
  );
  assert.match(other(), /opened/);
  await (await openImageStore(folder)).close(); // and a lock ends with its process
});

test('a folder of another version, an unfinished copy and a foreign folder are refused and not modified', async (t) => {
  const whole = newFolder();
  await (await openImageStore(whole)).close();
  const foreign = newFolder();
  mkdirSync(foreign);
  const files = (folder: string) =>
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'base64')]);

  for (const [folder, format, words] of [
    [whole, 'sosia data 2\n', /expected format 1, found format 2, made by another version/],
    [whole, '', /unfinished copy/],
    [foreign, 'hello', /expected format 1, found "hello"/],
  ] as const) {
    writeFileSync(join(folder, 'format'), format);
    const before = files(folder);
    await assert.rejects(open(t, folder), failsAs('STORE_FORMAT', words));
    assert.throws(() => verify(folder), failsAs('STORE_FORMAT', words));
    assert.deepEqual(files(folder), before);
  }
});

test('a folder that cannot be created is refused by name', async () => {
  writeFileSync(join(scratch, 'file'), '');
  await assert.rejects(
    openImageStore(join(scratch, 'file', 'data')),
    failsAs('STORE_UNAVAILABLE', /file\/data.*ENOTDIR/),
  );
});

test(
  'once the disk refuses a write the store only reads, and what it acknowledged is there',
  { skip: process.platform === 'win32' },
  () => {
    const folder = newFolder();
    const limited = `trap '' XFSZ; ulimit -f 3000; exec "$@"`; // blocks of 512 bytes per file
    const { stdout } = spawnSync('sh', ['-c', limited, 'sh', process.execPath, child, 'fill', folder], {
      encoding: 'utf8',
    });
    const { stored, failures, state, readable } = JSON.parse(stdout);
    assert.ok(stored > 0);
    assert.equal(state, 'read-only');
    assert.equal(failures[0], 'STORE_WRITE_FAILED');
    assert.deepEqual(new Set(failures.slice(1)), new Set(['STORE_READ_ONLY']));
    assert.equal(readable, stored);
    assert.deepEqual(damagesOf(folder), []);
    assert.ok(verify(folder).images >= stored);
  },
);

test('behaves like one list per application, over any changes and restarts', async (t) => {
  const action = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('append'),
        application: fc.integer({ min: 1, max: 3 }),
        id: fc.string({ unit: 'grapheme', maxLength: 5 }),
        keywords: fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 3 }),
        dna: fc.uint8Array({ maxLength: 40 }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('remove'),
        application: fc.integer({ min: 1, max: 3 }),
        number: fc.integer({ min: 1, max: 25 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('purge'), application: fc.integer({ min: 1, max: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart') }) },
  ) as fc.Arbitrary<{ kind: string; application: number; number: number } & Omit<ImageRecord, 'number'>>;

  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
      const folder = newFolder();
      const model = new Map<number, ImageRecord & { application: number }>();
      let assigned = 0;
      let store = await open(t, folder, (damage) => assert.fail(JSON.stringify(damage)));
      let running: Promise<unknown>[] = [];
      for (const { kind, application, number, id, keywords, dna } of actions) {
        if (kind === 'append') {
          const expected = ++assigned;
          model.set(expected, { application, number: expected, id, keywords, dna });
          running.push(store.append(application, { id, keywords, dna }).then((got) => assert.equal(got, expected)));
        } else if (kind === 'remove') {
          if (model.get(number)?.application === application) model.delete(number);
          running.push(store.remove(application, number));
        } else {
          await Promise.all(running);
          running = [];
          if (kind === 'purge') {
            await store.purge(application);
            for (const [key, image] of model) if (image.application === application) model.delete(key);
          } else {
            await store.close();
            store = await open(t, folder, (damage) => assert.fail(JSON.stringify(damage)));
          }
        }
      }
      await Promise.all(running);
      for (const application of [1, 2, 3]) {
        const expected = [...model.values()].filter((image) => image.application === application);
        assert.deepEqual(
          await replayed(store, application),
          expected.map(({ application: _, ...image }) => image),
        );
      }
      await store.close();
      assert.deepEqual(damagesOf(folder), []);
    }),
    { numRuns: 10 },
  );
});

/** Here the pictures are stored without their applications, which `verify` rightly misses. */
function damagesOf(folder: string): Damage[] {
  return verify(folder).damages.filter(({ what }) => what !== 'pictures of an application that is not there');
}

/** Commit frames in the write-ahead log (https://sqlite.org/fileformat2.html#walformat): those that carry a size of the database. */
function commitsInLog(folder: string): number {
  const log = readFileSync(join(folder, 'images.db-wal'));
  const salt = log.readBigUInt64BE(16);
  let commits = 0;
  for (let at = 32; at + 24 <= log.length && log.readBigUInt64BE(at + 8) === salt; at += 24 + log.readUInt32BE(8)) {
    if (log.readUInt32BE(at + 4) > 0) commits++;
  }
  return commits;
}
