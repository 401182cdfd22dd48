import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { errors } from '../errors.ts';
import type { Service } from '../service.test.kit.ts';
import { formOf, photograph, startService } from '../service.test.kit.ts';

let service: Service;
let key: string;
let other: string;
let picture: Buffer;
before(async () => {
  service = await startService({}, { cors_origins: 'https://shop.example,https://archive.example' });
  key = service.application('media-matching');
  other = service.application('filter');
  picture = await photograph(1);
  await service.modify('AddImage', { application_key: key, image_id: 'a', image_content: picture });
});
after(() => service.close());

const queryUrl = (operation: string) => `http://127.0.0.1:${service.queryPort}/api/v2.0/enginequery/json/${operation}`;
const bearer = () => ({ authorization: `Bearer ${key}` });
const read = async (answer: Promise<Response>) => (await (await answer).json()) as any;

test('a key may come in the header Authorization', async () => {
  assert.equal((await read(fetch(queryUrl('GetApplicationStatus'), { headers: bearer() }))).nb_loaded_images, 1);
  const body = formOf({ application_key: key });
  assert.equal(
    (await read(fetch(queryUrl('GetApplicationStatus'), { method: 'POST', body, headers: bearer() }))).status.code,
    0,
  );
  const twice = `${queryUrl('GetApplicationStatus')}?application_key=${other}`;
  assert.equal((await read(fetch(twice, { headers: bearer() }))).status.code, errors.REPEATED_PARAMETER.code);
  const wrong = { authorization: 'Bearer nobody' };
  assert.equal(
    (await read(fetch(queryUrl('GetApplicationStatus'), { headers: wrong }))).status.code,
    errors.UNKNOWN_APPLICATION.code,
  );
});

test('parameters may come as JSON, files as base64', async () => {
  const send = (body: unknown) =>
    read(
      fetch(queryUrl('SearchImageByUpload'), {
        method: 'POST',
        headers: { ...bearer(), 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    );
  const found = await send({ image_content: picture.toString('base64'), nb_results: 1, explain: true, keywords: [] });
  assert.deepEqual([found.images[0].id, found.images[0].score], ['a', 0]);
  const keyed = await read(
    fetch(queryUrl('GetImageById'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ application_key: key, image_id: 'a' }),
    }),
  );
  assert.equal(keyed.image.id, 'a');
  for (const bad of ['{', '[]', '3', '"a"', '{"image_content":{}}', '{"keywords":[["a"]]}']) {
    assert.equal((await send(bad)).status.code, errors.MALFORMED_REQUEST.code, bad);
  }
  assert.equal((await send({ image_content: 'no base64!' })).status.code, errors.BAD_PARAMETER.code);
  assert.equal((await send({ image_content: '' })).status.code, errors.MISSING_PARAMETER.code);
  assert.equal((await send(`{"a":"${'x'.repeat(9_000_000)}"}`)).status.code, errors.REQUEST_TOO_LARGE.code);
});

test('a body of a picture type is the picture', async () => {
  for (const type of ['image/jpeg', 'application/octet-stream']) {
    const found = await read(
      fetch(`${queryUrl('SearchImageByUpload')}?nb_results=1`, {
        method: 'POST',
        headers: { ...bearer(), 'content-type': type },
        body: Uint8Array.from(picture),
      }),
    );
    assert.equal(found.images[0].id, 'a');
    const empty = fetch(queryUrl('SearchImageByUpload'), {
      method: 'POST',
      headers: { ...bearer(), 'content-type': type },
    });
    assert.equal((await read(empty)).status.message, 'Not a picture: image_content is an empty file');
  }
  const refused = fetch(`${queryUrl('GetImageById')}?image_id=a`, {
    method: 'POST',
    headers: { ...bearer(), 'content-type': 'image/jpeg' },
    body: 'x',
  });
  assert.equal((await read(refused)).status.code, errors.MALFORMED_REQUEST.code);
});

test('a client that requests real HTTP statuses gets them; others do not', async () => {
  const ask = (operation: string, headers: Record<string, string>) =>
    fetch(`${queryUrl(operation)}?image_id=none`, { headers });
  const plain = { prefer: 'http-status' };
  const found = await ask('GetImageById', { ...bearer(), ...plain });
  assert.deepEqual([found.status, found.headers.get('preference-applied')], [404, 'http-status']);
  assert.deepEqual((await read(Promise.resolve(found))).status.code, errors.UNKNOWN_IMAGE.code);
  assert.equal((await ask('GetImageById', plain)).status, 401);
  assert.equal((await ask('GetImageById', bearer())).status, 200);
  assert.equal((await ask('GetApplicationStatus', { ...bearer(), ...plain })).status, 200);
});

test('scripts of the listed sites may call operations, and no others', async () => {
  const origin = 'https://shop.example';
  const preflight = await fetch(queryUrl('SearchImageByUpload'), {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
  });
  assert.deepEqual(
    [preflight.status, preflight.headers.get('access-control-allow-origin')],
    [204, 'https://shop.example'],
  );
  assert.match(preflight.headers.get('access-control-allow-headers')!, /authorization/);
  const allowed = await fetch(queryUrl('GetApplicationStatus'), { headers: { ...bearer(), origin } });
  assert.equal(allowed.headers.get('access-control-allow-origin'), origin);
  for (const [address, from] of [
    [queryUrl('GetApplicationStatus'), 'https://shop.example.evil.example'],
    [`http://127.0.0.1:${service.modifyPort}/console/`, origin],
  ]) {
    const refused = await fetch(address!, { headers: { ...bearer(), origin: from! } });
    assert.equal(refused.headers.get('access-control-allow-origin'), null);
  }
});

test('the documentation answers HEAD', async () => {
  for (const path of ['/docs', '/docs/errors', '/openapi.json']) {
    const { status } = await fetch(`http://127.0.0.1:${service.queryPort}${path}`, { method: 'HEAD' });
    assert.equal(status, 200, path);
  }
});

test('a similarity in per cent falls with the score', async () => {
  const search = async (number: number, values = {}) =>
    service.query('SearchImageByUpload', {
      application_key: key,
      image_content: await photograph(number),
      similarity: 1,
      ...values,
    });
  const [same] = (await search(1)).images;
  assert.deepEqual([same.score, same.similarity], [0, 100]);
  assert.equal('similarity' in (await search(1, { similarity: 0 })).images[0], false);
});

test('100 per cent is the same picture alone, not a near match', async () => {
  const application_key = service.application('image-similarity');
  await service.modify('AddImage', { application_key, image_id: 'a', image_content: picture });
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true });
  data.fill(0, 0, 900);
  const near = await sharp(data, { raw: info }).png().toBuffer();
  const search = async (image_content: Buffer) =>
    (await service.query('SearchImageByUpload', { application_key, image_content, similarity: 1 })).images[0];
  assert.equal((await search(picture)).similarity, 100);
  const { score, similarity } = await search(near);
  assert.ok(score > 0 && score < 0.0002, `a score of ${score} rounds to 100`);
  assert.equal(similarity, 99.9);
  const different = await search(await photograph(2));
  assert.ok(different.similarity < 90);
});
