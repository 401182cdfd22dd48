import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { applicationActivity, applicationStatus, session, succeeded } from '@sosia/contract';
import { faultsOf } from '@sosia/contract/faults';
import { applicationTypes } from '@sosia/engine';
import sharp from 'sharp';
import { errors } from '../errors.ts';
import { callersOf } from '../http/callers.test.kit.ts';
import { startHttp } from '../http/http.ts';
import { createLog } from '../main.ts';
import type { Service } from '../service.test.kit.ts';
import { formOf, photograph, startService } from '../service.test.kit.ts';
import { consolePlugin } from './console.ts';

// The answers to the page's requests, and to those of anybody else. Another test runs the page in a browser.

const forbidden = [403, errors.FORBIDDEN.code];
const notSignedIn = [401, errors.NOT_SIGNED_IN.code];
const unknownKey = [200, errors.UNKNOWN_APPLICATION.code];
const unknownImage = [200, errors.UNKNOWN_IMAGE.code];

const folder = mkdtempSync(join(tmpdir(), 'sosia-site-'));
const page = '<!doctype html><title>page</title>'.padEnd(2000);
writeFileSync(join(folder, 'index.html'), page);
writeFileSync(join(folder, 'dna.worker.js'), 'postMessage(1)');
writeFileSync(join(folder, 'fetch.worker.js'), 'postMessage(2)');
const sample = Buffer.from('the bytes of a picture');
writeFileSync(join(folder, 'sample.jpg'), sample);
writeFileSync(join(folder, 'secret.txt'), 'not of the page');

let service: Service;
let key: string;
let origin: string;
before(async () => {
  service = await startService({ consoleFolder: folder });
  origin = `http://127.0.0.1:${service.modifyPort}`;
  key = service.application('media-matching');
});
after(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

interface Visitor {
  readonly cookie: string;
  readonly csrf: string;
}

async function signIn(withKey = key): Promise<Visitor> {
  const response = await post('sign-in', { application_key: withKey }, { origin });
  const { session, status } = (await response.json()) as any;
  assert.equal(status.code, 0);
  return { cookie: response.headers.get('set-cookie')!.split(';')[0]!, csrf: session.csrf };
}

function post(path: string, values: Record<string, string | Uint8Array>, headers: Record<string, string>) {
  return fetch(`${origin}/console/api/${path}`, { method: 'POST', body: formOf(values), headers });
}

async function sessionOf(visitor: Visitor): Promise<unknown> {
  const response = await fetch(`${origin}/console/api/session`, { headers: asPage(visitor) });
  return ((await response.json()) as any).session;
}

const asPage = ({ cookie, csrf }: Visitor) => ({ origin, cookie, 'x-csrf-token': csrf });

async function outcome(response: Response | Promise<Response>): Promise<[http: number, code: number]> {
  const { status, json } = await Promise.resolve(response).then(async (each) => ({
    status: each.status,
    json: (await each.json()) as { status: { code: number } },
  }));
  return [status, json.status.code];
}

test('the page has a policy that allows nothing from other sites, and is compressed on request', async () => {
  const plain = await fetch(`${origin}/console/`, { headers: { 'accept-encoding': 'identity' } });
  assert.equal(plain.status, 200);
  assert.equal(await plain.text(), page);
  const policy = plain.headers.get('content-security-policy')!;
  for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]) {
    assert.ok(policy.split('; ').includes(part), part);
  }
  assert.doesNotMatch(policy, /unsafe|https?:/);
  assert.equal(plain.headers.get('x-content-type-options'), 'nosniff');

  const packed = await fetch(`${origin}/console/`, { headers: { 'accept-encoding': 'gzip' } });
  assert.deepEqual([packed.status, packed.headers.get('content-encoding')], [200, 'gzip']);
  assert.ok(Number(packed.headers.get('content-length')) < 200);
  assert.equal(await packed.text(), page);

  const again = await fetch(`${origin}/console/`, { headers: { 'if-none-match': plain.headers.get('etag')! } });
  assert.equal(again.status, 304);
});

test('a worker may run WebAssembly and has no network', async () => {
  const worker = await fetch(`${origin}/console/dna.worker.js`);
  assert.equal(
    worker.headers.get('content-security-policy'),
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'",
  );
});

