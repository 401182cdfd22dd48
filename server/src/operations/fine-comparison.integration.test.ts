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
  key = service.application('media-matching');
});
after(() => service.close());

const compare = (values: object) => service.query('FineComparison', { application_key: key, ...values });
const pasted = { left: 300, top: 120, width: 90, height: 70 };

/** The photograph with a green box. */
async function changed(number: number): Promise<Buffer> {
  const { left, top, width, height } = pasted;
  const input = { create: { width, height, channels: 3, background: '#1c3' } } as const;
  return sharp(await photograph(number))
    .composite([{ input, left, top }])
    .png()
    .toBuffer();
}

test('the same picture, recompressed and smaller, scores 0 and has no region', async () => {
  const reference_image = await photograph(3);
  const { width, height } = await sharp(reference_image).metadata();
  const small = sharp(reference_image).resize(Math.round(width * 0.9), Math.round(height * 0.9));
  const answer = await compare({ reference_image, query_image: await small.jpeg({ quality: 70 }).toBuffer() });
  assert.deepEqual(answer.status, { code: 0, message: 'No error' });
  assert.equal(answer.score, 0);
  assert.deepEqual(answer.regions, []);
});

test('a pasted object is reported by its box in both pictures and marked in both, at their original size', async () => {
  const whole = await photograph(3);
  const { width, height } = await sharp(whole).metadata();
  const query = await sharp(await changed(3))
    .resize(600)
    .jpeg()
    .toBuffer();
  const answer = await compare({ ref_image: whole, query_image: query });
  assert.ok(answer.score > 0 && answer.score < 1, `score ${answer.score}`);
  assert.equal(answer.regions.length, 1);
  const [{ reference, query: there, strength }] = answer.regions;
  assert.ok(strength > 0.1);
  const { left, top } = pasted;
  const corners = [left / width, top / height, (left + pasted.width) / width, (top + pasted.height) / height];
  for (const box of [reference, there]) {
    [...box.topLeftPoint, ...box.bottomRightPoint].forEach((value, i) =>
      assert.ok(Math.abs(value - corners[i]!) < 0.015, `${value}, expected ${corners[i]}`),
    );
  }
  const scale = 600 / width;
  assert.equal(answer.homography.length, 9);
  [scale, 0, 0, 0, scale, 0, 0, 0, 1].forEach((value, i) =>
    assert.ok(Math.abs(answer.homography[i] - value) < (i === 2 || i === 5 ? 0.5 : 0.002), `${answer.homography}`),
  );
  const marked = await Promise.all(
    [answer.ref_image, answer.query_image].map((text) => sharp(Buffer.from(text, 'base64')).metadata()),
  );
  assert.deepEqual(
    marked.map((each) => [each.format, each.width]),
    [
      ['jpeg', width],
      ['jpeg', 600],
    ],
  );
});

test('the strip of a scan is listed as such, and the field is absent without one', async () => {
  const whole = await photograph(3);
  const { width, height } = await sharp(whole).metadata();
  const input = { create: { width: 24, height, channels: 3, background: '#fff' } } as const;
  const scanned = await sharp(whole)
    .composite([{ input, left: width - 24, top: 0 }])
    .png()
    .toBuffer();
  const answer = await compare({ reference_image: whole, query_image: scanned });
  assert.deepEqual([answer.score, answer.regions], [0, []]);
  assert.equal(answer.rim_strips.length, 1);
  assert.ok(answer.rim_strips[0].reference.topLeftPoint[0] > 0.9);
  assert.ok(!('rim_strips' in (await compare({ reference_image: whole, query_image: whole }))));
});

test('the middle of a picture has no difference: the part outside of it is no difference', async () => {
  const whole = await photograph(5);
  const middle = sharp(whole).extract({ left: 150, top: 100, width: 450, height: 320 });
  const answer = await compare({ reference_image: whole, query_image: await middle.png().toBuffer() });
  assert.equal(answer.status.code, 0);
  assert.deepEqual(answer.regions, []);
});

test('two pictures without a common part are refused with their own code', async () => {
  const answer = await compare({ reference_image: await photograph(3), query_image: await photograph(5) });
  assert.equal(answer.status.code, errors.NOT_ALIGNED.code);
  assert.equal(answer.ref_image, undefined);
});

test('a file that is no picture is refused on either side', async () => {
  const picture = await photograph(3);
  const nonsense = Buffer.from('not a picture');
  assert.equal(
    (await compare({ reference_image: nonsense, query_image: picture })).status.code,
    errors.NOT_A_PICTURE.code,
  );
  assert.equal(
    (await compare({ reference_image: picture, query_image: nonsense })).status.code,
    errors.NOT_A_PICTURE.code,
  );
  assert.equal((await compare({ reference_image: picture })).status.code, errors.MISSING_PARAMETER.code);
});

