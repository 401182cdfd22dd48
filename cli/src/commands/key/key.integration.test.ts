import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { after, before, test } from 'node:test';
import { errorCodes } from '@sosia/client';
import type { Beside, Ended } from '../../testing/sosia.test.kit.ts';
import { startBeside } from '../../testing/sosia.test.kit.ts';

let beside: Beside;
before(async () => {
  beside = await startBeside();
  beside.application();
});
after(() => beside.close());

const folder = (...words: string[]): Promise<Ended> => beside.sosia('', ...words, '--data', beside.data);

/** The code that a key gets at an operation of the running service. */
async function codeOf(key: string, family: string, operation: string): Promise<number> {
  const { SOSIA_MODIFY_URL: url } = beside.environment;
  const answer = await fetch(`${url}/api/v2.0/${family}/json/${operation}?application_key=${key}&image_id=a`);
  return ((await answer.json()) as { status: { code: number } }).status.code;
}

test('keys are made, limited, rotated and revoked beside a running server, and the audit log has all of it', async () => {
  const made = await folder('key', 'create', 'media-matching', '--name', 'kiosk', '--scopes', 'search');
  assert.equal(made.code, 0, made.err);
  const kiosk = made.out.trim();
  assert.equal(await codeOf(kiosk, 'enginemodify', 'DeleteImage'), errorCodes.SCOPE_REFUSED);
  assert.equal(await codeOf(kiosk, 'enginemodify', 'GetImageById'), errorCodes.UNKNOWN_IMAGE);

  const rotated = await folder('key', 'rotate', 'media-matching', 'kiosk', '--grace', '0', '--json');
  const { key } = JSON.parse(rotated.out);
  assert.deepEqual(
    [await codeOf(kiosk, 'enginemodify', 'GetImageById'), await codeOf(key, 'enginemodify', 'GetImageById')],
    [errorCodes.KEY_EXPIRED, errorCodes.UNKNOWN_IMAGE],
  );
  await folder('key', 'set', 'media-matching', 'kiosk', '--scopes', 'search,delete');
  assert.equal(await codeOf(key, 'enginemodify', 'DeleteImage'), errorCodes.IMAGE_NOT_FOUND);
  await folder('key', 'revoke', 'media-matching', 'kiosk');
  assert.equal(await codeOf(key, 'enginemodify', 'GetImageById'), errorCodes.UNKNOWN_APPLICATION);
  assert.match((await folder('key', 'revoke', 'media-matching', 'kiosk')).err, /no such key: kiosk/);

  const listed = JSON.parse((await folder('key', 'list', 'media-matching', '--json')).out);
  assert.deepEqual(
    listed.map(({ name }: any) => name),
    ['first', 'kiosk (former)'],
  );
  const entries = JSON.parse((await folder('audit', '--json')).out);
  assert.deepEqual(
    entries.map(({ what }: any) => what),
    ['RevokeKey', 'SetKey', 'RotateKey', 'CreateKey'],
  );
  const { kind, administrator, key: id, who } = entries[0];
  assert.deepEqual([kind, administrator, id, who], ['command line', true, '', userInfo().username]);
});

test("an administrator's key is made beside a running server", async () => {
  const { out } = await folder('admin', 'key', '--name', 'anna');
  assert.equal(await codeOf(out.trim(), 'administration', 'ListApplications'), 0);
  assert.match((await folder('admin', 'keys')).out, /anna/);
  await folder('admin', 'revoke', 'anna');
  assert.equal(await codeOf(out.trim(), 'administration', 'ListApplications'), errorCodes.UNKNOWN_APPLICATION);
});
