import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { scopes } from '@sosia/contract';
import { typeDefinitions } from '@sosia/engine';
import { pino } from 'pino';
import type { Application } from '../applications/application.ts';
import type { Caller } from '../applications/applications.ts';
import { errors, fail } from '../errors.ts';
import type { HttpContext } from './context.ts';
import type { Http } from './http.ts';
import { startHttp } from './http.ts';
import { exchange } from './wire.test.kit.ts';

// no real application can have any outcome
let outcome: () => Promise<unknown> = async () => new Uint8Array(1);
const references = { dna: () => outcome() };
const application = {
  ...{ name: 'a', record: { number: 1 }, traits: typeDefinitions['media-matching'].traits, references },
} as unknown as Application;
const created = '2026-01-01T00:00:00.000Z';
const key = (name: string, more: Partial<Caller['key']> = {}): Caller['key'] => ({
  ...{ id: name, name, digest: name, hint: '', scopes, created },
  ...more,
});
const hour = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
const keys = new Map(
  [
    key('sound'),
    key('lasting', { expires: hour(1) }),
    key('over', { expires: hour(-1) }),
    key('searching', { scopes: ['search'] }),
  ].map((each) => [each.name, { key: each, application }]),
);

let http: Http;
let context: HttpContext;
before(async () => {
  const find = (name: string): Caller | undefined => keys.get(name);
  http = await startHttp(
    { recognize: find, caller: find, withNumber: () => undefined },
    {
      ...{ host: '127.0.0.1', modifyPort: 0, queryPort: 0, log: pino({ level: 'silent' }) },
      limits: { stopGrace: 0, stopLinger: 0, wrongKeysAtOnce: 8, wrongKeysPerSecond: 0 },
      plugins: [(_, options, done) => ((context = options.context), done())],
    },
  );
});
after(() => http.close());

const path = '/api/v2.0/enginemodify/json/GetDnaById?image_id=i';
async function codeOf(query: string, headers = ''): Promise<number> {
  const { json } = await exchange(http.modifyPort, `GET ${path}${query} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`);
  return json.status.code;
}

test('a key is accepted until it expires, from the parameter or from the header, and not as two different ones', async () => {
  for (const name of ['sound', 'lasting']) {
    assert.equal(await codeOf(`&application_key=${name}`), 0);
    for (const scheme of ['Bearer', 'bearer ', 'BEARER'])
      assert.equal(await codeOf('', `Authorization: ${scheme} ${name} \r\n`), 0, scheme);
    assert.equal(await codeOf(`&application_key=${name}`, `Authorization: Bearer ${name}\r\n`), 0);
  }
  assert.equal(await codeOf('&application_key=over'), errors.KEY_EXPIRED.code);
  assert.equal(await codeOf('', 'Authorization: Bearer over\r\n'), errors.KEY_EXPIRED.code);
  const two = await codeOf('&application_key=sound', 'Authorization: Bearer lasting\r\n');
  assert.equal(two, errors.REPEATED_PARAMETER.code);
  for (const header of ['', 'Authorization: Basic sound\r\n', 'Authorization: Bearer\r\n'])
    assert.equal(await codeOf('', header), errors.UNKNOWN_APPLICATION.code, header);
});

test('each operation with a key is in the activity of its application, with its failure', async () => {
  const counts = () => {
    const { others, failures, refusals } = context.activity.series(application);
    return [others, failures, refusals].map((each) => each.at(-1)! + each.at(-2)!);
  };
  const differences: number[][] = [];
  for (const end of [
    async () => new Uint8Array(1),
    async () => Promise.reject(fail('IMAGE_NOT_FOUND')),
    async () => Promise.reject(new Error('a fault')),
  ]) {
    outcome = end;
    const begin = counts();
    await codeOf('&application_key=sound');
    differences.push(counts().map((count, i) => count - begin[i]!));
  }
  assert.deepEqual(differences, [
    [1, 0, 0],
    [1, 0, 1],
    [1, 1, 0],
  ]);
  assert.equal(context.activity.failed(application).failures[0]!.code, errors.INTERNAL.code);
  assert.deepEqual([context.work.held, context.uploads.held], [0, 0]);
});

test('an address that sends many wrong keys is refused, and its right keys are not', async () => {
  const codes = new Set<number>();
  for (let i = 0; i < 10; i++) codes.add(await codeOf(`&application_key=wrong-${i}`));
  assert.ok(codes.has(errors.OVERLOADED.code));
  outcome = async () => new Uint8Array(1);
  assert.equal(await codeOf('&application_key=sound'), 0);
});

test('a change by GET is refused to pages of other sites and to prefetches, and reading is not', async () => {
  const changing = '/api/v2.0/enginemodify/json/DeleteImage?application_key=searching&image_id=i';
  for (const [header, error] of [
    ['', 'SCOPE_REFUSED'],
    ['Sec-Fetch-Site: same-origin\r\n', 'SCOPE_REFUSED'],
    ['Sec-Fetch-Site: cross-site\r\n', 'FORBIDDEN'],
    ['Sec-Purpose: prefetch;prerender\r\n', 'FORBIDDEN'],
    ['Purpose: prefetch\r\n', 'FORBIDDEN'],
  ] as const) {
    const { json } = await exchange(http.modifyPort, `GET ${changing} HTTP/1.1\r\nHost: a\r\n${header}\r\n`);
    assert.equal(json.status.code, errors[error].code, header);
    assert.equal(await codeOf('&application_key=sound', header), 0);
    const post = `POST ${changing} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n${header}\r\n`;
    assert.equal((await exchange(http.modifyPort, post)).json.status.code, errors.SCOPE_REFUSED.code);
  }
});
