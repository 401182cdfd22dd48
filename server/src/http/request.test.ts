import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, test } from 'node:test';
import { administration, type Operation, operations, scopes } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import type { Caller } from '../applications/applications.ts';
import { type ErrorName, fail } from '../errors.ts';
import { Activity } from './activity.ts';
import { BodyPacer } from './body-pacer.ts';
import { Budget } from './budget.ts';
import type { HttpContext } from './context.ts';
import { limits } from './limits.ts';
import { isInScope, type Request, runAs, runWithKey } from './request.ts';
import type { Run } from './run.ts';
import { WrongKeys } from './wrong-keys.ts';

let rooms: number;
const application = {
  record: { number: 7, name: 'own' },
  checkRoomForPicture: () => void rooms++,
} as unknown as Application;
const caller = (more: object = {}, of: Partial<Caller> = { application }): Caller => ({
  key: { id: '1', name: 'own', digest: 'd', hint: '', scopes, created: '', ...more },
  ...of,
});
const callers: Record<string, Caller> = {
  own: caller(),
  reader: caller({ name: 'reader', scopes: ['search'] }),
  expired: caller({ name: 'old', expires: '2026-01-01T00:00:00.000Z' }),
  chief: caller({ name: 'chief' }, {}),
};

let entered: unknown[][];
let context: HttpContext;
beforeEach(() => {
  [rooms, entered] = [0, []];
  const few = { ...limits, wrongKeysAtOnce: 2, answerTimeout: 50 };
  const enter =
    (how: string) =>
    async ({ what, code }: { what: string; code: number }) =>
      void entered.push([how, what, code]);
  context = {
    limits: few,
    uploads: new Budget(2 ** 20, 'bytes'),
    work: new Budget(4, 'operations'),
    fetches: new Budget(2, 'addresses'),
    fetcher: { fetch: async (_: string, { take }: { take: (piece: Uint8Array) => void }) => take(Uint8Array.of(1, 2)) },
    pacer: new BodyPacer(),
    wrongKeys: new WrongKeys(few),
    applications: { recognize: (key: string) => callers[key], caller: () => undefined, withNumber: () => undefined },
    audit: { note: enter('noted'), collect: enter('collected'), refuse: enter('refused') },
    activity: new Activity(),
  } as unknown as HttpContext;
});
afterEach(() => assert.deepEqual([context.uploads.held, context.fetches.held], [0, 0], 'memory is given back'));

function request(query: string, headers: Record<string, string> = {}, method = 'GET'): Request {
  const message = Object.assign(Readable.from([]), {
    ...{ method, headers, httpVersion: '1.1', originalUrl: `/x?${query}`, socket: { remoteAddress: '10.0.0.1' } },
  });
  return message as unknown as IncomingMessage as Request;
}
/** An operation that does something else. */
const doing = (
  schema: Operation,
  run: Run['run'] = async () => ({ fields: { done: 1 } }),
  ofApplication = true,
): Run => ({
  ...{ ...schema, ofApplication, run },
});
const reading = doing(operations.getImageById);
const run = (query: string, headers = {}, operation = reading, method = 'GET') =>
  runWithKey(operation, context, request(query, headers, method));
const refused = (work: Promise<unknown>, error: ErrorName, detail?: string | RegExp) =>
  assert.rejects(work, { error, ...(detail !== undefined && { detail }) });

test('the key is a parameter or in the header, and not two that differ', async () => {
  assert.deepEqual(await run('application_key=own'), { done: 1 });
  for (const authorization of ['Bearer own', 'bearer  own ', 'BEARER own'])
    assert.deepEqual(await run('', { authorization }), { done: 1 });
  assert.deepEqual(await run('application_key=own', { authorization: 'Bearer own' }), { done: 1 });
  await refused(run('application_key=own', { authorization: 'Bearer other' }), 'REPEATED_PARAMETER');
  for (const authorization of ['Basic own', 'Bearer', 'Bearer a b']) {
    context = { ...context, wrongKeys: new WrongKeys(context.limits) };
    await refused(run('', { authorization }), 'UNKNOWN_APPLICATION');
  }
});

test('a wrong key is refused, an expired one by its name, and too many of one address as such', async () => {
  await refused(run('application_key=wrong'), 'UNKNOWN_APPLICATION', '');
  await refused(run('application_key=expired'), 'KEY_EXPIRED', 'old, at 2026-01-01T00:00:00.000Z');
  await refused(run('application_key=wrong'), 'OVERLOADED', 'too many requests with a wrong key');
  assert.deepEqual(await run('application_key=own'), { done: 1 }, 'a right one is none of them');
  assert.deepEqual(entered, []);
});

test('of administration each refusal is entered, of pictures that of a scope', async () => {
  const managing = doing(administration.listApplications, undefined, false);
  await refused(run('application_key=wrong', {}, managing), 'UNKNOWN_APPLICATION');
  await refused(run('application_key=expired', {}, managing), 'KEY_EXPIRED');
  assert.deepEqual(entered.map(([how, what]) => [how, what]), Array(2).fill(['refused', 'ListApplications'])); // prettier-ignore
  entered = [];
  const adding = doing(operations.addImage);
  const detail = 'AddImage needs the scope add, the key reader has search';
  await refused(run('application_key=reader', {}, adding, 'POST'), 'SCOPE_REFUSED', detail);
  assert.deepEqual(entered.map(([how, what]) => [how, what]), [['refused', 'AddImage']]); // prettier-ignore
  entered = [];
  const refusing = doing(administration.listApplications, () => Promise.reject(fail('NOT_ADMINISTRATOR', 'x')), false);
  await refused(run('application_key=own', {}, refusing), 'NOT_ADMINISTRATOR');
  assert.equal(entered.length, 1);
  await refused(run('application_key=own', {}, doing(operations.getImageById, () => Promise.reject(fail('UNKNOWN_IMAGE', 'x')))), 'UNKNOWN_IMAGE'); // prettier-ignore
  assert.equal(entered.length, 1);
});

