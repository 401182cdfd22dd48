import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BoxMatch } from '@sosia/engine';
import { typeDefinitions } from '@sosia/engine';
import fc from 'fast-check';
import type { Decoder } from '../decode/decoder.ts';
import { Failure } from '../errors.ts';
import { OnnxRunner } from '../onnx/onnx-runner.ts';
import { Shards } from '../shards/shards.ts';
import { openApplicationStore } from '../store/application-store.ts';
import { openImageStore } from '../store/image-store.ts';
import { operations } from '../operations/operations.ts';
import { searchOf } from '../operations/search.ts';
import { RawParameters } from '../parameters/raw-parameters.ts';
import type { Application } from './application.ts';
import type { Match, Restriction } from './references.ts';
import { Profiles } from './profiles.ts';
import { Applications } from './applications.ts';
import { createApplication } from './create.ts';
import { EmbeddedBackend } from './embedded-backend.ts';
import type { NewImage } from '../store/store.ts';

const definition = typeDefinitions['media-matching'];
const everything: Restriction = { keywords: [], ids: null };

const home = mkdtempSync(join(tmpdir(), 'sosia-applications-'));
const opened = new Set<() => Promise<void>>();
after(async () => {
  for (const close of opened) await close();
  rmSync(home, { recursive: true });
});
let folders = 0;

/** All layers below the operations on one folder, except decoding: these tests have their own DNA. */
async function open(folder: string, threads = 2, { loaded = true } = {}) {
  const images = await openImageStore(folder);
  const store = openApplicationStore(folder);
  const shards = new Shards(threads, (cause) => assert.fail(cause));
  const onnx = new OnnxRunner();
  const forgotten: number[] = [];
  const dependencies = {
    decoder: {} as Decoder,
    onnx,
    profiles: new Profiles(store, folder),
    forget: async ({ record }: Application) => void forgotten.push(record.number),
  };
  const applications = new Applications(new EmbeddedBackend(store, { images, shards }), dependencies, (cause) =>
    assert.fail(String(cause)),
  );
  if (loaded) await applications.load(() => {});
  async function close(): Promise<void> {
    opened.delete(close);
    await applications.close();
    await shards.close();
    await images.close();
    store.close();
  }
  opened.add(close);
  return { applications, images, store, forgotten, close };
}

/** One new application on a new folder. */
async function openOne() {
  const folder = join(home, String(++folders));
  const all = await open(folder);
  const { key, record } = createApplication(all.store, { type: 'media-matching', name: 'posters' });
  return { ...all, folder, key, number: record.number, application: all.applications.find(key)! };
}

