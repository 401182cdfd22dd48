import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { errors } from '../errors.ts';
import { startWeb } from '../fetch/web.test.kit.ts';
import type { Web } from '../fetch/web.test.kit.ts';
import { photograph, startService } from '../service.test.kit.ts';
import type { Service } from '../service.test.kit.ts';

let [web, service, key]: [Web, Service, string] = [undefined!, undefined!, ''];
let url: string;

before(async () => {
  const picture = await photograph(3);
  web = await startWeb({
    '/hats.jpg': (response) => response.end(picture),
    '/page': (response) => response.end('<html>'),
    '/empty': (response) => response.end(),
    '/large': (response) => {
      response.write(Buffer.alloc(21 * 1024 * 1024)); // without a length
      response.end();
    },
  });
  service = await startService({ fetching: web.options }, { fetch_hosts: `*:${web.port}` });
  key = service.application('media-matching');
  url = `${web.base}/hats.jpg`;
});
after(async () => {
  await service.close();
  await web.close();
});

const codeOf = async (answer: Promise<{ status: { code: number } }>): Promise<number> => (await answer).status.code;

test('a picture is added and found by its address, with the bytes of the file', async () => {
  const added = await service.modify('AddImage', { application_key: key, image_id: 'hats', image_url: url });
  assert.equal(added.status.message, 'Image added to the reference database');
  const byUrl = await service.query('SearchImageByUpload', { application_key: key, image_url: url });
  const file = { application_key: key, image_content: await photograph(3) };
  assert.deepEqual(byUrl, await service.query('SearchImageByUpload', file));
  assert.equal(byUrl.images[0].id, 'hats');
  const compared = await service.query('FineComparison', {
    application_key: key,
    reference_id: 'hats',
    query_url: url,
  });
  assert.equal(compared.status.code, 0);
  const both = { application_key: key, reference_url: url, query_url: url };
  assert.equal((await service.query('FineComparison', both)).score, 0);
});

test('colours, ignored pictures and wrong matches take addresses, too', async () => {
  const colors = service.application('color-similarity');
  const found = await service.query('GetImageColorsByUpload', { application_key: colors, image_url: url });
  assert.ok(found.colors.length > 0);
  const ignored = { application_key: key, image_id: 'logo', image_url: url };
  assert.equal(await codeOf(service.ask('review', 'AddIgnored', ignored)), 0);
  await service.ask('review', 'DeleteIgnored', { application_key: key, image_id: 'logo' });
});

test('an address beside a file, a DNA or an id is refused, and nothing is fetched beside a file', async () => {
  const before = web.requests.length;
  const picture = await photograph(1);
  const file = { application_key: key, image_content: picture, image_url: url };
  assert.equal(await codeOf(service.query('SearchImageByUpload', file)), errors.REPEATED_PARAMETER.code);
  const alias = { application_key: key, ref_image: picture, reference_url: url, query_id: 'hats' };
  assert.equal(await codeOf(service.query('FineComparison', alias)), errors.REPEATED_PARAMETER.code);
  const id = { application_key: key, reference_id: 'hats', reference_url: url, query_id: 'hats' };
  assert.equal(await codeOf(service.query('FineComparison', id)), errors.REPEATED_PARAMETER.code);
  assert.equal(web.requests.length, before);
  const dna = { application_key: key, image_id: 'b', dna: 'AA==', image_url: url };
  assert.equal(await codeOf(service.modify('AddImage', dna)), errors.IMAGE_OR_DNA.code);
});

test('what is no picture, too large, absent or inside is refused by its own code, and nothing is added', async () => {
  const expected = {
    '/page': errors.UNSUPPORTED_FORMAT.code,
    '/empty': errors.NOT_A_PICTURE.code,
    '/large': errors.NOT_FETCHED.code,
    '/absent': errors.NOT_FETCHED.code,
  };
  for (const [path, code] of Object.entries(expected)) {
    const wrong = { application_key: key, image_id: 'wrong', image_url: web.base + path };
    assert.equal(await codeOf(service.modify('AddImage', wrong)), code, path);
  }
  const inside = { application_key: key, image_id: 'wrong', image_url: `http://127.0.0.1:${service.queryPort}/` };
  assert.equal(await codeOf(service.modify('AddImage', inside)), errors.ADDRESS_REFUSED.code);
  assert.equal(
    await codeOf(service.query('GetImageById', { application_key: key, image_id: 'wrong' })),
    errors.UNKNOWN_IMAGE.code,
  );
});

test('nothing is fetched without a valid key, or where fetching is off', async () => {
  const before = web.requests.length;
  const unknown = { application_key: 'A'.repeat(32), image_url: url };
  assert.equal(await codeOf(service.query('SearchImageByUpload', unknown)), errors.UNKNOWN_APPLICATION.code);
  const off = await startService({ fetching: web.options });
  try {
    const values = { application_key: off.application('media-matching'), image_url: url };
    assert.equal(await codeOf(off.query('SearchImageByUpload', values)), errors.FETCHING_OFF.code);
  } finally {
    await off.close();
  }
  assert.equal(web.requests.length, before);
});

test('the memory of what was fetched is returned', async () => {
  const values = { application_key: key, image_url: `${web.base}/large` };
  // far more than all requests may hold together
  for (let i = 0; i < 15; i++)
    assert.equal(await codeOf(service.query('SearchImageByUpload', values)), errors.NOT_FETCHED.code);
});
