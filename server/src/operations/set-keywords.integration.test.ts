import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { errors } from '../errors.ts';
import { photograph, startService } from '../service.test.kit.ts';
import type { Service } from '../service.test.kit.ts';

let service: Service;
let application_key: string;
before(async () => {
  service = await startService();
  application_key = service.application('media-matching');
  const image_content = await photograph(1);
  await service.modify('AddImage', { application_key, image_id: 'a', image_content, keywords: ['red', 'old'] });
});
after(() => service.close());

const with_ = async (keyword: string): Promise<string[]> =>
  (await service.query('SearchImageByKeywords', { application_key, keywords: [keyword] })).images.map(
    ({ id }: { id: string }) => id,
  );

test('keywords are replaced: searches use the new ones, everything else of the picture stays', async () => {
  const before = await service.query('SearchImageByUpload', { application_key, image_content: await photograph(1) });
  const answer = await service.modify('SetKeywords', { application_key, image_id: 'a', keywords: ['blue', 'old'] });
  assert.deepEqual([answer.status.code, answer.keywords], [0, ['blue', 'old']]);
  assert.deepEqual([await with_('red'), await with_('blue'), await with_('old')], [[], ['a'], ['a']]);
  const after_ = await service.query('SearchImageByUpload', { application_key, image_content: await photograph(1) });
  assert.deepEqual(after_.images, [{ ...before.images[0], keywords: ['blue', 'old'] }]);
  assert.equal((await service.query('GetApplicationStatus', { application_key })).nb_loaded_images, 1);

  assert.equal((await service.modify('SetKeywords', { application_key, image_id: 'a' })).status.code, 0);
  assert.deepEqual(await with_('blue'), []);
  const { image } = await service.query('GetImageById', { application_key, image_id: 'a' });
  assert.deepEqual(image.keywords, []);
});

test('an unknown picture and a bad keyword are refused', async () => {
  const code = async (values: object) =>
    (await service.modify('SetKeywords', { application_key, ...values })).status.code;
  assert.equal(await code({ image_id: 'none', keywords: ['a'] }), errors.UNKNOWN_IMAGE.code);
  assert.equal(await code({ image_id: 'a', keywords: ['a*'] }), errors.BAD_KEYWORD.code);
  assert.equal(await code({ keywords: ['a'] }), errors.MISSING_PARAMETER.code);
});

test('a misspelt parameter and a misspelt operation get a hint', async () => {
  const { warnings } = await service.query('ListImages', { application_key, nb_result: 1 });
  assert.deepEqual(warnings, ['unknown parameter nb_result is ignored; did you mean nb_results?']);
  const all = await service.query('ListImages', { application_key, nb_results: 1 });
  assert.equal(all.warnings, undefined);
  const url = `http://127.0.0.1:${service.queryPort}/api/v2.0/enginequery/json/Searchimagebyupload`;
  const { status } = (await (await fetch(url)).json()) as any;
  assert.match(status.message, /did you mean SearchImageByUpload\?/);
});
