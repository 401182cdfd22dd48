import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { typeDefinitions } from '@sosia/engine';
import type { ApplicationType } from '@sosia/engine';
import { errors } from '../errors.ts';
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
  const ids = (answer: any): string[] => answer.images.map(({ id }: { id: string }) => id);
  assert.deepEqual(ids(byUpload).slice(0, 2), ['again', 'first']);
  assert.deepEqual(ids(byId), ['first', 'again', ...ids(byUpload).slice(2)]);
  const byIdOf = (image: any) => byId.images.find(({ id }: any) => id === image.id);
  assert.deepEqual(byUpload.images, byUpload.images.map(byIdOf));
});

for (const [type, { traits }] of Object.entries(typeDefinitions)) {
  if (!traits.symmetric || !traits.references) continue;
  test(`${type}: the picture itself comes first, also beside exact copies, on one page alone`, async () => {
    const application_key = service.application(type as ApplicationType);
    const copies = ['e', 'a', 'd', 'b', 'c'];
    for (const [i, image_id] of copies.entries()) {
      const image_content = await photograph(1);
      await service.modify('AddImage', { application_key, image_id, image_content, keywords: i % 2 ? ['odd'] : [] });
    }
    for (const image_id of ['other', 'z'])
      await service.modify('AddImage', { application_key, image_id, image_content: await photograph(2) });
    const search = async (values: object): Promise<string[]> => {
      const answer = await service.query('SearchImageById', { application_key, ...values });
      return answer.images.map(({ id }: { id: string }) => id);
    };
    for (const image_id of copies) {
      const others = copies.filter((id) => id !== image_id).sort();
      const all = await search({ image_id, nb_results: 100 });
      assert.deepEqual(all.slice(0, 5), [image_id, ...others]);
      const paged: string[] = [];
      for (let starting_index = 0; starting_index < all.length; starting_index += 2)
        paged.push(...(await search({ image_id, starting_index, nb_results: 2 })));
      assert.deepEqual(paged, all);
      const [odd] = [await search({ image_id, keywords: ['odd'] })];
      const ofKeyword = ['a', 'b'];
      assert.deepEqual(
        odd,
        ofKeyword.includes(image_id) ? [image_id, ...ofKeyword.filter((id) => id !== image_id)] : ofKeyword,
      );
    }
    assert.deepEqual((await search({ image_id: 'c', ids_list: 'a;b' })).slice(0, 2), ['a', 'b']);
  });
}

test('an unknown id is -2601', async () => {
  const { status, images } = await service.query('SearchImageById', { application_key: key, image_id: 'nobody' });
  assert.deepEqual([status.code, images], [errors.UNKNOWN_IMAGE.code, []]);
});

test('on Mobile Matching it is -2609, since the DNA is asymmetric', async () => {
  const application_key = service.application('mobile-matching');
  const { status } = await service.query('SearchImageById', { application_key, image_id: 'any' });
  assert.equal(status.code, errors.ASYMMETRIC_DNA.code);
});
