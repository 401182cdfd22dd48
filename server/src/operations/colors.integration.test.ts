import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { errors } from '../errors.ts';
import type { Service } from '../service.test.kit.ts';
import { photograph, startService } from '../service.test.kit.ts';

let service: Service;
let key: string;

/** Vertical stripes, each of one colour and as wide as its share of 100. */
async function stripes(colors: Record<string, number>): Promise<Buffer> {
  const bars = Object.entries(colors).map(([color, width]) => ({ color, width }));
  const lefts = bars.map((_, i) => bars.slice(0, i).reduce((sum, { width }) => sum + width, 0));
  const drawn = bars.map(
    ({ color, width }, i) => `<rect x="${lefts[i]}" width="${width}" height="100" fill="#${color}"/>`,
  );
  return sharp(Buffer.from(`<svg width="100" height="100">${drawn.join('')}</svg>`))
    .png()
    .toBuffer();
}

const pictures: Record<string, Record<string, number>> = {
  red: { d01010: 100 },
  'red and white': { d01010: 50, ffffff: 50 },
  'little red': { d01010: 10, ffffff: 90 },
  blue: { '1020d0': 70, '105010': 30 },
};

before(async () => {
  service = await startService();
  key = service.application('color-similarity');
  for (const [image_id, colors] of Object.entries(pictures)) {
    const image = {
      application_key: key,
      image_id,
      image_content: await stripes(colors),
      keywords: [image_id.slice(0, 3)],
    };
    assert.equal((await service.modify('AddImage', image)).status.code, 0);
  }
});
after(() => service.close());

const query = (operation: string, values: object = {}) => service.query(operation, { application_key: key, ...values });
const idsFor = async (colors: string[], more: object = {}) =>
  (await query('SearchImageByColors', { colors, ...more })).images.map(({ id }: { id: string }) => id);

test('colours are returned with their shares, equal by id and by upload', async () => {
  const { status, colors } = await query('GetImageColorsById', { image_id: 'little red' });
  assert.equal(status.code, 0);
  assert.match(colors[0], /^f[ef]f[ef]f[ef]@(89|9[0-1])$/);
  assert.match(colors[1], /^d0[01].[01].@(9|10)$/);
  const image_content = await stripes(pictures['little red']!);
  assert.deepEqual(await query('GetImageColorsByUpload', { image_content }), { status, colors });
  assert.equal((await query('GetImageColorsById', { image_id: 'nobody' })).status.code, errors.UNKNOWN_IMAGE.code);
});

test('GetImageColorsByUpload accepts GET with a multipart body too', async () => {
  const content = await stripes({ '1020d0': 100 });
  const head = '--x\r\nContent-Disposition: form-data; name="image_content"\r\n\r\n';
  const body = Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--x--\r\n')]);
  const path = `/api/v2.0/enginequery/json/GetImageColorsByUpload?application_key=${key}`;
  const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': body.length };
  const answer = await new Promise<string>((resolve, reject) => {
    const sent = request({ port: service.queryPort, path, method: 'GET', headers }, (response) => {
      response.toArray().then((parts) => resolve(Buffer.concat(parts).toString()), reject);
    });
    sent.on('error', reject).end(body);
  });
  assert.deepEqual(JSON.parse(answer).colors, ['1020d0@100']);
});

test('a weight is the desired share', async () => {
  assert.deepEqual(await idsFor(['d01010@100']), ['red', 'red and white', 'little red']);
  assert.deepEqual((await idsFor(['d01010@50', 'ffffff@50']))[0], 'red and white');
  assert.deepEqual((await idsFor(['d01010@10', 'ffffff@90']))[0], 'little red');
  assert.deepEqual(await idsFor(['1020d0']), ['blue']);
});

test('a weight of 0 prefers pictures without the colour', async () => {
  assert.deepEqual(await idsFor(['ffffff@0']), ['blue', 'red', 'red and white', 'little red']);
});

test('weights may sum to more than the whole, and a repeated colour counts once', async () => {
  assert.deepEqual((await idsFor(['d01010@100', 'ffffff@100']))[0], 'red and white');
  assert.deepEqual(await idsFor(['d01010@10', '#D01010@50', 'fff@50']), await idsFor(['d01010@50', 'ffffff@50']));
});

