import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { photograph, startService } from '../service.test.kit.ts';
import type { Service, Values } from '../service.test.kit.ts';

let service: Service;
let key: string;

before(async () => {
  service = await startService();
  key = service.application('media-matching');
  for (const number of [1, 2, 3]) {
    await service.modify('AddImage', {
      application_key: key,
      image_id: `${number}.jpg`,
      image_content: await photograph(number),
    });
  }
});
after(() => service.close());

const counts = async (values: Values = {}): Promise<any[]> => {
  const { images } = await service.ask('review', 'ListMatchCounts', { application_key: key, ...values });
  return images.map(({ last, ...count }: any) => {
    assert.ok(Date.parse(last) > 0);
    return count;
  });
};
const search = async (image_content: Uint8Array, values: Values = {}) =>
  service.query('SearchImageByUpload', { application_key: key, image_content, ...values });

test('each picture of an answer counts, by decision', async () => {
  assert.deepEqual(await counts(), []);
  await search(await photograph(2));
  await search(await photograph(1));
  await counts();
  await search(
    await sharp(await photograph(1))
      .extract({ left: 100, top: 100, width: 300, height: 250 })
      .toBuffer(),
  );
  await search(await photograph(3), { nb_results: 0 });
  await search(await photograph(4));
  await service.query('SearchImageById', { application_key: key, image_id: '3.jpg' });
  const first = { id: '1.jpg', found: 2, clone: 1, match: 1, similar: 0, other: 0 };
  const second = { id: '2.jpg', found: 1, clone: 1, match: 0, similar: 0, other: 0 };
  assert.deepEqual(await counts(), [first, second]);
  assert.deepEqual(await counts({ nb_results: 1, starting_index: 1 }), [second]);
  assert.deepEqual(await counts({ ids_list: '2.jpg;3.jpg' }), [second]);
  await search(await photograph(2));
  assert.equal((await counts({ order: 'last' }))[0].id, '2.jpg');
});

test('the counts of a deleted picture end with it', async () => {
  await service.modify('DeleteImage', { application_key: key, image_id: '1.jpg' });
  assert.deepEqual(
    (await counts()).map(({ id }) => id),
    ['2.jpg'],
  );
  await service.modify('AddImage', { application_key: key, image_id: '1.jpg', image_content: await photograph(1) });
  assert.deepEqual(
    (await counts()).map(({ id }) => id),
    ['2.jpg'],
  );
});
