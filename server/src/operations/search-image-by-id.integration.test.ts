import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Service } from '../service.test.kit.ts';
import { photograph, startService } from '../service.test.kit.ts';

let service: Service;
let key: string;
before(async () => {
  service = await startService();
  key = service.application('media-matching');
  for (const [image_id, number] of [
    ['first', 1],
    ['second', 2],
    ['again', 1],
  ] as const) {
    await service.modify('AddImage', { application_key: key, image_id, image_content: await photograph(number) });
  }
});
after(() => service.close());

test('a stored picture finds itself and similar ones, like its upload', async () => {
  const image_content = await photograph(1);
  const byUpload = await service.query('SearchImageByUpload', { application_key: key, image_content });
  const byId = await service.query('SearchImageById', { application_key: key, image_id: 'first' });
  assert.deepEqual(byId, byUpload);
  assert.deepEqual(byId.images.map(({ id }: { id: string }) => id).slice(0, 2), ['again', 'first']);
});

test('an unknown id is -2601', async () => {
  const { status, images } = await service.query('SearchImageById', { application_key: key, image_id: 'nobody' });
  assert.deepEqual([status.code, images], [-2601, []]);
});

test('on Mobile Matching it is -2609, since the DNA is asymmetric', async () => {
  const application_key = service.application('mobile-matching');
  const { status } = await service.query('SearchImageById', { application_key, image_id: 'any' });
  assert.equal(status.code, -2609);
});