test('only the worker that fetches pasted addresses may contact other sites, and it may do nothing else', async () => {
  const policyOf = async (name: string): Promise<string> =>
    (await fetch(`${origin}/console/${name}`)).headers.get('content-security-policy')!;
  assert.equal(await policyOf('fetch.worker.js'), "default-src 'none'; script-src 'self'; connect-src http: https:");
  assert.match(await policyOf('index.html'), /connect-src 'self';/);
});

test('a sample picture is served as it is, not compressed again', async () => {
  const picture = await fetch(`${origin}/console/sample.jpg`, { headers: { 'accept-encoding': 'gzip' } });
  assert.equal(picture.headers.get('content-type'), 'image/jpeg');
  assert.equal(picture.headers.get('content-encoding'), null);
  assert.deepEqual(Buffer.from(await picture.arrayBuffer()), sample);
});

test('only the files of the page are served', async () => {
  for (const path of ['secret.txt', '..%2fsecret.txt', '%2e%2e/package.json', 'nothing', 'api/nothing', 'a/b/c']) {
    assert.deepEqual(await outcome(fetch(`${origin}/console/${path}`)), [404, errors.UNKNOWN_PATH.code], path);
  }
});

test('the QUERY port redirects to the MODIFY port', async () => {
  const there = await fetch(`http://127.0.0.1:${service.queryPort}/console/x`, { redirect: 'manual' });
  assert.equal(there.status, 302);
  assert.equal(there.headers.get('location'), `//127.0.0.1:${service.modifyPort}/console/`);
  const root = await fetch(`${origin}/`, { redirect: 'manual', headers: { accept: 'text/html' } });
  assert.deepEqual([root.status, root.headers.get('location')], [302, '/console/']);
  assert.equal((await fetch(`${origin}/`, { redirect: 'manual' })).status, 404);
  const bare = await fetch(`${origin}/console`, { redirect: 'manual' });
  assert.deepEqual([bare.status, bare.headers.get('location')], [302, '/console/']);
});

test('a key is accepted in the body only, and becomes a cookie that no script and no other site can read', async () => {
  const response = await post('sign-in', { application_key: key }, { origin });
  const cookie = response.headers.get('set-cookie')!;
  assert.match(cookie, /^sosia-\d+=[\w-]{43}; Path=\/console; HttpOnly; SameSite=Strict; Max-Age=43200$/);
  assert.doesNotMatch(cookie + (await response.text()), new RegExp(key));
  const proxied = await post('sign-in', { application_key: key }, { origin, 'x-forwarded-proto': 'https' });
  assert.match(proxied.headers.get('set-cookie')!, /; Secure$/);

  const inAddress = await post(`sign-in?application_key=${key}`, {}, { origin });
  assert.deepEqual([inAddress.headers.get('set-cookie'), ...(await outcome(inAddress))], [null, ...forbidden]);
});

test('a wrong key gets the usual answer, and is counted', async () => {
  for (const wrong of ['', 'nobody']) {
    assert.deepEqual(await outcome(post('sign-in', { application_key: wrong }, { origin })), unknownKey);
  }
  const nobody = callersOf(() => undefined);
  const guarded = await startHttp(nobody, {
    host: '127.0.0.1',
    modifyPort: 0,
    queryPort: 0,
    log: createLog('silent'),
    plugins: [consolePlugin(folder)],
    // memory for one body, which each sign-in gives back
    limits: {
      ...{ stopGrace: 0, wrongKeysAtOnce: 2, wrongKeysPerSecond: 0 },
      ...{ bodyBytesInFlight: 100, bodyBytesWithoutKey: 30, firstBytesWithoutKey: 0 },
    },
  });
  try {
    const there = `http://127.0.0.1:${guarded.modifyPort}`;
    const guess = () => {
      const body = new URLSearchParams({ application_key: 'guess' });
      return outcome(fetch(`${there}/console/api/sign-in`, { method: 'POST', body, headers: { origin: there } }));
    };
    assert.deepEqual(
      [await guess(), await guess(), await guess()],
      [unknownKey, unknownKey, [503, errors.OVERLOADED.code]],
    );
  } finally {
    await guarded.close();
  }
});

