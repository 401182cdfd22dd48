import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { errors } from '../errors.ts';
import { administration } from './operations.ts';
import { askServer, photograph, startServerOn, startService } from '../service.test.kit.ts';
import type { Service, Values } from '../service.test.kit.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.close());

/** An application with pictures `a` and `b`, made over HTTP. */
async function made(name: string): Promise<{ key: string; number: number }> {
  const { application, secret } = await service.administer('CreateApplication', { name, type: 'media-matching' });
  for (const [i, image_id] of ['a', 'b'].entries()) {
    const added = await service.modify('AddImage', {
      application_key: secret,
      image_id,
      image_content: await photograph(i + 1),
    });
    assert.equal(added.status.code, 0);
  }
  return { key: secret, number: application.number };
}

async function code(family: 'administration' | 'enginemodify' | 'enginequery', operation: string, values: Values) {
  return (await service.ask(family, operation, values)).status.code;
}

test('applications are made, listed, renamed, set, emptied and deleted', async () => {
  const { key, number } = await made('posters');
  const listed = await service.administer('ListApplications');
  const own = listed.applications.find((each: any) => each.number === number);
  assert.deepEqual([own.name, own.type, own.nb_images, own.nb_keys], ['posters', 'media-matching', 2, 1]);

  assert.equal(
    (await service.administer('CreateApplication', { name: 'posters', type: 'filter' })).status.code,
    errors.APPLICATION_NAME_TAKEN.code,
  );
  const set = await service.administer('SetApplication', {
    application: 'posters',
    name: 'bills',
    nb_results: 3,
    retrieval_threshold: '0.5',
  });
  assert.deepEqual(
    [set.application.name, set.application.nb_results, set.application.retrieval_threshold],
    ['bills', 3, 0.5],
  );
  await service.administer('SetApplication', { application: 'bills', enabled: 0 });
  assert.equal(
    await code('enginequery', 'GetApplicationStatus', { application_key: key }),
    errors.UNKNOWN_APPLICATION.code,
  );
  await service.administer('SetApplication', { application: 'bills', enabled: 1 });

  assert.equal(
    (await service.administer('EmptyApplication', { application: 'bills', confirm: 'x' })).status.code,
    errors.NOT_CONFIRMED.code,
  );
  const emptied = await service.administer('EmptyApplication', { application: 'bills', confirm: 'bills' });
  assert.deepEqual([emptied.removed, emptied.application.nb_images], [2, 0]);
  const status = await service.query('GetApplicationStatus', { application_key: key });
  assert.equal(status.nb_loaded_images, 0);
  const again = { application_key: key, image_id: 'a', image_content: await photograph(1) };
  assert.equal(await code('enginemodify', 'AddImage', again), 0);

  await service.administer('DeleteApplication', { application: 'bills', confirm: 'bills' });
  assert.equal(
    await code('enginequery', 'GetApplicationStatus', { application_key: key }),
    errors.UNKNOWN_APPLICATION.code,
  );
  assert.equal(
    (await service.administer('GetApplication', { application: 'bills' })).status.code,
    errors.NO_SUCH_APPLICATION.code,
  );
});

test('a key does what its scopes allow, and a refused scope is a named error', async () => {
  const { key } = await made('scoped');
  const allowed: Record<string, [family: 'enginemodify' | 'enginequery', operation: string, values: Values]> = {
    search: ['enginequery', 'GetImageById', { image_id: 'a' }],
    add: ['enginemodify', 'AddImage', { image_id: 'a' }],
    delete: ['enginemodify', 'DeleteImage', { image_id: 'none' }],
  };
  for (const scope of [...Object.keys(allowed), 'administer']) {
    const { secret } = await service.administer('CreateKey', { application: 'scoped', name: scope, scopes: scope });
    for (const [needed, [family, operation, values]] of Object.entries(allowed)) {
      const got = await code(family, operation, { application_key: secret, ...values });
      assert.equal(got === errors.SCOPE_REFUSED.code, scope !== needed, `${scope} ${operation} ${got}`);
    }
    const listed = await code('administration', 'ListKeys', { application_key: secret });
    assert.equal(listed, scope === 'administer' ? 0 : errors.SCOPE_REFUSED.code);
    assert.equal(await code('enginequery', 'GetApplicationStatus', { application_key: secret }), 0);
  }
  const refused = await service.modify('DeleteImage', {
    application_key: (await service.administer('CreateKey', { application: 'scoped', name: 'kiosk', scopes: 'search' }))
      .secret,
    image_id: 'a',
  });
  assert.match(refused.status.message, /DeleteImage needs the scope delete, the key kiosk has search/);
  assert.equal(await code('enginequery', 'GetImageById', { application_key: key, image_id: 'a' }), 0);
});

