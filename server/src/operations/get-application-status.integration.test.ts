import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { errors } from '../errors.ts';
import type { Service } from '../service.test.kit.ts';
import { photograph, startService } from '../service.test.kit.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.close());

test('the MODIFY version reports that both databases are available', async () => {
  const application_key = service.application('media-matching');
  assert.deepEqual(await service.modify('GetApplicationStatus', { application_key }), {
    status: { code: 0, message: 'No error' },
    application_db_status: 'available',
    main_db_status: 'available',
  });
});

test('an application that another place has taken over is read-only', async () => {
  const application_key = service.application('media-matching');
  const { number } = service.store.list().at(-1)!;
  service.store.update(number, { state: 'moved' });
  const { application_db_status } = await service.modify('GetApplicationStatus', { application_key });
  assert.equal(application_db_status, 'read-only');
  const image_content = await photograph(1);
  const { status } = await service.modify('AddImage', { application_key, image_id: 'a', image_content });
  assert.equal(status.code, errors.APPLICATION_MOVED.code);
});

test('the QUERY version counts the pictures of this application alone', async () => {
  const [application_key, other] = [service.application('media-matching'), service.application('media-matching')];
  const count = async (key: string) =>
    (await service.query('GetApplicationStatus', { application_key: key })).nb_loaded_images;

  assert.equal(await count(application_key), 0);
  await service.modify('AddImage', { application_key, image_id: 'a', image_content: await photograph(1) });
  await service.modify('AddImage', { application_key, image_id: 'b', image_content: await photograph(2) });
  assert.deepEqual([await count(application_key), await count(other)], [2, 0]);
  await service.modify('DeleteImage', { application_key, image_id: 'a' });
  assert.equal(await count(application_key), 1);
});

test('every type of application has a status', async () => {
  const types = ['image-similarity', 'color-similarity', 'mobile-matching', 'brand-monitoring', 'filter'] as const;
  for (const type of types) {
    const answer = await service.query('GetApplicationStatus', { application_key: service.application(type) });
    assert.deepEqual(answer, { status: { code: 0, message: 'No error' }, nb_loaded_images: 0 });
  }
});
