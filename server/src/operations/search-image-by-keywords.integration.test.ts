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
  const image_content = await photograph(1);
  await service.modify('AddImage', { application_key: key, image_id: '0', image_content });
  const { dna } = await service.modify('GetDnaById', { application_key: key, image_id: '0' });
  const keywords = [['a', 'b'], ['a'], ['b', 'a', 'c'], ['A']];
  for (const [i, each] of keywords.entries()) {
    const image = { application_key: key, image_id: ['🙂', 'z', '\uffee', 'B'][i]!, dna: dna.dna };
    await service.modify('AddImage', { ...image, keywords: each });
  }
});
after(() => service.close());

const search = (values: object) => service.query('SearchImageByKeywords', { application_key: key, ...values });

test('the pictures with all keywords are listed by the bytes of their ids, with score 0', async () => {
  assert.deepEqual(await search({ keywords: ['a', 'b'] }), {
    status: { code: 0, message: 'No error' },
    nb_results_found: 2,
    images: [
      { keywords: ['b', 'a', 'c'], score: 0, id: '\uffee', result_info: '' },
      { keywords: ['a', 'b'], score: 0, id: '🙂', result_info: '' },
    ],
  });
});

test('keywords are case-sensitive', async () => {
  assert.equal((await search({ keywords: ['A'] })).nb_results_found, 1);
  assert.equal((await search({ keywords: ['a'] })).nb_results_found, 3);
});

test('pages and ids_list work here too', async () => {
  const { nb_results_found, images } = await search({ keywords: ['a'], starting_index: 1, nb_results: 1 });
  assert.deepEqual([nb_results_found, images.length, images[0].id], [3, 1, '\uffee']);
  assert.equal((await search({ keywords: ['a'], ids_list: 'z;B' })).images[0].id, 'z');
});

test('at least one keyword is required, and a bad one is -1404', async () => {
  assert.equal((await search({})).status.code, errors.MISSING_PARAMETER.code);
  assert.equal((await search({ keywords: '' })).status.code, errors.MISSING_PARAMETER.code);
  assert.equal((await search({ keywords: ['a', 'b*'] })).status.code, errors.BAD_KEYWORD.code);
});
