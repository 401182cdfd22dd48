import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { typeDefinitions } from '@sosia/engine';
import type { Application } from '../applications/application.ts';
import { type ApplicationStore, openApplicationStore } from '../store/application-store.ts';
import type { ApplicationRecord } from '../store/store.ts';
import {
  createApplication,
  deleteApplication,
  emptyApplication,
  getApplication,
  listApplications,
  setApplication,
} from './applications.ts';
import type { Task } from './operation.ts';

let folder: string;
let store: ApplicationStore;
let looked: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sosia-administered-'));
  store = openApplicationStore(folder);
  looked = [];
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

/** An application as the service shows it, with so many pictures as its number. */
function opened(record: ApplicationRecord): Application {
  const { name, type, defaults, number } = record;
  return {
    ...{ record, name, type, defaults, traits: typeDefinitions[type].traits },
    overview: async () => ({ count: number, damaged: 2, indexBytes: 3 }),
    knowsProfile: async (profile: string) => profile.startsWith('known'),
    references: { count: async () => number },
  } as unknown as Application;
}
const all = () => store.list().map(opened);
/** A request of an administrator, or of the application of this name. */
function task(own?: string): Task {
  const application = all().find(({ name }) => name === own);
  return {
    ...{ store, caller: { key: {}, ...(application && { application }) } },
    applications: { all, withNumber: (number: number) => all().find(({ record }) => record.number === number) },
    events: { latest: async ({ name }: Application) => void looked.push(name) },
  } as unknown as Task;
}
const create = async (name: string, more: object = {}, of = task()) =>
  createApplication(of, { name, type: 'media-matching', ...more } as never);
const names = () => store.list().map(({ number, name }) => `${number} ${name}`);

test('an application is created with what was given and the defaults of a new one, and is shown with its key', async () => {
  const of = task();
  const { application, secret } = await create('a', { nb_results: 7 }, of);
  const { color_weight: weight, retrieval_threshold: threshold, title, ...shown } = application;
  assert.deepEqual([weight, threshold, title].map((each) => typeof each), ['number', 'number', 'string']); // prettier-ignore
  assert.deepEqual(shown, {
    ...{ number: 1, name: 'a', type: 'media-matching', enabled: true, nb_images: 1, nb_damaged_images: 2 },
    ...{ index_bytes: 3, nb_results: 7, thumbnails: true, ignore_background: false, profiles: [], nb_keys: 1 },
  });
  assert.ok(secret.length > 20);
  assert.deepEqual(of.subject, { name: 'a', number: 1 });
  await assert.rejects(create('a'), { error: 'APPLICATION_NAME_TAKEN', detail: 'a' });
  const plain = await create('c', { thumbnails: 0, ignore_background: 0, color_weight: 3, retrieval_threshold: 0.5 });
  const { thumbnails, color_weight, retrieval_threshold } = plain.application;
  assert.deepEqual([thumbnails, color_weight, retrieval_threshold], [false, 3, 0.5]);
  assert.equal((await create('d', { thumbnails: 1 })).application.thumbnails, true);
});

test('the background is ignored on types that look at colours, and refused on others', async () => {
  const refused: string[] = [];
  for (const type of Object.keys(typeDefinitions)) {
    const made = create(type, { type, ignore_background: 1 });
    const { traits } = typeDefinitions[type as keyof typeof typeDefinitions];
    if (traits.colors || traits.colorWeight) assert.equal((await made).application.ignore_background, true);
    else {
      await assert.rejects(made, { error: 'BAD_PARAMETER', detail: `ignore_background is not for ${traits.title} applications` }); // prettier-ignore
      refused.push(type);
    }
    assert.equal((await create(`${type} plain`, { type })).application.ignore_background, false);
  }
  assert.ok(refused.length > 0);
});

test('what is given of an application is changed, and nothing else', async () => {
  await create('a', { nb_results: 7, thumbnails: 0 });
  await create('f', { type: 'filter' });
  const set = async (values: object, of = task()) => setApplication(of, { application: 'a', ...values } as never);
  const before = store.list();
  await set({});
  assert.deepEqual(store.list(), before);
  await set({ nb_results: 9 });
  assert.deepEqual(store.list(), [{ ...before[0], defaults: { ...before[0]!.defaults, nbResults: 9 } }, before[1]]);
  for (const [value, is] of [
    [0, false],
    [1, true],
  ] as const) {
    // prettier-ignore
    const { application } = await set({ enabled: value, thumbnails: value });
    assert.deepEqual([application.enabled, application.thumbnails], [is, is]);
  }
  await assert.rejects(set({ name: 'f' }), { error: 'APPLICATION_NAME_TAKEN' });
  await assert.rejects(set({ name: 'new' }, task('a')), { error: 'NOT_ADMINISTRATOR' });
  assert.equal((await set({ name: 'a' }, task('a'))).application.name, 'a');
  assert.equal((await set({ name: 'new' })).application.name, 'new');
  await assert.rejects(set({ application: 'new', profiles: ['known'] }), { error: 'DOES_NOT_APPLY' });
  const profiles = (list: string[]) => set({ application: 'f', profiles: list });
  await assert.rejects(profiles(['known', 'none']), { error: 'UNKNOWN_PROFILE', detail: 'none' });
  assert.deepEqual((await profiles(['known-1'])).application.profiles, ['known-1']);
});

test('an application sees itself alone, an administrator all', async () => {
  await create('a');
  await create('b');
  const shown = async (of: Task) => (await listApplications(of, {} as never)).applications.map(({ name }) => name);
  assert.deepEqual([await shown(task()), await shown(task('b'))], [['a', 'b'], ['b']]);
  assert.equal((await getApplication(task(), { application: '2' } as never)).application.name, 'b');
  assert.equal((await getApplication(task('b'), {} as never)).application.number, 2);
});

test('pictures are removed and applications deleted only with the name as confirmation', async () => {
  await create('a');
  await create('b');
  const confirmed = (confirm: string) => ({ application: 'b', confirm }) as never;
  for (const remove of [emptyApplication, deleteApplication])
    await assert.rejects(async () => remove(task(), confirmed('a')), {
      error: 'NOT_CONFIRMED',
      detail: 'expected b, got a',
    });
  assert.deepEqual([names(), looked], [['1 a', '2 b'], []]);
  const emptied = await emptyApplication(task(), confirmed('b'));
  assert.deepEqual([emptied.removed, emptied.application.number, looked], [2, 3, ['b']]);
  assert.deepEqual((await deleteApplication(task(), confirmed('b'))).removed, 3);
  assert.deepEqual(names(), ['1 a']);
});
