import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { errors } from '../errors.ts';
import { startService } from '../service.test.kit.ts';
import type { Service } from '../service.test.kit.ts';

let service: Service;

before(async () => {
  service = await startService();
});
after(() => service.close());

/** Stripes fit, discs do not. */
async function example(fits: boolean, number: number): Promise<Buffer> {
  const shapes = fits
    ? Array.from({ length: 9 }, (_, i) => `<rect x="${i * 40}" y="0" width="${12 + number}" height="320" fill="#123"/>`)
    : [`<circle cx="${120 + 8 * number}" cy="160" r="${60 + 4 * number}" fill="#c42"/>`];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="320"><rect width="320" height="320" fill="#dde"/>${shapes.join('')}</svg>`;
  return sharp(Buffer.from(svg)).jpeg().toBuffer();
}

const add = async (profile: string, fits: boolean, number: number) =>
  service.administer('AddExample', { profile, fits: fits ? 1 : 0, image_content: await example(fits, number) });

test('a profile is trained from examples, listed, used by an application, and deleted', async () => {
  const shipped = (await service.administer('ListProfiles')).profiles;
  const known = { state: 'ready', origin: 'shipped', balanced_accuracy: null, positives: 0, negatives: 0, fault: '' };
  assert.ok(shipped.length > 0);
  for (const { name, ...profile } of shipped) assert.deepEqual(profile, known, name);

  for (let i = 0; i < 9; i++) await add('stripes', true, i);
  assert.equal(
    (await service.administer('TrainProfile', { profile: 'stripes' })).status.code,
    errors.BAD_EXAMPLES.code,
  );
  await add('stripes', true, 9);
  await add('stripes', true, 9);
  for (let i = 0; i < 10; i++) await add('stripes', false, i);
  const { profiles } = await service.administer('ListProfiles');
  const { positives, negatives, state } = profiles.at(-1);
  assert.deepEqual([positives, negatives, state], [10, 10, 'collecting']);

  assert.equal((await service.administer('TrainProfile', { profile: 'stripes' })).profile.state, 'training');
  for (;;) {
    const { profile, report, mistakes } = await service.administer('GetProfile', { profile: 'stripes' });
    if (profile.state === 'training') {
      await pause(20);
      continue;
    }
    assert.deepEqual([profile.origin, profile.state, profile.fault], ['trained', 'ready', '']);
    assert.equal(report.balanced_accuracy, profile.balanced_accuracy);
    assert.deepEqual([report.positives, report.negatives], [10, 10]);
    assert.equal(mistakes === '', report.nb_mistakes === 0);
    break;
  }
  assert.equal((await add('stripes', true, 1)).status.code, errors.PROFILE_EXISTS.code);
  assert.equal(
    (await service.administer('TrainProfile', { profile: 'stripes' })).status.code,
    errors.PROFILE_EXISTS.code,
  );

  const key = service.application('filter');
  const set = { application: 'filter', profiles: ['stripes'] };
  assert.deepEqual((await service.administer('SetApplication', set)).application.profiles, ['stripes']);
  const { scores } = await service.query('Filter', { application_key: key, query_image: await example(true, 3) });
  assert.ok(scores.stripes > 0);

  assert.equal((await service.administer('DeleteProfile', { profile: 'stripes' })).profile.name, 'stripes');
  assert.equal(
    (await service.administer('GetProfile', { profile: 'stripes' })).status.code,
    errors.UNKNOWN_PROFILE.code,
  );
});

test('examples are deleted before a training, and refusals name their reason', async () => {
  await add('dots', false, 1);
  assert.equal((await service.administer('DeleteProfile', { profile: 'dots' })).profile.origin, 'collected');
  const code = async (operation: string, profile: string) =>
    (await service.administer(operation, { profile })).status.code;
  assert.equal(await code('TrainProfile', 'dots'), errors.UNKNOWN_PROFILE.code);
  assert.equal(await code('DeleteProfile', 'dots'), errors.UNKNOWN_PROFILE.code);
  const [{ name }] = (await service.administer('ListProfiles')).profiles;
  assert.equal(await code('DeleteProfile', name), errors.BAD_PARAMETER.code);
  for (const wrong of ['No Name', '-dots'])
    assert.match((await add(wrong, true, 1)).status.message, /at most 64, with a letter or a digit first$/);
  const application_key = service.application('media-matching');
  const image_content = await example(true, 1);
  const values = { application_key, profile: 'a', fits: 1, image_content };
  assert.equal((await service.ask('administration', 'AddExample', values)).status.code, errors.NOT_ADMINISTRATOR.code);
  assert.ok((await service.ask('administration', 'ListProfiles', { application_key })).profiles.length > 0);
});

test('examples of four profiles are collected at a time, and deleted ones make room', async () => {
  const names = ['one', 'two', 'three', 'four'];
  for (const name of names) assert.equal((await add(name, true, 1)).status.code, 0);
  const refused = await add('five', true, 1);
  assert.equal(refused.status.code, errors.BAD_EXAMPLES.code);
  assert.match(refused.status.message, /one, two, three, four/);
  assert.equal((await add('four', true, 2)).status.code, 0, 'those collected already go on');
  await service.administer('DeleteProfile', { profile: 'one' });
  assert.equal((await add('five', true, 1)).status.code, 0);
  for (const profile of [...names.slice(1), 'five']) await service.administer('DeleteProfile', { profile });
});

test('a file that fits and then does not counts once, for its last class', async () => {
  for (const fits of [true, false]) {
    const values = { profile: 'changed', fits: fits ? 1 : 0, image_content: await example(true, 1) };
    await service.administer('AddExample', values);
    const { positives, negatives } = (await service.administer('ListProfiles')).profiles.at(-1);
    assert.deepEqual([positives, negatives], fits ? [1, 0] : [0, 1]);
  }
  await service.administer('DeleteProfile', { profile: 'changed' });
});
