import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ApplicationType } from '@sosia/engine';
import { assert as holds, asyncProperty, nat } from 'fast-check';
import sharp from 'sharp';
import { errors } from '../errors.ts';
import type { Service, Values } from '../service.test.kit.ts';
import { photograph, startService } from '../service.test.kit.ts';

let service: Service;
before(async () => (service = await startService({}, { decode_workers: '2' })));
after(() => service.close());

const WIDTH = 480;
const HEIGHT = 320;

/** Another file of the same picture for each number. */
async function copyOf(picture: number, number: number): Promise<Buffer> {
  const image = sharp(await photograph(picture)).resize(WIDTH - (number % 7), HEIGHT, { fit: 'fill' });
  return image.jpeg({ quality: 95 - (number % 50) }).toBuffer();
}

/** Four pictures side by side. */
async function collage(...pictures: readonly number[]): Promise<Buffer> {
  const tiles = await Promise.all(pictures.map((picture) => copyOf(picture, 0)));
  const places = tiles.map((input, i) => ({ input, left: (i % 2) * WIDTH, top: Math.floor(i / 2) * HEIGHT }));
  const canvas = { width: 2 * WIDTH, height: 2 * HEIGHT, channels: 3 as const, background: '#888' };
  return sharp({ create: canvas }).composite(places).jpeg({ quality: 92 }).toBuffer();
}

/** An application with so many copies of each picture; their ids begin with the number of the picture. */
async function planted(type: ApplicationType, floods: Readonly<Record<number, number>>): Promise<string> {
  const application_key = service.application(type);
  const add = async (picture: number, number: number): Promise<void> => {
    const values = { image_id: `${picture}/${number}`, image_content: await copyOf(picture, number) };
    await service.modify('AddImage', { application_key, ...values });
  };
  for (const [picture, copies] of Object.entries(floods)) {
    for (let at = 0; at < copies; at += 4) {
      const numbers = [at, at + 1, at + 2, at + 3].filter((number) => number < copies);
      await Promise.all(numbers.map((number) => add(Number(picture), number)));
    }
  }
  return application_key;
}

type Result = { readonly id: string; readonly score: number; readonly copies?: readonly Result[] };

const pictureOf = ({ id }: Result) => id.split('/')[0];
const unfolded = (results: readonly Result[]): Result[] =>
  results.flatMap(({ copies = [], ...result }) => [result, ...copies]);

/** For each type, pictures of the collage with their floods. */
const types = [
  'media-matching',
  'mobile-matching',
  'brand-monitoring',
  'image-similarity',
  'color-similarity',
] as const;

for (const type of types) {
  test(`${type}: a flood of copies is one result, and takes no place of other pictures`, async () => {
    const floods = { 1: type === 'media-matching' ? 100 : 12, 5: 3, 8: 1, 15: 1 };
    const application_key = await planted(type, floods);
    const image_content = await collage(1, 5, 8, 15);
    const search = (values: Values): Promise<any> =>
      service.query('SearchImageByUpload', { application_key, image_content, similarity: 1, ...values });

    const all = await search({ nb_results: 1000 });
    assert.equal(new Set(all.images.slice(0, 10).map(pictureOf)).size < 4, true, 'the flood fills the page');
    const folded = await search({ fold: 1 });
    assert.equal(folded.nb_results_found, all.nb_results_found);
    const found = folded.images.map((each: Result) => [pictureOf(each), unfolded([each]).length]);
    const expected = Object.entries(floods).map(([picture, copies]) => [picture, copies]);
    assert.deepEqual(found.sort(), expected.sort());
    for (const each of folded.images) assert.equal(new Set(unfolded([each]).map(pictureOf)).size, 1);

    const inOrder = (results: readonly Result[]) =>
      [...results].sort((a, b) => a.score - b.score || (a.id < b.id ? -1 : 1));
    assert.deepEqual(inOrder(unfolded(folded.images)), inOrder(all.images), 'each match once, as without folding');
    for (const { score, copies = [] } of folded.images)
      for (const [i, copy] of copies.entries()) assert.ok(copy.score >= (copies[i - 1]?.score ?? score));

    const cuts = asyncProperty(nat(5), nat(5), async (starting_index, nb_results) => {
      const { images } = await search({ fold: 1, starting_index, nb_results });
      assert.deepEqual(images, folded.images.slice(starting_index, starting_index + nb_results));
    });
    await holds(cuts, { numRuns: 8, seed: 7 });
  });
}

test('keywords and ids restrict what is folded', async () => {
  const application_key = await planted('media-matching', { 1: 4, 5: 1 });
  await service.modify('SetKeywords', { application_key, image_id: '1/2', keywords: ['kept'] });
  const search = async (values: Values) => {
    const answer = await service.query('SearchImageById', { application_key, image_id: '1/3', fold: 1, ...values });
    return answer.images.map((each: Result) => unfolded([each]).map(({ id }) => id));
  };
  assert.deepEqual((await search({}))[0].toSorted(), ['1/0', '1/1', '1/2', '1/3']);
  assert.deepEqual(await search({ keywords: ['kept'] }), [['1/2']]);
  assert.deepEqual((await search({ ids_list: '1/0;1/1' }))[0].toSorted(), ['1/0', '1/1']);
});

test('a part of a picture is a result of its own', async () => {
  const application_key = await planted('media-matching', { 1: 3 });
  const half = sharp(await copyOf(1, 0)).extract({ left: 0, top: 0, width: WIDTH / 2, height: HEIGHT });
  await service.modify('AddImage', { application_key, image_id: 'half', image_content: await half.jpeg().toBuffer() });
  const { images } = await service.query('SearchImageById', { application_key, image_id: '1/0', fold: 1 });
  assert.deepEqual(
    images.map((each: Result) => [each.id, unfolded([each]).length]),
    [
      ['1/0', 3],
      ['half', 1],
    ],
  );
});

test('colours in a search fold, too', async () => {
  const application_key = await planted('color-similarity', { 1: 5, 5: 2 });
  const values = { application_key, colors: '605040', fold: 1 };
  const { images, nb_results_found } = await service.query('SearchImageByColors', values);
  assert.deepEqual([nb_results_found, images.map((each: Result) => unfolded([each]).length).sort()], [7, [2, 5]]);
});

test('another value, and a page behind the folded results, are refused', async () => {
  const application_key = await planted('media-matching', { 1: 1 });
  const codeOf = async (values: Values): Promise<number> => {
    const { status } = await service.query('SearchImageById', { application_key, image_id: '1/0', ...values });
    return status.code;
  };
  const refused = errors.BAD_PARAMETER.code;
  assert.equal(await codeOf({ fold: 2 }), refused);
  assert.equal(await codeOf({ fold: 1, starting_index: 991 }), refused);
  assert.equal(await codeOf({ fold: 1, starting_index: 990 }), 0);
  assert.equal(await codeOf({ fold: 0, starting_index: 991 }), 0);
});