test('a leaked key is replaced without an interruption, and revoked at once', async () => {
  const { key } = await made('leaky');
  const status = (application_key: string) => code('enginequery', 'GetApplicationStatus', { application_key });
  const rotated = await service.administer('RotateKey', { application: 'leaky', key: 'first' });
  assert.deepEqual([await status(key), await status(rotated.secret)], [0, 0]);
  assert.ok(Date.parse(rotated.until) > Date.now() + 86_000_000);
  const { keys } = await service.administer('ListKeys', { application: 'leaky' });
  assert.deepEqual(
    keys.map((each: any) => [each.name, each.replaces, each.expires === null, each.last_use === null]),
    [
      ['first (former)', null, false, false],
      ['first', keys[0].id, true, false],
    ],
  );
  const again = await service.administer('RotateKey', { application: 'leaky', key: keys[0].id });
  const { keys: three } = await service.administer('ListKeys', { application: 'leaky' });
  assert.deepEqual(
    three.map((each: any) => each.name),
    ['first (former) 2', 'first', 'first (former)'],
  );
  await service.administer('RevokeKey', { application: 'leaky', key: again.key.id });
  await service.administer('RevokeKey', { application: 'leaky', key: keys[0].id });
  assert.deepEqual([await status(key), await status(rotated.secret)], [errors.UNKNOWN_APPLICATION.code, 0]);

  const at = await service.administer('RotateKey', { application: 'leaky', key: 'first', grace: 0 });
  assert.deepEqual([await status(rotated.secret), await status(at.secret)], [errors.KEY_EXPIRED.code, 0]);
  await service.administer('SetKey', { application: 'leaky', key: 'first', expires: '2020-01-01' });
  assert.equal(await status(at.secret), errors.KEY_EXPIRED.code);
  await service.administer('SetKey', { application: 'leaky', key: 'first', expires: 'never', name: 'main' });
  assert.equal(await status(at.secret), 0);
  assert.equal(
    (await service.administer('RevokeKey', { application: 'leaky', key: 'first' })).status.code,
    errors.UNKNOWN_KEY.code,
  );
  assert.equal(
    (await service.administer('CreateKey', { application: 'leaky', name: 'main', scopes: 'add' })).status.code,
    errors.KEY_NAME_TAKEN.code,
  );
  assert.equal(
    (await service.administer('SetKey', { application: 'leaky', key: 'main', expires: 'soon' })).status.code,
    errors.BAD_PARAMETER.code,
  );
});

test('the key of an application reaches no other one, and no administration of the service', async () => {
  const { key } = await made('one');
  await made('two');
  const administer = (operation: string, values: Values = {}) =>
    code('administration', operation, { application_key: key, ...values });
  const { applications } = await service.ask('administration', 'ListApplications', { application_key: key });
  assert.deepEqual(
    applications.map(({ name }: any) => name),
    ['one'],
  );
  assert.equal(await administer('GetApplication'), 0);
  assert.equal(await administer('GetApplication', { application: 'two' }), errors.NOT_ADMINISTRATOR.code);
  assert.equal(await administer('ListKeys', { application: 'two' }), errors.NOT_ADMINISTRATOR.code);
  assert.equal(await administer('CreateApplication', { name: 'three', type: 'filter' }), errors.NOT_ADMINISTRATOR.code);
  assert.equal(
    await administer('DeleteApplication', { application: 'one', confirm: 'one' }),
    errors.NOT_ADMINISTRATOR.code,
  );
  const { keys } = await service.ask('administration', 'ListKeys', { application_key: key });
  assert.deepEqual(
    keys.map(({ name }: any) => name),
    ['first'],
  );
  for (const { name } of administration) {
    assert.equal(await code('administration', name, { application_key: 'wrong' }), errors.UNKNOWN_APPLICATION.code);
    assert.equal(await code('administration', name, {}), errors.UNKNOWN_APPLICATION.code);
  }
  assert.equal(
    await code('enginequery', 'GetApplicationStatus', { application_key: service.administratorKey }),
    errors.UNKNOWN_APPLICATION.code,
  );
});

