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

const add = (values: object) => service.modify('AddImage', { application_key: key, ...values });
const found = async (number: number) => {
  const image_content = await photograph(number);
  const { images } = await service.query('SearchImageByUpload', { application_key: key, image_content });
  return images.map(({ id }: { id: string }) => id);
};

test('an added picture is found by the next search', async () => {
  assert.deepEqual(await found(1), []);
  assert.deepEqual(await add({ image_id: 'first', image_content: await photograph(1) }), {
    status: { code: 0, message: 'Image added to the reference database' },
    task_id: 0,
    grade: 4,
    reasons: [],
  });
  assert.deepEqual(await found(1), ['first']);
});

test('an existing id is refused, and its picture stays', async () => {
  const answer = await add({ image_id: 'first', image_content: await photograph(2), keywords: ['new'] });
  assert.equal(answer.status.code, errors.IMAGE_EXISTS.code);
  assert.equal(answer.task_id, 0);
  assert.deepEqual(await found(2), []);
  const { image } = await service.query('GetImageById', { application_key: key, image_id: 'first' });
  assert.deepEqual(image.keywords, []);
});

test('of an id that exists the picture is not even looked at', async () => {
  const { status } = await add({ image_id: 'first', image_content: Buffer.from('no picture') });
  assert.equal(status.code, errors.IMAGE_EXISTS.code);
});

/** What a machine that is busy with other work may answer. */
const OVERLOADED = errors.OVERLOADED.code;

test('of many concurrent additions of the same id, exactly one succeeds', async () => {
  const image_content = await photograph(3);
  const addOnceThereIsTime = async () => {
    for (;;) {
      const answer = await add({ image_id: 'contested', image_content });
      if (answer.status.code !== OVERLOADED) return answer;
    }
  };
  const answers = await Promise.all(Array.from({ length: 8 }, addOnceThereIsTime));
  const codes = answers.map(({ status }) => status.code).sort((a, b) => a - b);
  assert.deepEqual(codes, [
    errors.IMAGE_EXISTS.code,
    errors.IMAGE_EXISTS.code,
    errors.IMAGE_EXISTS.code,
    errors.IMAGE_EXISTS.code,
    errors.IMAGE_EXISTS.code,
    errors.IMAGE_EXISTS.code,
    errors.IMAGE_EXISTS.code,
    0,
  ]);
});

test('a DNA adds the picture that it describes', async () => {
  const { dna } = await service.modify('GetDnaById', { application_key: key, image_id: 'first' });
  assert.equal((await add({ image_id: 'as text', dna: dna.dna })).status.code, 0);
  assert.equal((await add({ image_id: 'as bytes', dna: Buffer.from(dna.dna, 'base64') })).status.code, 0);
  assert.deepEqual(await found(1), ['as bytes', 'as text', 'first']);
});

test('exactly one of a picture and a DNA must be given', async () => {
  const image_content = await photograph(4);
  assert.equal((await add({ image_id: 'both', image_content, dna: 'QUJD' })).status.code, errors.IMAGE_OR_DNA.code);
  assert.equal((await add({ image_id: 'neither' })).status.code, errors.IMAGE_OR_DNA.code);
  const { status } = await add({ image_id: 'empty', image_content: Buffer.alloc(0) });
  assert.deepEqual(status, {
    code: errors.NOT_A_PICTURE.code,
    message: 'Not a picture: image_content is an empty file',
  });
});

test('a picture without enough information is refused with its reason, and is not added', async () => {
  const refused: [content: Uint8Array, code: number][] = [
    [flatBmp(), errors.NOT_ENOUGH_INFORMATION.code],
    [Buffer.from('not a picture'), errors.NOT_A_PICTURE.code],
    [(await photograph(5)).subarray(0, 5000), errors.DAMAGED_PICTURE.code],
  ];
  for (const [image_content, code] of refused) {
    assert.equal((await add({ image_id: 'refused', image_content })).status.code, code);
  }
  assert.equal(
    (await add({ image_id: 'refused', dna: Buffer.from('\xd7nonsense', 'latin1') })).status.code,
    errors.BAD_DNA.code,
  );
  const { status } = await service.query('GetImageById', { application_key: key, image_id: 'refused' });
  assert.equal(status.code, errors.UNKNOWN_IMAGE.code);
});

test('keywords keep their order, duplicates collapse, and a bad one refuses the picture', async () => {
  const image_content = await photograph(6);
  const refused = await add({ image_id: 'k', image_content, keywords: ['good', ';*()[]'] });
  assert.equal(refused.status.code, errors.BAD_KEYWORD.code);
  assert.equal((await add({ image_id: 'k', image_content, keywords: ['z', 'a', 'z', 'é'] })).status.code, 0);
  const { image } = await service.query('GetImageById', { application_key: key, image_id: 'k' });
  assert.deepEqual(image.keywords, ['z', 'a', 'é']);
});

test('image_id and a picture are required', async () => {
  assert.equal((await add({ image_content: await photograph(7) })).status.code, errors.MISSING_PARAMETER.code);
});

/** 64 × 64 pixels, all black. */
function flatBmp(): Buffer {
  const bmp = Buffer.alloc(54 + 64 * 64 * 3);
  bmp.write('BM', 'latin1');
  bmp.writeUInt32LE(bmp.length, 2);
  bmp.writeUInt32LE(54, 10);
  bmp.writeUInt32LE(40, 14);
  bmp.writeInt32LE(64, 18);
  bmp.writeInt32LE(64, 22);
  bmp.writeUInt16LE(1, 26);
  bmp.writeUInt16LE(24, 28);
  return bmp;
}

for (const type of ['media-matching', 'mobile-matching', 'brand-monitoring'] as const) {
  test(`${type}: a nearly identical picture is named on request, and the picture is added all the same`, async () => {
    const application_key = service.application(type);
    const add = async (image_id: string, image_content: Buffer, more: object = {}) => {
      const { grade, reasons } = await service.modify('AddImage', {
        application_key,
        image_id,
        image_content,
        ...more,
      });
      return { grade, reasons };
    };
    const [original, another] = [await photograph(1), await photograph(2)];
    const again = await sharp(original).jpeg({ quality: 40 }).toBuffer();
    const alone = { grade: 4, reasons: [] };
    assert.deepEqual(await add('one', original, { compare: 1 }), alone);
    assert.deepEqual(await add('two', another, { compare: 1 }), alone);
    assert.deepEqual(await add('three', again), alone);
    const { grade, reasons } = await add('four', again, { compare: 1 });
    assert.equal(grade, 3);
    assert.match(reasons.join('; '), /^nearly the same as (one|three)$/);
    const { nb_loaded_images } = await service.query('GetApplicationStatus', { application_key });
    assert.equal(nb_loaded_images, 4);
  });
}