/** The DNA of a picture of many rectangles, different for every seed. */
function dnaOf(seed: number, light = 1): Uint8Array {
  const [width, height] = [320, 240];
  const rgb = new Uint8Array(3 * width * height).fill(128);
  let state = seed * 2654435761 + 1;
  const below = (most: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  for (let i = 0; i < 150; i++) {
    const [x, y, w, h] = [below(width - 8), below(height - 8), 6 + below(50), 6 + below(50)];
    const color = [below(256), below(256), below(256)].map((channel) => light * channel);
    for (let row = y; row < Math.min(height, y + h); row++) {
      for (let column = x; column < Math.min(width, x + w); column++) rgb.set(color, 3 * (row * width + column));
    }
  }
  return definition.describe({ width, height, rgb, originalWidth: width, originalHeight: height }, 'reference');
}

const dnas = Array.from({ length: 6 }, (_, seed) => dnaOf(seed + 1));

const idsOf = (matches: readonly Match[]): string[] => matches.map(({ id }) => id);
/** All matches. */
async function listed(it: Application, dna: Uint8Array, restriction: Restriction): Promise<readonly Match[]> {
  const { found, images } = await search(it, dna, restriction);
  assert.equal(found, images.length);
  return images;
}

/** As the operations search, with the defaults of the application. */
function search(it: Application, dna: Uint8Array, { keywords, ids }: Restriction) {
  const query = { keywords, ...(ids && { ids_list: ids }), starting_index: 0, nb_results: Infinity };
  return it.references.search(searchOf(it, dna, query));
}

const image = (id: string, keywords: readonly string[], dna: Uint8Array): NewImage => ({ id, keywords, dna });
const failing = (error: string) => (cause: unknown) => cause instanceof Failure && cause.error === error;

test('a picture is found by every search after its addition and by none after its deletion', async () => {
  const { application, close } = await openOne();
  await application.references.add(image('a', ['red', 'sky'], dnas[0]!));
  await application.references.add(image('b', [], dnas[1]!));
  const [found, ...others] = await listed(application, dnas[0]!, everything);
  assert.deepEqual([found!.id, found!.score, found!.keywords, others], ['a', 0, ['red', 'sky'], []]);
  assert.equal((found!.resultInfo as BoxMatch).decision, 'Clone');
  assert.deepEqual(await application.references.image('a'), {
    id: 'a',
    keywords: ['red', 'sky'],
    score: 0,
    resultInfo: null,
  });
  assert.deepEqual(await application.references.dna('a'), dnas[0]);

  await application.references.delete('a');
  assert.deepEqual(await listed(application, dnas[0]!, everything), []);
  assert.equal(await application.references.count(), 1);
  await close();
});

test('adding an existing id and requesting an unknown one fail with their own codes', async () => {
  const { application, close } = await openOne();
  await application.references.add(image('a', ['first'], dnas[0]!));
  await assert.rejects(application.references.add(image('a', ['second'], dnas[1]!)), failing('IMAGE_EXISTS'));
  assert.deepEqual((await application.references.image('a')).keywords, ['first']);
  await assert.rejects(application.references.delete('b'), failing('IMAGE_NOT_FOUND'));
  await assert.rejects(application.references.image('b'), failing('UNKNOWN_IMAGE'));
  await assert.rejects(application.references.dna('b'), failing('UNKNOWN_IMAGE'));
  assert.throws(() => application.checkedDna(new Uint8Array(9), 'reference'), failing('BAD_DNA'));
  await close();
});

test('concurrent additions, deletions and searches of the same ids have results as in some sequence', async () => {
  const { application, folder, key, close } = await openOne();
  const operation = fc.record({
    verb: fc.constantFrom('add', 'delete'),
    id: fc.constantFrom('a', 'b', 'c'),
    dna: fc.nat(2),
  });
  const model = new Map<string, string>();
  let adds = 0;

  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 30 }), async (operations) => {
      const outcomes = operations.map(({ verb, id, dna }) => {
        const present = model.has(id);
        if (verb === 'delete') {
          model.delete(id);
          return { done: application.references.delete(id), expected: present ? 'done' : 'IMAGE_NOT_FOUND' };
        }
        const keyword = `add-${++adds}`;
        if (!present) model.set(id, keyword);
        return {
          done: application.references.add(image(id, [keyword], dnas[dna]!)),
          expected: present ? 'IMAGE_EXISTS' : 'done',
        };
      });
      const meanwhile = search(application, dnas[0]!, everything);
      const came = outcomes.map(({ done }) =>
        done.then(
          () => 'done',
          (cause: unknown) => (cause as Failure).error,
        ),
      );
      assert.deepEqual(
        await Promise.all(came),
        outcomes.map(({ expected }) => expected),
      );
      for (const { id } of (await meanwhile).images) assert.ok('abc'.includes(id));

      const all = await Promise.all([0, 1, 2].map((dna) => listed(application, dnas[dna]!, everything)));
      const found = all.flat().sort((a, b) => (a.id < b.id ? -1 : 1));
      assert.deepEqual(
        found.map(({ id, keywords }) => [id, ...keywords]),
        [...model].sort(([a], [b]) => (a < b ? -1 : 1)),
      );
    }),
    { numRuns: 30 },
  );

  await close();
  const again = await open(folder);
  const { images } = await again.applications.find(key)!.references.list(everything, { start: 0, count: Infinity });
  assert.deepEqual(
    images.map(({ id, keywords }) => [id, ...keywords]),
    [...model].sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  await again.close();
});

test('a filter is part of the search: the remaining pictures keep their order and their scores', async () => {
  const { application, close } = await openOne();
  const ids = ['é', 'z', '\u{e000}', '😀', 'a'];
  for (const [i, id] of ids.entries())
    await application.references.add(image(id, i % 2 ? ['odd', 'all'] : ['all'], dnas[0]!));
  await application.references.add(image('other', ['odd'], dnas[1]!));

  const all = await listed(application, dnas[0]!, everything);
  assert.deepEqual(idsOf(all), ['a', 'z', 'é', '\u{e000}', '😀']);
  const odd = await listed(application, dnas[0]!, { keywords: ['odd', 'all'], ids: null });
  assert.deepEqual(
    odd,
    all.filter(({ id }) => id === 'z' || id === '😀'),
  );
  const some = await listed(application, dnas[0]!, { keywords: ['odd'], ids: ['é', '😀', 'nowhere', '😀'] });
  assert.deepEqual(idsOf(some), ['😀']);
  assert.deepEqual(await listed(application, dnas[0]!, { keywords: [], ids: ['nowhere'] }), []);
  assert.deepEqual(
    idsOf((await application.references.list({ keywords: ['odd'], ids: null }, { start: 0, count: 10 })).images),
    ['other', 'z', '😀'],
  );
  await close();
});

test('results at or above the retrieval threshold are not listed', async () => {
  const { application, store, number, applications, key, close } = await openOne();
  await application.references.add(image('a', [], dnaOf(1)));
  const darker = dnaOf(1, 0.6);
  const [found] = await listed(application, darker, everything);
  assert.ok(found!.score > 0 && found!.score < 0.9, `score ${found!.score}`);

  for (const [retrievalThreshold, count] of [
    [found!.score, 0],
    [found!.score + 1e-9, 1],
  ] as const) {
    const defaults = { nbResults: 3, colorWeight: 1, retrievalThreshold };
    store.update(number, { defaults });
    assert.deepEqual(applications.find(key)!.defaults, defaults);
    assert.equal((await listed(application, darker, everything)).length, count);
  }
  await close();
});

