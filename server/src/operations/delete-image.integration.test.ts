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

const add = async (image_id: string, number: number) =>
  service.modify('AddImage', { application_key: key, image_id, image_content: await photograph(number) });
const remove = (image_id: string) => service.modify('DeleteImage', { application_key: key, image_id });
const search = async (number: number) =>
  service.query('SearchImageByUpload', { application_key: key, image_content: await photograph(number) });

test('a deleted picture is absent from every operation, and its id is free again', async () => {
  await add('a', 1);
  assert.deepEqual(await remove('a'), {
    status: { code: 0, message: 'Image deleted from the reference database' },
    task_id: 0,
  });
  assert.equal((await search(1)).nb_results_found, 0);
  for (const operation of ['GetImageById', 'SearchImageById']) {
    const { status } = await service.query(operation, { application_key: key, image_id: 'a' });
    assert.equal(status.code, errors.UNKNOWN_IMAGE.code, operation);
  }
  const { status } = await service.modify('GetDnaById', { application_key: key, image_id: 'a' });
  assert.equal(status.code, errors.UNKNOWN_IMAGE.code);

  assert.equal((await add('a', 2)).status.code, 0);
  assert.equal((await search(1)).nb_results_found, 0);
  assert.equal((await search(2)).images[0].id, 'a');
});

test('an unknown id is -2802, each time', async () => {
  for (let i = 0; i < 2; i++) {
    const { status, task_id } = await remove('never was');
    assert.deepEqual(
      [status.code, status.message, task_id],
      [errors.IMAGE_NOT_FOUND.code, 'Image not found: never was', 0],
    );
  }
});

test('of many concurrent deletions of the same picture, exactly one succeeds', async () => {
  await add('contested', 3);
  const answers = await Promise.all(Array.from({ length: 8 }, () => remove('contested')));
  assert.equal(answers.filter(({ status }) => status.code === 0).length, 1);
  assert.equal(answers.filter(({ status }) => status.code === errors.IMAGE_NOT_FOUND.code).length, 7);
});

test("only the picture of the request's application is deleted", async () => {
  await add('same', 4);
  const other = service.application('media-matching');
  assert.equal(
    (await service.modify('DeleteImage', { application_key: other, image_id: 'same' })).status.code,
    errors.IMAGE_NOT_FOUND.code,
  );
  assert.equal((await search(4)).images[0].id, 'same');
});