test('without a session nothing is returned and nothing is changed', async () => {
  const foreign = { origin, cookie: `sosia-${service.modifyPort}=${'A'.repeat(43)}`, 'x-csrf-token': 'A'.repeat(43) };
  for (const headers of [{ origin }, foreign]) {
    const ask = post('enginequery/GetApplicationStatus', { application_key: key }, headers);
    assert.deepEqual(await outcome(ask), notSignedIn);
    assert.deepEqual(await outcome(fetch(`${origin}/console/api/status`, { headers })), notSignedIn);
  }
  const response = await fetch(`${origin}/console/api/session`);
  assert.deepEqual(((await response.json()) as any).session, null);
});

test('a request that the page has not sent is refused: foreign origin, no origin, no token, by GET', async () => {
  const visitor = await signIn();
  const add = (headers: Record<string, string>) =>
    outcome(post('enginemodify/DeleteImage', { image_id: 'x' }, headers));
  const { origin: _, ...noOrigin } = asPage(visitor);
  const { 'x-csrf-token': __, ...noToken } = asPage(visitor);
  for (const headers of [
    noOrigin,
    noToken,
    { ...asPage(visitor), origin: 'http://evil.example' },
    { ...asPage(visitor), origin: 'null' },
    { ...asPage(visitor), origin: `http://127.0.0.1:${service.queryPort}` },
    { ...asPage(visitor), 'sec-fetch-site': 'same-site' },
    { ...asPage(visitor), 'x-csrf-token': (await signIn()).csrf },
  ]) {
    assert.deepEqual(await add(headers), forbidden, JSON.stringify(headers));
  }
  const byGet = fetch(`${origin}/console/api/enginemodify/DeleteImage?image_id=x`, { headers: asPage(visitor) });
  assert.deepEqual(await outcome(byGet), [404, errors.UNKNOWN_PATH.code]);
  assert.deepEqual(await add(asPage(visitor)), [200, errors.IMAGE_NOT_FOUND.code]);
});

test('signed in, the operations use the application of the session, even if the request has another key', async () => {
  const visitor = await signIn();
  const other = service.application('media-matching');
  const image = { image_id: 'a', image_content: await photograph(1), application_key: other };
  assert.deepEqual(await outcome(post('enginemodify/AddImage', image, asPage(visitor))), [200, 0]);
  assert.equal((await service.query('GetApplicationStatus', { application_key: other })).nb_loaded_images, 0);

  const direct = { application_key: key, image_id: 'a', explain: 1 };
  const { application_key: __, ...values } = { ...direct, explain: '1' };
  const found = await post('enginequery/SearchImageById', values, asPage(visitor));
  assert.deepEqual(await found.json(), await service.query('SearchImageById', direct));
});

test("of several cookies the one of the page's token counts, in any order", async () => {
  const [mine, planted] = [await signIn(), await signIn(service.application('media-matching'))];
  const dead = `${mine.cookie.split('=')[0]}=${'A'.repeat(43)}`;
  const own = await sessionOf(mine);
  for (const order of [
    [mine.cookie, planted.cookie],
    [planted.cookie, mine.cookie],
    [dead, planted.cookie, mine.cookie, dead],
  ]) {
    const visitor = { cookie: order.join('; '), csrf: mine.csrf };
    assert.deepEqual(await sessionOf(visitor), own);
    assert.deepEqual(await outcome(post('enginequery/GetApplicationStatus', {}, asPage(visitor))), [200, 0]);
    const status = fetch(`${origin}/console/api/status`, { headers: asPage(visitor) });
    assert.deepEqual(await outcome(status), [200, 0]);
    const picture = fetch(`${origin}/console/api/thumbnail?image_id=a`, { headers: { cookie: visitor.cookie } });
    assert.deepEqual(await outcome(picture), notSignedIn, 'of two sessions neither is trusted without a token');
  }
});

test('a planted cookie signs nobody in, and prevents no sign-in or sign-out', async () => {
  const planted = await signIn(service.application('media-matching'));
  assert.equal(await sessionOf({ cookie: planted.cookie, csrf: '' }), null);
  assert.equal(await sessionOf({ cookie: planted.cookie, csrf: 'A'.repeat(43) }), null);

  const response = await post('sign-in', { application_key: key }, { origin, cookie: planted.cookie });
  const { session } = (await response.json()) as any;
  const cookie = `${planted.cookie}; ${response.headers.get('set-cookie')!.split(';')[0]}`;
  const both = { cookie, csrf: session.csrf };
  assert.deepEqual(await sessionOf(both), session);
  assert.deepEqual(await outcome(post('sign-out', {}, asPage(both))), [200, 0]);
  assert.equal(await sessionOf(both), null);
  assert.ok(await sessionOf(planted), 'the other session is not ended');
});

