import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { errors } from '../errors.ts';
import type { Service } from '../service.test.kit.ts';
import { photograph, startService } from '../service.test.kit.ts';

let service: Service;
let key: string;
let dna: string;
const add = (image_id: string, keywords: string[] = []) =>
  service.modify('AddImage', { application_key: key, image_id, dna, keywords });
before(async () => {
  service = await startService();
  key = service.application('media-matching');
  const image_content = await photograph(1);
  await service.modify('AddImage', { application_key: key, image_id: 'b', image_content });
  ({ dna } = (await service.modify('GetDnaById', { application_key: key, image_id: 'b' })).dna);
  for (const id of ['🙂', '\uffee', 'a', 'c']) await add(id, id === 'a' || id === 'c' ? ['k'] : []);
});
after(() => service.close());

const list = (values: object = {}) => service.query('ListImages', { application_key: key, ...values });
const idsOf = ({ images }: { images: { id: string }[] }) => images.map(({ id }) => id);

test('all pictures are listed by the bytes of their ids, on both ports', async () => {
  assert.deepEqual(idsOf(await list()), ['a', 'b', 'c', '\uffee', '🙂']);
  assert.deepEqual(await service.modify('ListImages', { application_key: key }), await list());
});

test('keywords, ids and pages work here too', async () => {
  const { nb_results_found, images } = await list({ keywords: ['k'], nb_results: 1 });
  assert.equal(nb_results_found, 2);
  assert.deepEqual(images, [{ keywords: ['k'], score: 0, id: 'a', result_info: '' }]);
  assert.deepEqual(idsOf(await list({ ids_list: 'c;b;nobody' })), ['b', 'c']);
  assert.deepEqual(idsOf(await list({ starting_index: 4 })), ['🙂']);
});

test('a listing after an id misses nothing, despite additions and deletions before it', async () => {
  const first = await list({ nb_results: 2 });
  await service.modify('DeleteImage', { application_key: key, image_id: 'a' });
  await service.modify('DeleteImage', { application_key: key, image_id: 'b' });
  const second = await list({ after: idsOf(first).at(-1)!, nb_results: 2 });
  await add('A');
  const third = await list({ after: idsOf(second).at(-1)!, nb_results: 2 });
  assert.deepEqual([first, second, third].flatMap(idsOf), ['a', 'b', 'c', '\uffee', '🙂']);
  assert.deepEqual(
    [first, second, third].map((page) => page.nb_results_found),
    [5, 3, 1],
  );
  assert.equal((await list({ after: 'a;b' })).status.code, errors.BAD_IMAGE_ID.code);
});

test('the latest order begins with the last picture that was added or changed', async () => {
  await add('Z');
  await add('z', ['k']);
  assert.deepEqual(idsOf(await list({ order: 'latest' })).slice(0, 3), ['z', 'Z', 'A']);
  await service.modify('SetKeywords', { application_key: key, image_id: 'c', keywords: ['k'] });
  const { nb_results_found, images } = await list({ order: 'latest', keywords: ['k'], nb_results: 1 });
  assert.deepEqual([nb_results_found, images[0].id], [2, 'c']);
  assert.deepEqual(idsOf(await list({ order: 'latest', keywords: ['k'], starting_index: 1 })), ['z']);
  assert.deepEqual(idsOf(await list({ order: 'latest', starting_index: 100 })), []);
  assert.notEqual((await list({ order: 'latest', after: 'a' })).status.code, 0);
  assert.notEqual((await list({ order: 'oldest' })).status.code, 0);
});