test('the thumbnail of a reference picture takes the place of either file, and the answer says that it is coarse', async () => {
  await service.modify('AddImage', { application_key: key, image_id: 'whole', image_content: await photograph(3) });
  await service.modify('AddImage', { application_key: key, image_id: 'changed', image_content: await changed(3) });
  const { width, height } = await sharp(await photograph(3)).metadata();
  const pairs = [
    { reference_id: 'whole', query_image: await changed(3) },
    { reference_image: await photograph(3), query_id: 'changed' },
    { reference_id: 'whole', query_id: 'changed' },
  ];
  const { left, top } = pasted;
  const corners = [left / width, top / height, (left + pasted.width) / width, (top + pasted.height) / height];
  for (const pair of pairs) {
    const answer = await compare(pair);
    assert.deepEqual([answer.status.code, answer.coarse, answer.regions.length], [0, true, 1]);
    const { topLeftPoint, bottomRightPoint } = answer.regions[0].reference;
    [...topLeftPoint, ...bottomRightPoint].forEach((value, i) =>
      assert.ok(Math.abs(value - corners[i]!) < 0.02, `${value}, expected ${corners[i]}`),
    );
    const marked = await sharp(Buffer.from(answer.ref_image, 'base64')).metadata();
    assert.equal(Math.max(marked.width, marked.height), 'reference_id' in pair ? 320 : Math.max(width, height));
  }
  const same = await compare({ reference_id: 'whole', query_image: await photograph(3) });
  assert.deepEqual([same.score, same.regions, same.coarse], [0, [], true]);
  const files = await compare({ reference_image: await photograph(3), query_image: await changed(3) });
  assert.ok(!('coarse' in files));
});

test('each picture is exactly one of a file and an id, of a picture of the application with a thumbnail', async () => {
  const picture = await photograph(6);
  const own = service.application('media-matching');
  const application_key = own;
  await service.modify('AddImage', { application_key, image_id: 'a', image_content: picture });
  const { dna } = await service.modify('GetDnaById', { application_key, image_id: 'a' });
  await service.modify('AddImage', { application_key, image_id: 'by dna', dna: dna.dna });
  const statusOf = async (values: object) => (await compare({ application_key: own, ...values })).status;

  const missing = { code: errors.MISSING_PARAMETER.code, message: 'A parameter is missing: expected ' };
  assert.deepEqual(await statusOf({ query_image: picture }), {
    ...missing,
    message: `${missing.message}reference_image or ref_image as a multipart part with a picture`,
  });
  assert.deepEqual(await statusOf({ reference_id: 'a' }), {
    ...missing,
    message: `${missing.message}query_image as a multipart part with a picture`,
  });
  assert.deepEqual(await statusOf({ reference_id: 'a', ref_image: picture, query_id: 'a' }), {
    code: errors.REPEATED_PARAMETER.code,
    message: 'A parameter is given more than once: reference_image and reference_id',
  });
  assert.deepEqual(await statusOf({ reference_id: 'by dna', query_image: picture }), {
    code: errors.NO_THUMBNAIL.code,
    message: 'No thumbnail of the picture is stored: by dna',
  });
  assert.deepEqual(await statusOf({ reference_image: picture, query_id: 'nobody' }), {
    code: errors.UNKNOWN_IMAGE.code,
    message: 'Unknown image id: nobody',
  });
  assert.equal((await statusOf({ reference_id: 'a;b', query_image: picture })).code, errors.BAD_IMAGE_ID.code);
  const elsewhere = service.application('media-matching');
  assert.equal(
    (await statusOf({ application_key: elsewhere, reference_id: 'a', query_id: 'a' })).code,
    errors.UNKNOWN_IMAGE.code,
  );
});

test('of many differences the hundred largest are reported, the largest first', async () => {
  const spots = Array.from({ length: 160 }, (_, i) => {
    const [x, y] = [20 + 46 * (i % 16), 20 + 48 * Math.floor(i / 16)];
    return `<circle cx="${x}" cy="${y}" r="${7 + (i % 5)}" fill="${i % 2 ? '#f0f' : '#0f0'}"/>`;
  });
  const input = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="768" height="512">${spots.join('')}</svg>`);
  const reference_image = await photograph(5);
  const query_image = await sharp(reference_image).composite([{ input }]).png().toBuffer();
  const { status, regions } = await compare({ reference_image, query_image });
  assert.equal(status.code, 0, status.message);
  assert.equal(regions.length, 100);
  type Box = { topLeftPoint: [number, number]; bottomRightPoint: [number, number] };
  const areaOf = ({ topLeftPoint: [left, top], bottomRightPoint: [right, bottom] }: Box) =>
    (right - left) * (bottom - top);
  const areas = regions.map(({ reference }: { reference: Box }) => areaOf(reference));
  assert.ok(
    areas.slice(0, 10).every((area: number) => area > areas.at(-1)),
    'the largest come first',
  );
});
