import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '../errors.ts';
import { RawParameters } from '../parameters/raw-parameters.ts';
import type { Task } from './operation.ts';
import { administration } from './operations.ts';

const application = { name: 'a', record: { number: 1 } };
const definition = { name: 's', kind: 'folder', settings: {}, prefix: 'p/', keywords: ['k'], interval: 60 };
const progress = { done: 1, of: 2 };
const state = { progress, secondsLeft: 3, pictures: 4, failed: 5, ended: null, fault: '', running: false };
const source = (more = {}, changed = {}) => ({
  ...{ id: 'i', application, definition: { ...definition, ...more }, state: { ...state, ...changed } },
});

/** What an operation on a source answers, and how it changes the definition. */
async function outcome(name: string, values: Record<string, string>, known = source()): Promise<any> {
  let change: object | undefined;
  const sources = {
    kinds: { folder: { place: () => 'place', settings: async (given: object) => given } },
    get: async () => known,
    change: async (_: object, of: (definition: object) => object) => (change = of({ request: { number: 7 } })),
    create: async (_: object, given: object) => ((change = given), known),
    failures: async () => {
      known.state = { ...known.state, failed: 6 }; // a pass stores one while they are read
      return [];
    },
    preview: async (...of: unknown[]) => ({ previewed: of.length, retry: of[2] }),
  };
  const raw = new RawParameters();
  for (const [parameter, text] of Object.entries({ application: 'a', source: 's', ...values }))
    raw.addText(parameter, text, 'body');
  const task = { caller: {}, applications: { all: () => [application] }, sources } as unknown as Task;
  const operation = administration.find((each) => each.name === name)!;
  return { ...(await operation.run(task, raw)), change };
}
const codeOf = (name: string, values: Record<string, string>, known = source()) =>
  outcome(name, values, known).then(
    () => 0,
    ({ code }: { code: number }) => code,
  );

test('a change of a source has what was given alone', async () => {
  for (const [values, change] of [
    [{}, {}],
    [{ interval: '90' }, { interval: 90 }],
    [{ paused: '1' }, { paused: true }],
    [
      { paused: '0', interval: '60' },
      { interval: 60, paused: false },
    ],
  ] as const)
    assert.deepEqual((await outcome('SetSource', values)).change, change);
  for (const pictures of ['keep', 'remove'])
    assert.deepEqual((await outcome('DeleteSource', { pictures })).change, { leaving: pictures });
});

test('failures are never older than their number', async () => {
  assert.equal((await outcome('GetSource', {})).source.failed, 5);
});

test('a new source has the usual values where none are given; a dry run makes none', async () => {
  const values = { name: 's', kind: 'folder', path: '/pictures' };
  const { change, preview } = await outcome('CreateSource', values);
  const { settings, interval, ...rest } = change;
  assert.deepEqual(rest, { name: 's', kind: 'folder', prefix: '', keywords: [], paused: false, writable: false });
  assert.deepEqual([settings.path, interval > 0, preview], ['/pictures', true, null]);
  const given = (await outcome('CreateSource', { ...values, prefix: 'x', keywords: 'a', interval: '90', paused: '1' }))
    .change;
  assert.deepEqual([given.prefix, given.keywords, given.interval, given.paused], ['x', ['a'], 90, true]);
  const dry = await outcome('CreateSource', { ...values, dry_run: '1' });
  assert.deepEqual([dry.change, dry.source, dry.preview], [undefined, null, { previewed: 2, retry: undefined }]);
});

test('a source is run by a request with the next number, unless it is paused or the run is dry', async () => {
  assert.deepEqual((await outcome('RunSource', {})).change, { request: { number: 8, retry: false } });
  assert.deepEqual((await outcome('RunSource', { retry: '1' })).change, { request: { number: 8, retry: true } });
  const paused = source({ paused: true });
  assert.equal(await codeOf('RunSource', {}, paused), errors.BAD_PARAMETER.code);
  const dry = await outcome('RunSource', { dry_run: '1' }, paused);
  assert.deepEqual([dry.change, dry.preview], [undefined, { previewed: 4, retry: false }]);
  assert.equal((await outcome('RunSource', { dry_run: '1', retry: '1' })).preview.retry, true);
});

test('removals are agreed to by their number, while there is a question', async () => {
  const asking = source({}, { question: { number: 2, removals: 9, of: 10 } });
  assert.deepEqual((await outcome('ConfirmSource', { removals: '9' }, asking)).change, { agreed: 2 });
  assert.equal(await codeOf('ConfirmSource', { removals: '8' }, asking), errors.NOT_CONFIRMED.code);
  assert.equal(await codeOf('ConfirmSource', { removals: '9' }), errors.NOT_CONFIRMED.code);
});

test('a source is shown with its state: the first of those that hold', async () => {
  const question = { number: 2, removals: 9, of: 10 };
  const all = { ...{ running: true, question, fault: 'f' } };
  for (const [of, expected] of [
    [source({ leaving: 'keep', paused: true }, all), 'leaving'],
    [source({ paused: true }, all), 'paused'],
    [source({}, all), 'running'],
    [source({}, { question, fault: 'f' }), 'confirmation needed'],
    [source({ agreed: 1 }, { question }), 'confirmation needed'],
    [source({ agreed: 2 }, { question }), 'running'],
    [source({}, { fault: 'f' }), 'failed'],
    [source(), 'waiting'],
  ] as const)
    assert.equal((await outcome('GetSource', {}, of)).source.state, expected);
  const { state: _, question: open, ...shown } = (await outcome('GetSource', {}, source({}, all))).source;
  assert.deepEqual(open, { removals: 9, of: 10 });
  assert.deepEqual(shown, {
    ...{ id: 'i', name: 's', application: 'a', kind: 'folder', place: 'place', prefix: 'p/', keywords: ['k'] },
    ...{
      interval: 60,
      writable: false,
      pictures: 4,
      failed: 5,
      progress: { ...progress, seconds_left: 3 },
      last_pass: null,
      fault: 'f',
    },
  });
});
