import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { errors } from '../errors.ts';
import type { Service, Values } from '../service.test.kit.ts';
import { formOf, startService } from '../service.test.kit.ts';

const site = mkdtempSync(join(tmpdir(), 'sosia-site-'));
writeFileSync(join(site, 'index.html'), '<!doctype html>');

let service: Service;
let origin: string;
before(async () => {
  service = await startService({ consoleFolder: site });
  origin = `http://127.0.0.1:${service.modifyPort}`;
});
after(async () => {
  await service.close();
  rmSync(site, { recursive: true });
});

const signIn = (application_key: string, from = origin) =>
  fetch(`${origin}/console/api/sign-in`, {
    method: 'POST',
    headers: { origin: from },
    body: formOf({ application_key }),
  });

async function entries(values: Values = {}): Promise<any[]> {
  return (await service.administer('ListAudit', values)).entries;
}

test('two keys of one name, and one named like the command line, differ in fields that nobody chooses', async () => {
  const { secret } = await service.administer('CreateApplication', { name: 'tenant', type: 'filter' });
  const boss = await service.administer('CreateKey', { name: 'boss' });
  const values = { application: 'tenant', scopes: 'administer' };
  const own = await service.administer('CreateKey', { ...values, name: 'boss' });
  const false_ = await service.administer('CreateKey', { ...values, name: 'command line, root' });
  for (const each of [boss, own, false_])
    await service.ask('administration', 'SetApplication', {
      ...{ application_key: each.secret, nb_results: 3, application: 'tenant' },
    });
  const page = await signIn(secret);
  const { session } = (await page.json()) as any;
  const cookie = page.headers.get('set-cookie')!.split(';')[0]!;
  const headers = { origin, cookie, 'x-csrf-token': session.csrf };
  const body = formOf({ nb_results: 4 });
  await fetch(`${origin}/console/api/administration/SetApplication`, { method: 'POST', headers, body });

  const shown = (await entries({ application: 'tenant', nb_results: 4 })).map((each) => [
    ...[each.kind, each.administrator, each.key, each.who],
  ]);
  assert.deepEqual(shown, [
    ['console', false, 'first', 'first'],
    ['key', false, false_.key.id, 'command line, root'],
    ['key', false, own.key.id, 'boss'],
    ['key', true, boss.key.id, 'boss'],
  ]);
  assert.equal(new Set(shown.map(([, , key]) => key)).size, 4);
});

test('wrong keys, missing scopes and refused sign-ins are entered with their number, and never with the key', async () => {
  const { secret } = await service.administer('CreateApplication', { name: 'attacked', type: 'filter' });
  const { secret: kiosk, key } = await service.administer('CreateKey', {
    ...{ application: 'attacked', name: 'kiosk', scopes: 'search' },
  });
  const ask = (application_key: string, operation: string) =>
    service.ask('administration', operation, { application_key });
  for (let i = 0; i < 30; i++) await ask(`guess-${i}`, 'ListKeys');
  await signIn('guess-sign-in');
  await signIn(secret, 'http://other.example');
  const unknown = (await entries()).filter((each) => each.kind === 'no key');
  assert.deepEqual(
    unknown.map(({ what, code, number, detail }) => [what, code, number, detail]),
    [['ListKeys', errors.UNKNOWN_APPLICATION.code, 0, 'from=127.0.0.1 and 31 more']],
  );

  for (let i = 0; i < 5; i++) await ask(kiosk, 'ListKeys');
  await ask(secret, 'DeleteProfile');
  const [byOwner, byKiosk] = await entries({ application: 'attacked' });
  assert.deepEqual(
    [byOwner, byKiosk].map(({ who, key: id, what, code, detail }) => [who, id, what, code, detail]),
    [
      ['first', 'first', 'DeleteProfile', errors.NOT_ADMINISTRATOR.code, 'from=127.0.0.1'],
      ['kiosk', key.id, 'ListKeys', errors.SCOPE_REFUSED.code, 'from=127.0.0.1 and 4 more'],
    ],
  );
  await service.administer('SetKey', { application: 'attacked', key: 'kiosk', expires: '2020-01-01' });
  await ask(kiosk, 'ListKeys');
  const all = JSON.stringify(await entries({ application: 'attacked' }));
  assert.match(all, /and 5 more/);
  for (const each of [secret, kiosk, 'guess-']) assert.ok(!all.includes(each));
});