test('a session may do what the scopes of its key allow, and administers nothing without that scope', async () => {
  const owner = service.application('media-matching');
  const application = String(service.store.list().at(-1)!.number);
  const scoped = async (scopes: string): Promise<Record<string, string>> => {
    const { secret } = await service.administer('CreateKey', { application, name: scopes, scopes });
    return asPage(await signIn(secret));
  };
  const [searching, administering] = [await scoped('search'), await scoped('administer')];
  const make = { name: 'mine', scopes: 'administer' };
  const all = asPage(await signIn(owner));
  const image = { image_id: 'a', image_content: await photograph(1) };
  for (const [headers, path, values, code] of [
    [searching, 'administration/CreateKey', make, errors.SCOPE_REFUSED.code],
    [searching, 'administration/ListKeys', {}, errors.SCOPE_REFUSED.code],
    [searching, 'enginemodify/AddImage', image, errors.SCOPE_REFUSED.code],
    [searching, 'enginequery/ListImages', {}, 0],
    [administering, 'enginequery/ListImages', {}, errors.SCOPE_REFUSED.code],
    [administering, 'administration/ListKeys', {}, 0],
    [all, 'enginemodify/AddImage', image, 0],
  ] as const) {
    assert.equal((await outcome(post(path, values, headers)))[1], code, path);
  }
});

test('a session ends with the time of its key', async () => {
  const application = String(service.store.list()[0]!.number);
  const { secret } = await service.administer('CreateKey', { application, name: 'guest', scopes: 'search' });
  const visitor = await signIn(secret);
  assert.ok(await sessionOf(visitor));
  await service.administer('SetKey', { application, key: 'guest', expires: '2020-01-01' });
  assert.equal(await sessionOf(visitor), null);
  const status = fetch(`${origin}/console/api/status`, { headers: { cookie: visitor.cookie } });
  assert.deepEqual(await outcome(status), notSignedIn);
  await service.administer('SetKey', { application, key: 'guest', expires: 'never' });
  assert.equal(await sessionOf(visitor), null, 'a session that has ended stays ended');
});

test('pictures are listed by id, in pages, all or those with the keywords', async () => {
  const visitor = await signIn(service.application('media-matching'));
  for (const [i, id] of ['b', 'ä', 'a'].entries()) {
    const image = { image_id: id, image_content: await photograph(2 + i), keywords: i % 2 ? 'odd' : 'even' };
    assert.deepEqual(await outcome(post('enginemodify/AddImage', image, asPage(visitor))), [200, 0]);
  }
  const list = async (values: Record<string, string>): Promise<any> =>
    (await post('enginequery/ListImages', values, asPage(visitor))).json();
  const all = await list({});
  assert.deepEqual([all.nb_results_found, ...all.images.map(({ id }: { id: string }) => id)], [3, 'a', 'b', 'ä']);
  assert.deepEqual((await list({ starting_index: '1', nb_results: '1' })).images, [all.images[1]]);
  assert.deepEqual((await list({ keywords: 'odd' })).images, [all.images[2]]);
});

test('a thumbnail is stored of a picture that arrives as a file, for its own application alone', async () => {
  const visitor = await signIn(service.application('media-matching'));
  const original = await photograph(9);
  await post('enginemodify/AddImage', { image_id: 'ä/9', image_content: original }, asPage(visitor));
  const { dna } = (await (await post('enginemodify/GetDnaById', { image_id: 'ä/9' }, asPage(visitor))).json()) as any;
  await post('enginemodify/AddImage', { image_id: 'by dna', dna: dna.dna }, asPage(visitor));

  const get = (id: string, { cookie }: Visitor, headers: Record<string, string> = {}) =>
    fetch(`${origin}/console/api/thumbnail?image_id=${encodeURIComponent(id)}`, { headers: { cookie, ...headers } });
  const kept = await get('ä/9', visitor);
  assert.deepEqual([kept.status, kept.headers.get('content-type')], [200, 'image/jpeg']);
  assert.equal(kept.headers.get('cross-origin-resource-policy'), 'same-origin');
  assert.equal(kept.headers.get('cache-control'), 'private, no-cache');
  const jpeg = Buffer.from(await kept.arrayBuffer());
  const { width, height } = await sharp(jpeg).metadata();
  assert.deepEqual([width, height], [213, 320]);
  assert.equal((await get('ä/9', visitor, { 'if-none-match': kept.headers.get('etag')! })).status, 304);

  assert.equal((await get('by dna', visitor)).status, 204);
  assert.deepEqual(await outcome(get('nobody', visitor)), unknownImage);
  assert.deepEqual(await outcome(get('ä/9', await signIn())), unknownImage);
  assert.deepEqual(await outcome(get('ä/9', { cookie: '', csrf: '' })), notSignedIn);
  await post('enginemodify/DeleteImage', { image_id: 'ä/9' }, asPage(visitor));
  assert.deepEqual(await outcome(get('ä/9', visitor)), unknownImage);
});

