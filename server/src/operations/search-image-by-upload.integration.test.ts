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
  for (let number = 1; number <= 6; number++) {
    await service.modify('AddImage', {
      application_key: key,
      image_id: `photo ${number}`,
      image_content: await photograph(number),
      keywords: [number % 2 ? 'odd' : 'even', 'all'],
    });
  }
  // the same picture under more names, for pages
  for (const image_id of ['b', 'Z', 'é', 'a']) {
    await service.modify('AddImage', { application_key: key, image_id, image_content: await photograph(1) });
  }
});
after(() => service.close());

const search = async (number: number, more: object = {}) =>
  service.query('SearchImageByUpload', { application_key: key, image_content: await photograph(number), ...more });
const idsOf = ({ images }: { images: { id: string }[] }) => images.map(({ id }) => id);

test('the same picture comes first, with score 0 and the decision Clone', async () => {
  const { status, nb_results_found, images } = await search(2);
  assert.deepEqual(status, { code: 0, message: 'No error' });
  assert.ok(nb_results_found >= 1);
  const [{ id, score, keywords, result_info }] = images;
  assert.deepEqual([id, score, keywords], ['photo 2', 0, ['even', 'all']]);
  assert.equal(typeof result_info, 'string');
  const info = JSON.parse(result_info);
  assert.deepEqual([info.category, info.decision, info.distance], ['LOCALMATCHING', 'Clone', 0]);
});

test('equal scores are ordered by the bytes of their ids', async () => {
  assert.deepEqual(idsOf(await search(1)), ['Z', 'a', 'b', 'photo 1', 'é']);
});

test('pages put together are the whole list, and nb_results_found is the total on each', async () => {
  const whole = await search(1);
  const pages = [];
  for (const starting_index of [0, 2, 4, 6]) pages.push(await search(1, { starting_index, nb_results: 2 }));
  assert.deepEqual(
    pages.flatMap(({ images }) => images),
    whole.images,
  );
  assert.deepEqual(new Set(pages.map(({ nb_results_found }) => nb_results_found)), new Set([5]));
  assert.deepEqual(idsOf(await search(1, { starting_index: 999_999_999 })), []);
  assert.deepEqual(idsOf(await search(1, { nb_results: 0 })), []);
});

test('nb_results has the default of the application', async () => {
  const { number } = service.store.list()[0]!;
  service.store.update(number, { defaults: { nbResults: 3, colorWeight: 50, retrievalThreshold: 1 } });
  assert.equal((await search(1)).images.length, 3);
  assert.equal((await search(1, { nb_results: 4 })).images.length, 4);
  service.store.update(number, { defaults: { nbResults: 10, colorWeight: 50, retrievalThreshold: 1 } });
});

test('keywords leave out the pictures that lack one of them', async () => {
  assert.deepEqual(idsOf(await search(1, { keywords: ['odd'] })), ['photo 1']);
  assert.deepEqual(idsOf(await search(1, { keywords: ['odd', 'all'] })), ['photo 1']);
  assert.deepEqual(idsOf(await search(1, { keywords: ['odd', 'even'] })), []);
  assert.deepEqual(idsOf(await search(1, { keywords: ['nobody has it'] })), []);
});

test('ids_list restricts to its ids, including unknown ones', async () => {
  assert.deepEqual(idsOf(await search(1, { ids_list: 'b;nobody;a;photo 2' })), ['a', 'b']);
  assert.deepEqual(idsOf(await search(1, { ids_list: 'nobody' })), []);
});

test('color_weight is checked, and has no effect on this type', async () => {
  assert.deepEqual(await search(1, { color_weight: 100 }), await search(1));
  assert.equal((await search(1, { color_weight: 101 })).status.code, errors.BAD_PARAMETER.code);
});

test('a failure has an empty list of images beside its code', async () => {
  const failure = await service.query('SearchImageByUpload', { application_key: key, image_content: Buffer.from('x') });
  assert.equal(failure.status.code, errors.NOT_A_PICTURE.code);
  assert.deepEqual([failure.nb_results_found, failure.images], [0, []]);
});
