import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { errors } from '../errors.ts';
import type { Service } from '../service.test.kit.ts';
import { photograph, startService } from '../service.test.kit.ts';

let service: Service;
let key: string;
before(async () => {
  service = await startService();
  key = service.application('media-matching');
});
after(() => service.close());

test('both families give the same picture: keywords, score 0, id and an empty result_info', async () => {
  const image = { application_key: key, image_id: 'été 🙂.jpg' };
  await service.modify('AddImage', { ...image, image_content: await photograph(1), keywords: ['mer', 'été'] });
  for (const family of ['enginemodify', 'enginequery'] as const) {
    assert.deepEqual(await service.ask(family, 'GetImageById', image), {
      status: { code: 0, message: 'No error' },
      image: { keywords: ['mer', 'été'], score: 0, id: 'été 🙂.jpg', result_info: '' },
    });
  }
});

test('an unknown id gives -2601 and image null', async () => {
  const answer = await service.query('GetImageById', { application_key: key, image_id: 'nobody' });
  assert.deepEqual(answer, {
    status: { code: errors.UNKNOWN_IMAGE.code, message: 'Unknown image id: nobody' },
    image: null,
  });
});

test('a picture of another application is unknown', async () => {
  await service.modify('AddImage', { application_key: key, image_id: 'mine', image_content: await photograph(2) });
  const other = service.application('media-matching');
  const answer = await service.query('GetImageById', { application_key: other, image_id: 'mine' });
  assert.equal(answer.status.code, errors.UNKNOWN_IMAGE.code);
});

test('names that JavaScript reserves are unknown until they are added', async () => {
  for (const image_id of ['__proto__', 'constructor', 'toString']) {
    const { status } = await service.query('GetImageById', { application_key: key, image_id });
    assert.equal(status.code, errors.UNKNOWN_IMAGE.code, image_id);
  }
});
