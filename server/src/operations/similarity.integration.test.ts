import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { errors } from '../errors.ts';
import type { Service } from '../service.test.kit.ts';
import { photograph, startService } from '../service.test.kit.ts';

let service: Service;
let key: string;
before(async () => {
  service = await startService();
  key = service.application('image-similarity');
  for (let number = 1; number <= 6; number++) {
    const image = { application_key: key, image_id: `photo ${number}`, image_content: await photograph(number) };
    assert.equal(
      (await service.modify('AddImage', { ...image, keywords: number % 2 ? 'odd' : 'even' })).status.code,
      0,
    );
  }
});
after(() => service.close());

interface Image {
  readonly id: string;
  readonly score: number;
  readonly result_info: string;
}
const search = async (values: object = {}): Promise<{ nb_results_found: number; images: Image[] }> =>
  service.query('SearchImageById', { application_key: key, image_id: 'photo 2', ...values });
const infoOf = ({ result_info }: Image) => JSON.parse(result_info);

test('every picture has a score, composed of both parts by the weight of colour', async () => {
  for (const color_weight of [0, 30, 50, 100]) {
    const { nb_results_found, images } = await search({ color_weight });
    assert.deepEqual([nb_results_found, images.length, images[0]!.id, images[0]!.score], [6, 6, 'photo 2', 0]);
    for (const image of images) {
      const { category, colorScore, shapeScore, colorweight } = infoOf(image);
      assert.deepEqual([category, colorweight], ['SIMILARITY', color_weight / 100]);
      assert.equal(image.score, (1 - colorweight) * shapeScore + colorweight * colorScore);
    }
    assert.deepEqual(
      images,
      images.toSorted((a, b) => a.score - b.score),
    );
  }
});

test('weight 0 is the shape alone, weight 100 the colour alone', async () => {
  const { images: byShape } = await search({ color_weight: 0 });
  const { images: byColor } = await search({ color_weight: 100 });
  for (const image of byShape) assert.equal(image.score, infoOf(image).shapeScore);
  for (const image of byColor) assert.equal(image.score, infoOf(image).colorScore);
  assert.ok(byShape.slice(1).every(({ score }) => score > 0.1));
  assert.ok(byColor.slice(1).every(({ score }) => score > 0.05));
});

test('a grey copy has the same shape, other content in the same colours has the same colours', async () => {
  const grey = await sharp(await photograph(2))
    .greyscale()
    .jpeg()
    .toBuffer();
  const image_content = { application_key: key, image_content: grey };
  const { images } = await service.query('SearchImageByUpload', { ...image_content, color_weight: 0 });
  assert.equal(images[0].id, 'photo 2');
  assert.ok(infoOf(images[0]).shapeScore < 0.1 && infoOf(images[0]).colorScore > 0.15, images[0].result_info);
});

test('without color_weight the default of the application counts', async () => {
  const { number } = service.store.list().find(({ type }) => type === 'image-similarity')!;
  service.store.update(number, { defaults: { nbResults: 10, colorWeight: 20, retrievalThreshold: 1 } });
  assert.deepEqual(await search(), await search({ color_weight: 20 }));
  service.store.update(number, { defaults: { nbResults: 10, colorWeight: 50, retrievalThreshold: 1 } });
  assert.deepEqual(await search(), await search({ color_weight: 50 }));
});

test('a weight outside 0 to 100 is refused', async () => {
  for (const color_weight of ['-1', '101', '5.5', 'x']) {
    const { status } = await service.query('SearchImageById', {
      application_key: key,
      image_id: 'photo 2',
      color_weight,
    });
    assert.equal(status.code, errors.BAD_PARAMETER.code, color_weight);
  }
});

test('upload, DNA, keywords, ids and pages', async () => {
  const whole = await search();
  const image_content = await photograph(2);
  assert.deepEqual(await service.query('SearchImageByUpload', { application_key: key, image_content }), whole);
  const { dna } = (await service.modify('GetDnaById', { application_key: key, image_id: 'photo 2' })).dna;
  assert.deepEqual(await service.query('SearchImageByDna', { application_key: key, dna }), whole);
  const odd = whole.images.filter(({ id }) => Number(id.slice(6)) % 2);
  assert.deepEqual((await search({ keywords: 'odd' })).images, odd);
  assert.deepEqual((await search({ ids_list: 'photo 1;photo 3;photo 5;x' })).images, odd);
  const page = await search({ starting_index: 4, nb_results: 5 });
  assert.deepEqual([page.nb_results_found, page.images], [6, whole.images.slice(4)]);
});