test('colours have three spellings, and similar ones are found as well', async () => {
  const whole = await idsFor(['ffffff']);
  for (const color of ['#ffffff', 'FFFFFF', 'fff', '#FFF', 'fefdff'])
    assert.deepEqual(await idsFor([color]), whole, color);
  assert.deepEqual(await idsFor(['00ff00']), []);
  assert.equal((await query('SearchImageByColors', { colors: 'ffff' })).status.code, errors.BAD_PARAMETER.code);
  assert.equal((await query('SearchImageByColors', { colors: 'fff@101' })).status.code, errors.BAD_PARAMETER.code);
  assert.equal((await query('SearchImageByColors')).status.code, errors.MISSING_PARAMETER.code);
});

test('keywords, ids, pages and the misspelt name work for colours', async () => {
  assert.deepEqual(await idsFor(['d01010'], { keywords: 'lit' }), ['little red']);
  assert.deepEqual(await idsFor(['d01010'], { ids_list: 'red;blue' }), ['red']);
  const page = await query('SearcImageByColors', { colors: 'd01010', starting_index: 1, nb_results: 1 });
  assert.deepEqual([page.nb_results_found, page.images.length, page.images[0].id], [3, 1, 'red and white']);
});

test('a picture finds itself first by upload, id and DNA', async () => {
  const byId = await query('SearchImageById', { image_id: 'red and white' });
  assert.deepEqual([byId.images[0].id, byId.images[0].score], ['red and white', 0]);
  const { dna } = (await service.modify('GetDnaById', { application_key: key, image_id: 'red and white' })).dna;
  assert.deepEqual(await query('SearchImageByDna', { dna }), byId);
  const image_content = await stripes(pictures['red and white']!);
  assert.deepEqual(await query('SearchImageByUpload', { image_content }), byId);
});

test('the palette counts the pictures that contain each colour', async () => {
  const { colors, image_count } = await query('GetPalette');
  assert.equal(colors.length, 4);
  assert.deepEqual(image_count, [3, 2, 1, 1]);
  assert.equal(colors[0].slice(0, 2), 'd0');
  assert.deepEqual((await query('GetPalette', { nb_colors: 1 })).image_count, [3]);
  assert.deepEqual((await query('GetPalette', { colors: 'ffffff' })).image_count, [2, 2]);
  assert.deepEqual((await query('GetPalette', { keywords: 'blu' })).image_count, [1, 1]);
  assert.deepEqual((await query('GetPalette', { ids_list: 'red;nobody' })).image_count, [1]);
  assert.deepEqual((await query('GetPalette', { ids_list: 'nobody' })).colors, []);
});

test('colours on other application types are refused', async () => {
  const application_key = service.application('image-similarity');
  const image_content = await photograph(1);
  const requests: [string, object][] = [
    ['SearchImageByColors', { colors: 'fff' }],
    ['GetImageColorsById', { image_id: 'x' }],
    ['GetImageColorsByUpload', { image_content }],
    ['GetPalette', {}],
  ];
  for (const [operation, values] of requests)
    assert.equal(
      (await service.query(operation, { application_key, ...values })).status.code,
      errors.DOES_NOT_APPLY.code,
      operation,
    );
});

test('an application may ignore a plain background: colours are those of the object', async () => {
  const shirt = (background: string) =>
    sharp(
      Buffer.from(`<svg width="200" height="200"><rect width="200" height="200" fill="#${background}"/>
      <rect x="60" y="50" width="80" height="100" fill="#d01010"/><rect x="85" y="85" width="30" height="30" fill="#ffffff"/></svg>`),
    )
      .jpeg()
      .toBuffer();
  const application_key = service.application('color-similarity', { ignoreBackground: true });
  for (const background of ['ffffff', '909090']) {
    const image_content = await shirt(background);
    const image = { application_key, image_id: background, image_content };
    assert.equal((await service.modify('AddImage', image)).status.code, 0);
    const { colors } = await service.query('GetImageColorsById', { application_key, image_id: background });
    assert.match(colors.join(), /^[cd]\w[01]\w[01]\w@(8[5-9]|9[01]),f\wf\wf\w@(9|1[0-5])/);
    const counted = await query('GetImageColorsByUpload', { image_content });
    assert.notEqual(counted.colors[0].slice(0, 1), 'd', counted.colors.join());
  }
  const found = await service.query('SearchImageByUpload', { application_key, image_content: await shirt('909090') });
  assert.deepEqual(found.nb_results_found, 2);
  assert.ok(found.images[1].score < 0.1, `${found.images[1].score}`);
});