test('an application without thumbnails has none', async () => {
  const plain = service.application('media-matching');
  const { number } = service.store.list().at(-1)!;
  service.store.update(number, { thumbnails: false });
  const visitor = await signIn(plain);
  await post('enginemodify/AddImage', { image_id: 'a', image_content: await photograph(9) }, asPage(visitor));
  const { cookie } = visitor;
  assert.equal((await fetch(`${origin}/console/api/thumbnail?image_id=a`, { headers: { cookie } })).status, 204);
});

test('the status shows the content and the recent refusals of this application alone', async () => {
  const mine = service.application('media-matching');
  const visitor = await signIn(mine);
  const elsewhere = await signIn(service.application('media-matching'));
  await post('enginemodify/AddImage', { image_id: 'x', image_content: Buffer.from('no picture') }, asPage(visitor));
  await service.query('SearchImageById', { application_key: mine, image_id: 'nobody' });

  const statusOf = async ({ cookie }: Visitor): Promise<any> =>
    (await fetch(`${origin}/console/api/status`, { headers: { cookie } })).json();
  const status = await statusOf(visitor);
  assert.deepEqual([status.count, status.state, status.version], [0, 'available', '0.1.0']);
  assert.ok(status.index_bytes >= 0);
  assert.deepEqual(status.failures, []);
  const refusals = status.refusals.map((each: { operation: string; code: number }) => [each.operation, each.code]);
  assert.deepEqual(refusals, [
    ['SearchImageById', errors.UNKNOWN_IMAGE.code],
    ['AddImage', errors.NOT_A_PICTURE.code],
  ]);
  assert.ok(Math.abs(Date.parse(status.refusals[0].at) - Date.now()) < 60_000);
  assert.deepEqual((await statusOf(elsewhere)).refusals, []);
});

test('a session ends with the sign-out, and with its key', async () => {
  const visitor = await signIn();
  const count = (who: Visitor) => outcome(post('enginequery/GetApplicationStatus', {}, asPage(who)));
  assert.deepEqual(await count(visitor), [200, 0]);
  const out = await post('sign-out', {}, asPage(visitor));
  assert.match(out.headers.get('set-cookie')!, /^sosia-\d+=; .*Max-Age=0$/);
  assert.deepEqual(await count(visitor), notSignedIn);

  const brief = service.application('media-matching');
  const expired = await signIn(brief);
  const { number } = service.store.list().at(-1)!;
  service.store.update(number, { enabled: false });
  assert.deepEqual(await count(expired), notSignedIn);
  service.store.update(number, { enabled: true });
  assert.deepEqual(await count(expired), notSignedIn, 'an ended session needs a new sign-in');
});

test('the answers at the routes of the page are what the contract says, in every type of application', async () => {
  for (const type of applicationTypes) {
    const visitor = await signIn(service.application(type));
    const answer = async (path: string): Promise<unknown> =>
      (await fetch(`${origin}/console/api/${path}`, { headers: asPage(visitor) })).json();
    assert.deepEqual(faultsOf(succeeded('No error', session), await answer('session')), []);
    await outcome(post('enginequery/GetImageById', { image_id: 'nothing' }, asPage(visitor)));
    const status = await answer('status');
    assert.deepEqual(faultsOf(succeeded('No error', applicationStatus), status), []);
    assert.equal((status as { refusals: unknown[] }).refusals.length, 1);
    assert.deepEqual(faultsOf(succeeded('No error', applicationActivity), await answer('activity')), []);
  }
});