test('changes of an application by another process count from the next request on', async () => {
  const { applications, folder, key, application, number, images, close } = await openOne();
  await application.references.add(image('a', [], dnas[0]!));
  const other = openApplicationStore(folder);

  other.update(number, { enabled: false });
  assert.equal(applications.find(key), undefined);
  other.update(number, { enabled: true, name: 'bills' });
  assert.equal(applications.find(key)!.name, 'bills');
  assert.equal(await applications.find(key)!.references.count(), 1);

  const made = createApplication(other, { type: 'media-matching', name: 'second' });
  const second = applications.find(made.key)!;
  await second.references.add(image('a', [], dnas[1]!));
  assert.deepEqual(idsOf(await listed(second, dnas[1]!, everything)), ['a']);
  assert.deepEqual(await listed(second, dnas[0]!, everything), []);

  other.delete(number);
  assert.equal(applications.find(key), undefined);
  await assert.rejects(listed(application, dnas[0]!, everything), failing('UNKNOWN_APPLICATION'));
  for (let left = 1, tries = 0; left > 0 && tries < 6000; tries++) {
    left = 0;
    for await (const records of images.replay(number)) left += records.length;
    if (left > 0) await sleep(20);
    assert.ok(tries < 5999, 'the pictures of a deleted application are still there');
  }
  assert.deepEqual(
    (await applications.overview()).map(({ name, count }) => [name, count]),
    [['second', 1]],
  );
  other.close();
  await close();
});

test('a deleted application is forgotten, an emptied one is not', async () => {
  const { applications, store, number, forgotten, close } = await openOne();
  const { number: emptied } = store.empty(number);
  assert.deepEqual(
    applications.all().map(({ record }) => record.number),
    [emptied],
  );
  store.delete(emptied);
  assert.deepEqual(applications.all(), []);
  while (forgotten.length === 0) await sleep(1);
  assert.deepEqual(forgotten, [emptied]);
  await close();
});

test('no key, an unknown key and the digest of a key find nothing', async () => {
  const { applications, key, store, close } = await openOne();
  for (const wrong of ['', 'x', key.toLowerCase() + 'x', store.list()[0]!.keys[0]!.digest, '__proto__']) {
    assert.equal(applications.find(wrong), undefined);
  }
  await close();
});

test('after a restart everything is present, for any number of threads', async () => {
  const { application, folder, key, close } = await openOne();
  for (const [i, dna] of dnas.entries()) await application.references.add(image(`p${i}`, [`k${i % 2}`], dna));
  await application.references.delete('p3');
  const answers = async (it: Application) =>
    JSON.stringify(await Promise.all(dnas.map((dna) => listed(it, dna, everything))));
  const before = await answers(application);
  await close();
  for (const threads of [1, 3]) {
    const again = await open(folder, threads);
    const reopened = again.applications.find(key)!;
    assert.equal(await reopened.references.count(), 5);
    assert.equal(await answers(reopened), before);
    const [overview] = await again.applications.overview();
    assert.ok(overview!.indexBytes > 5000);
    await again.close();
  }
});

test('until its pictures are loaded, an application reports the progress and refuses everything else', async () => {
  const { application, folder, key, close } = await openOne();
  for (const [i, dna] of dnas.entries()) await application.references.add(image(`p${i}`, [], dna));
  await close();

  const again = await open(folder, 1, { loaded: false });
  const reopened = again.applications.find(key)!;
  const run = (name: string) => operations.findLast((each) => each.name === name)!.run(reopened, new RawParameters());
  assert.deepEqual(again.applications.loading, { loaded: 0, pictures: 0 });
  assert.deepEqual(await run('GetApplicationStatus'), {
    nb_loaded_images: 0,
    loading: { loaded: 0, pictures: 0, share: 0 },
  });
  const others = operations.filter(({ name, refuses }) => name !== 'GetApplicationStatus' && !refuses(reopened.traits));
  for (const { name } of others) await assert.rejects(run(name), { error: 'LOADING' }, name);

  await again.applications.load(() => assert.deepEqual(again.applications.loading, { loaded: 6, pictures: 6 }));
  assert.equal(again.applications.loading, undefined);
  assert.deepEqual(await run('GetApplicationStatus'), { nb_loaded_images: 6 });
  assert.deepEqual(idsOf((await reopened.references.list(everything, { start: 0, count: 2 })).images), ['p0', 'p1']);
  await again.close();
});

test('an application that is deleted while it loads does not end the start; its pictures are purged', async () => {
  const { images, number, folder, key, close } = await openOne();
  await Promise.all(Array.from({ length: 600 }, (_, i) => images.append(number, image(`p${i}`, [], dnas[0]!))));
  await close();

  const again = await open(folder, 1, { loaded: false });
  let seen = 0;
  await again.applications.load((_, loaded) => {
    seen ||= loaded;
    if (again.store.list().length > 0) again.store.delete(number);
    assert.equal(again.applications.find(key), undefined);
  });
  assert.ok(seen > 0 && seen < 600);
  while ((await again.images.count(number)) > 0) await sleep(1);
  await again.close();
});