test('administrators have keys of their own', async () => {
  const { secret, key } = await service.administer('CreateKey', { name: 'second' });
  assert.deepEqual(key.scopes, ['administer']);
  assert.equal(await code('administration', 'ListApplications', { application_key: secret }), 0);
  await service.administer('RevokeKey', { key: 'second' });
  assert.equal(
    await code('administration', 'ListApplications', { application_key: secret }),
    errors.UNKNOWN_APPLICATION.code,
  );
});

test('the audit log says who changed what, and has no secret; nothing on the disk has one', async () => {
  const { key } = await made('audited');
  const { secret } = await service.administer('CreateKey', { application: 'audited', name: 'temp', scopes: 'delete' });
  await service.modify('DeleteImage', { application_key: secret, image_id: 'a' });
  await service.modify('DeleteImage', { application_key: secret, image_id: 'none' });
  const { entries } = await service.administer('ListAudit', { application: 'audited' });
  assert.deepEqual(
    entries.map(({ who, what, detail }: any) => [who, what, detail]),
    [
      ['temp', 'DeleteImage', 'image_id=a'],
      ['first', 'CreateKey', 'application=audited name=temp scopes=delete'],
      ['first', 'AddImage', 'image_id=a and 1 more'],
      ['first', 'CreateApplication', 'name=audited type=media-matching'],
    ],
  );
  const [latest] = (await service.administer('ListAudit', { application: 'audited', nb_results: 1, starting_index: 1 }))
    .entries;
  assert.equal(latest.what, 'CreateKey');
  const own = await service.ask('administration', 'ListAudit', { application_key: key });
  assert.equal(own.entries.length, 4);

  for (const name of readdirSync(service.data)) {
    const bytes = readFileSync(join(service.data, name));
    for (const each of [key, secret, service.administratorKey]) assert.ok(!bytes.includes(each), name);
  }
});

test('a key that ends before the time of grace ends no later for being replaced', async () => {
  await made('short');
  const expires = new Date(Date.now() + 3_600_000).toISOString();
  await service.administer('CreateKey', { application: 'short', name: 'guest', scopes: 'search', expires });
  const { key, until } = await service.administer('RotateKey', { application: 'short', key: 'guest', grace: 86_400 });
  assert.deepEqual([until, key.expires], [expires, expires]);
});

test('an application has at most 100 keys; those that have expired make room', async () => {
  await made('many-keys');
  const create = (name: string) =>
    service.administer('CreateKey', { application: 'many-keys', name, scopes: 'search' });
  for (let i = 2; i <= 100; i++) assert.equal((await create(`key ${i}`)).status.code, 0);
  const refused = await create('key 101');
  assert.deepEqual([refused.status.code, refused.secret], [errors.BAD_PARAMETER.code, undefined]);
  assert.match(refused.status.message, /at most 100 keys/);
  const rotated = await service.administer('RotateKey', { application: 'many-keys', key: 'key 2' });
  assert.equal(rotated.status.code, errors.BAD_PARAMETER.code, 'a replaced key counts until it ends');

  await service.administer('SetKey', { application: 'many-keys', key: 'key 50', expires: '2020-01-01' });
  assert.equal((await create('key 101')).status.code, 0);
  const { keys } = await service.administer('ListKeys', { application: 'many-keys' });
  assert.equal(keys.length, 100);
  assert.ok(!keys.some(({ name }: any) => name === 'key 50'));
});

