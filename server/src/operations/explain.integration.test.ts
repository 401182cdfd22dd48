import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Service } from '../service.test.kit.ts';
import { photograph, startService } from '../service.test.kit.ts';

const types = ['media-matching', 'mobile-matching', 'brand-monitoring'] as const;
const keys = new Map<string, string>();
let service: Service;
before(async () => {
  service = await startService();
  for (const type of types) {
    const application_key = service.application(type);
    keys.set(type, application_key);
    for (const number of [1, 2]) {
      const image_content = await photograph(number);
      await service.modify('AddImage', { application_key, image_id: `photo ${number}`, image_content });
    }
  }
});
after(() => service.close());

const search = async (type: string, number: number, more: object = {}) =>
  service.query('SearchImageByUpload', {
    application_key: keys.get(type)!,
    image_content: await photograph(number),
    ...more,
  });

for (const type of types) {
  test(`${type}: an explanation is an addition, and a plain answer has none`, async () => {
    const plain = await search(type, 1);
    assert.ok(!JSON.stringify(plain).includes('explanation') && plain.images.length > 0);
    assert.deepEqual(await search(type, 1, { explain: 0 }), plain);
    const explained = await search(type, 1, { explain: 1 });
    const without = explained.images.map(({ explanation: _, ...rest }: { explanation: object }) => rest);
    assert.deepEqual({ ...explained, images: without }, plain);
  });

  test(`${type}: the same picture is explained by its features, each at its own place`, async () => {
    const { explanation } = (await search(type, 1, { explain: 1 })).images[0];
    assert.equal(explanation.reason, '');
    assert.ok(explanation.correspondences.length > 100);
    for (const { query, reference, distance } of explanation.correspondences) {
      assert.deepEqual([query, distance], [reference, 0]);
      assert.ok(query.every((value: number) => value >= 0 && value <= 1));
    }
  });

  test(`${type}: a single picture without a match has a reason; a match and an unknown picture have none`, async () => {
    const { images, why_not } = await search(type, 3, { explain: 1, ids_list: 'photo 2' });
    assert.deepEqual(images, []);
    assert.equal(why_not.id, 'photo 2');
    assert.match(why_not.reason, /^(too few words in common|geometric test failed|shape of the matching box)/);
    assert.equal((await search(type, 3, { ids_list: 'photo 2' })).why_not, undefined);
    assert.equal((await search(type, 2, { explain: 1, ids_list: 'photo 2' })).why_not, undefined);
    assert.equal((await search(type, 3, { explain: 1, ids_list: 'photo 9' })).why_not, undefined);
  });
}