test('administrators may do everything but work on no application, keys what their scopes say', async () => {
  assert.ok(isInScope(callers['chief']!, operations.addImage));
  assert.ok(isInScope(callers['reader']!, { ...operations.addImage, scope: null }));
  assert.ok(!isInScope(callers['reader']!, operations.addImage));
  assert.ok(isInScope(callers['own']!, operations.addImage));
  await refused(run('application_key=chief'), 'UNKNOWN_APPLICATION');
  const managing = doing(administration.listApplications, undefined, false);
  assert.deepEqual(await run('application_key=chief', {}, managing), { done: 1 });
});

test('a change that another site or a prefetch can cause is forbidden, and a reading is not', async () => {
  const changing = doing(operations.deleteImage);
  const key = 'application_key=own';
  for (const headers of [
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'sec-fetch-site': 'cross-site' },
  ]) {
    await refused(run(key, headers, changing), 'FORBIDDEN');
    assert.deepEqual(await run(key, headers), { done: 1 });
    assert.deepEqual(await run(key, headers, changing, 'POST'), { done: 1 });
  }
  assert.deepEqual(await run(key, { 'sec-fetch-site': 'same-origin' }, changing), { done: 1 });
});

test('a change is entered once it is done, and a picture is looked for room as soon as its key is there', async () => {
  assert.deepEqual(await run('application_key=own', {}, doing(operations.deleteImage), 'POST'), { done: 1 });
  assert.deepEqual([entered, rooms], [[['noted', 'DeleteImage', 0]], 0]);
  await run('application_key=own', {}, doing(operations.addImage), 'POST');
  assert.deepEqual([entered.at(-1), rooms], [['collected', 'AddImage', 0], 0], 'it may bring DNA');
  await run('application_key=own', {}, doing(operations.searchImageByUpload), 'POST');
  assert.equal(rooms, 1);
  const failing = doing(operations.deleteImage, () => Promise.reject(fail('IMAGE_NOT_FOUND', 'x')));
  await refused(run('application_key=own', {}, failing, 'POST'), 'IMAGE_NOT_FOUND');
  await run('application_key=own');
  assert.equal(entered.length, 2);
});

test('each operation of an application is counted in its activity, with its failure', async () => {
  await run('application_key=own');
  await refused(run('application_key=own', {}, doing(operations.getImageById, () => Promise.reject(fail('UNKNOWN_IMAGE', 'a')))), 'UNKNOWN_IMAGE'); // prettier-ignore
  await assert.rejects(run('application_key=own', {}, doing(operations.getImageById, () => Promise.reject(new Error('fault')))), /fault/); // prettier-ignore
  await run('application_key=chief', {}, doing(administration.listApplications, undefined, false));
  await run('application_key=own', {}, doing(administration.listApplications, undefined, false));
  const { others, refusals, failures } = context.activity.series(application);
  assert.deepEqual([others.at(-1), refusals.at(-1), failures.at(-1)], [3, 1, 1]);
});

test('work that is late is answered so, and holds its place and its memory until it ends', async () => {
  let end!: () => void;
  const slow = doing(operations.getImageById, () => new Promise((resolve) => (end = () => resolve({ fields: {} }))));
  await refused(run('application_key=own', {}, slow), 'OVERLOADED', 'no answer within 50 ms');
  assert.equal(context.work.held, 1);
  end();
  await new Promise(setImmediate);
  assert.equal(context.work.held, 0);
  const waiting = Array.from({ length: 2 }, () => run('application_key=own', {}, doing(operations.getImageById, () => new Promise(() => {})))); // prettier-ignore
  const late = waiting.map((each) => refused(each, 'OVERLOADED', /no answer/));
  await new Promise(setImmediate);
  await refused(run('application_key=own'), 'OVERLOADED', /operations of one application/);
  await Promise.all(late);
});

test('parameters that no operation has are warned of, and pictures are fetched before the work', async () => {
  const { warnings } = (await run('application_key=own&imageid=a')) as { warnings: string[] };
  assert.deepEqual(warnings, ['unknown parameter imageid is ignored; did you mean image_id?']);
  let length = 0;
  const adding = doing(operations.addImage, async (_, raw) => {
    length = raw.file('image_content')!.length;
    return { fields: {} };
  });
  await run('application_key=own&image_url=http://a/b', {}, adding, 'POST');
  assert.equal(length, 2);
  context.fetches.take(1);
  await refused(run('application_key=own&image_url=http://a/b', {}, adding, 'POST'), 'OVERLOADED');
  context.fetches.giveBack(1);
});

test('a caller that is known before needs no key, and only the scope', async () => {
  const as = (who: string, operation: Run) => runAs(callers[who]!, operation, context, request('', {}, 'POST'));
  assert.deepEqual(await as('own', reading), { done: 1 });
  await refused(as('reader', doing(operations.addImage)), 'SCOPE_REFUSED');
  let found: Caller | undefined;
  await as(
    'reader',
    doing(operations.getImageById, async (of) => ((found = of), { fields: {} })),
  );
  assert.equal(found, callers['reader']);
});
