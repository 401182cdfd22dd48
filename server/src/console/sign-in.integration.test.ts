import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { errors } from '../errors.ts';
import { startWeb, type Web } from '../fetch/web.test.kit.ts';
import { type Service, formOf, startService } from '../service.test.kit.ts';

const folder = mkdtempSync(join(tmpdir(), 'sosia-site-'));
for (const name of ['index.html', 'dna.worker.js', 'fetch.worker.js']) writeFileSync(join(folder, name), '');
let service: Service;
let key: string;
let origin: string;
let web: Web;
before(async () => {
  web = await startWeb({ '/a.jpg': (response) => response.end('some bytes') });
  service = await startService({ consoleFolder: folder, fetching: web.options }, { fetch_hosts: `*:${web.port}` });
  origin = `http://127.0.0.1:${service.modifyPort}`;
  key = service.application('media-matching');
});
after(async () => {
  await service.close();
  await web.close();
  rmSync(folder, { recursive: true });
});

async function signIn(application_key: string, headers: Record<string, string>) {
  const body = formOf({ application_key });
  const response = await fetch(`${origin}/console/api/sign-in`, { method: 'POST', body, headers });
  return { http: response.status, cookie: response.headers.get('set-cookie'), json: (await response.json()) as any };
}

test('nobody signs in from a page of another site, or without a page', async () => {
  const foreign: Record<string, string>[] = [
    {},
    { origin: 'https://elsewhere.example' },
    { origin, 'sec-fetch-site': 'cross-site' },
  ];
  for (const headers of foreign) {
    const { http, cookie, json } = await signIn(key, headers);
    assert.deepEqual([http, cookie, json.status.code], [403, null, errors.FORBIDDEN.code]);
  }
});

test('the page learns whether the key is that of an administrator or of an application', async () => {
  const { json: own } = await signIn(key, { origin });
  assert.deepEqual([own.administrator, own.session.application.type], [null, 'media-matching']);
  const { json: all } = await signIn(service.administratorKey, { origin });
  assert.deepEqual([Object.keys(all.administrator.key), all.session], [['name'], null]);
});

/** The answer to an operation that an administrator's page runs. */
async function asAdministrator(path: string, application?: number): Promise<any> {
  const { cookie, json } = await signIn(service.administratorKey, { origin });
  const headers = {
    ...{ origin, cookie: cookie!.split(';')[0]!, 'x-csrf-token': json.administrator.csrf as string },
    ...(application !== undefined && { 'x-application': String(application) }),
  };
  return (await fetch(`${origin}/console/api/${path}`, { method: 'POST', body: formOf({}), headers })).json();
}

test('an administrator without a chosen application administers, and runs no operation of an application', async () => {
  assert.equal((await asAdministrator('administration/ListApplications')).applications.length, 1);
  for (const none of [undefined, 999]) {
    const { status } = await asAdministrator('enginequery/GetApplicationStatus', none);
    assert.equal(status.code, errors.UNKNOWN_APPLICATION.code);
  }
});

test('an administrator with a chosen application runs its operations, and still administers all of them', async () => {
  service.application('image-similarity');
  const { number } = service.store.list()[0]!;
  const { status, nb_loaded_images } = await asAdministrator('enginequery/GetApplicationStatus', number);
  assert.deepEqual([status.code, nb_loaded_images], [0, 0]);
  assert.equal((await asAdministrator('administration/ListApplications', number)).applications.length, 2);
});

test('a sign-in with anything in its address is refused', async () => {
  for (const query of ['x', 'application_key=']) {
    const address = `${origin}/console/api/sign-in?${query}`;
    const body = formOf({ application_key: key });
    const response = await fetch(address, { method: 'POST', body, headers: { origin } });
    assert.deepEqual([response.status, response.headers.get('set-cookie')], [403, null], query);
  }
});

test('the page gets the bytes at an address, with its token alone', async () => {
  const { cookie, json } = await signIn(key, { origin });
  const fetched = (headers: Record<string, string>, image_url: string) =>
    fetch(`${origin}/console/api/picture`, { method: 'POST', body: formOf({ image_url }), headers });
  const session = { origin, cookie: cookie!.split(';')[0]! };
  const page = { ...session, 'x-csrf-token': json.session.csrf as string };
  const found = await fetched(page, `${web.base}/a.jpg`);
  assert.deepEqual([found.status, await found.text()], [200, 'some bytes']);
  assert.equal(found.headers.get('cache-control'), 'no-store');
  assert.equal(found.headers.get('content-type'), 'application/octet-stream');
  for (const [headers, address, error] of [
    [page, `${web.base}/none.jpg`, 'NOT_FETCHED'],
    [page, '', 'ADDRESS_REFUSED'],
    [session, `${web.base}/a.jpg`, 'FORBIDDEN'],
  ] as const) {
    const { status } = (await (await fetched(headers, address)).json()) as { status: { code: number } };
    assert.equal(status.code, errors[error].code, error);
  }
  assert.equal(web.requests.length, 2);
});
