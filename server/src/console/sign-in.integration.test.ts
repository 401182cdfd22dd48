import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { errors } from '../errors.ts';
import { type Service, formOf, startService } from '../service.test.kit.ts';

const folder = mkdtempSync(join(tmpdir(), 'sosia-site-'));
for (const name of ['index.html', 'dna.worker.js', 'fetch.worker.js']) writeFileSync(join(folder, name), '');
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