test('pictures added a moment before a stop are in the audit log of the next start', async () => {
  const data = mkdtempSync(join(tmpdir(), 'sosia-audit-'));
  const first = await startServerOn(data);
  const ask = (operation: string, values: Values = {}) =>
    askServer(first, 'administration', operation, { application_key: first.administratorKey!, ...values });
  const { secret } = await ask('CreateApplication', { name: 'kept', type: 'media-matching' });
  const picture = { application_key: secret, image_id: 'a', image_content: await photograph(1) };
  assert.equal((await askServer(first, 'enginemodify', 'AddImage', picture)).status.code, 0);
  await first.close();

  const second = await startServerOn(data);
  try {
    const { entries } = await askServer(second, 'administration', 'ListAudit', { application_key: secret });
    assert.deepEqual(
      entries.map(({ what }: any) => what),
      ['AddImage', 'CreateApplication'],
    );
  } finally {
    await second.close();
    rmSync(data, { recursive: true });
  }
});

test('the settings of an application are those that were given, and the others stay', async () => {
  const create = (name: string, type: string, values: Values = {}) =>
    service.administer('CreateApplication', { name, type, ...values });
  const { application } = await create('set', 'color-similarity', {
    thumbnails: 0,
    ignore_background: 1,
    nb_results: 7,
  });
  const shown = ({ thumbnails, ignore_background, nb_results, enabled }: any) =>
    [thumbnails, ignore_background, nb_results, enabled] as const;
  assert.deepEqual(shown(application), [false, true, 7, true]);
  const plain = (await create('plain', 'media-matching')).application;
  assert.deepEqual(shown(plain).slice(0, 2), [true, false]);
  assert.deepEqual(plain.profiles, []);
  assert.equal(
    (await create('wrong', 'media-matching', { ignore_background: 1 })).status.code,
    errors.BAD_PARAMETER.code,
  );
  assert.equal((await create('wrong', 'media-matching', { ignore_background: 0 })).status.code, 0);

  const set = async (values: Values) =>
    service.administer('SetApplication', { application: String(application.number), ...values });
  assert.deepEqual(shown((await set({ thumbnails: 1, name: 'set' })).application), [true, true, 7, true]);
  assert.deepEqual(shown((await set({ enabled: 0 })).application), [true, true, 7, false]);
  const before = (await set({ enabled: 1 })).application;
  assert.match((await set({ retrieval_threshold: 0 })).status.message, /expected a number above 0, at most 1, got "0"/);
  assert.equal((await set({ name: 'plain' })).status.code, errors.APPLICATION_NAME_TAKEN.code);
  assert.equal((await set({ profiles: ['document'] })).status.code, errors.DOES_NOT_APPLY.code);
  assert.deepEqual((await service.administer('GetApplication', { application: 'set' })).application, before);
  assert.equal((await service.administer('GetApplication')).status.code, errors.MISSING_PARAMETER.code);
  await create('sorted', 'filter');
  const profiles = (names: string[]) =>
    service.administer('SetApplication', { application: 'sorted', profiles: names });
  assert.equal((await profiles(['document', 'nothing'])).status.code, errors.UNKNOWN_PROFILE.code);
  assert.deepEqual((await profiles(['document'])).application.profiles, ['document']);
});

test('a key shows when it was made, when it ends and when it was used', async () => {
  const { key } = await made('shown');
  const expires = '2099-01-01T00:00:00.000Z';
  await service.administer('CreateKey', {
    application: 'shown',
    name: 'later',
    scopes: 'search',
    expires: '2099-01-01',
  });
  const { keys } = await service.ask('administration', 'ListKeys', { application_key: key });
  const [first, later] = keys;
  assert.ok(Date.now() - Date.parse(first.last_use) < 60_000 && Date.parse(first.created) <= Date.now());
  assert.deepEqual([first.expires, later.expires, later.last_use], [null, expires, null]);
  assert.equal(first.hint, key.slice(0, 4));
});
