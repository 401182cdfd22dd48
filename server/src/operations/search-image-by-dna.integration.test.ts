import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { errors } from '../errors.ts';
import type { Service } from '../service.test.kit.ts';
import { photograph, startService } from '../service.test.kit.ts';

let service: Service;
let key: string;
let dna: string;
before(async () => {
  service = await startService();
  key = service.application('media-matching');
  for (const [image_id, number] of [
    ['first', 1],
    ['second', 2],
  ] as const) {
    await service.modify('AddImage', { application_key: key, image_id, image_content: await photograph(number) });
  }
  dna = (await service.modify('GetDnaById', { application_key: key, image_id: 'first' })).dna.dna;
});
after(() => service.close());

const search = (values: object) => service.query('SearchImageByDna', { application_key: key, ...values });

test('a DNA finds the same pictures as its picture, as text and as bytes', async () => {
  const image_content = await photograph(1);
  const byUpload = await service.query('SearchImageByUpload', { application_key: key, image_content });
  assert.equal(byUpload.images[0].id, 'first');
  assert.deepEqual(await search({ dna }), byUpload);
  assert.deepEqual(await search({ dna: Buffer.from(dna, 'base64') }), byUpload);
});

test('a DNA that is damaged anywhere is refused', async () => {
  const bytes = Buffer.from(dna, 'base64');
  for (let i = 0; i < bytes.length; i += 97) {
    const damaged = Buffer.from(bytes);
    damaged[i]! ^= 1;
    const { status, images } = await search({ dna: damaged });
    assert.deepEqual([status.code, images], [errors.BAD_DNA.code, []], `byte ${i}`);
  }
  assert.equal((await search({ dna: bytes.subarray(0, -1) })).status.code, errors.BAD_DNA.code);
  assert.equal((await search({ dna: Buffer.concat([bytes, Buffer.alloc(1)]) })).status.code, errors.BAD_DNA.code);
});

test('text that is not canonical base64 is refused', async () => {
  for (const text of [`${dna}=`, `!${dna}`, dna.slice(1)])
    assert.equal((await search({ dna: text })).status.code, errors.BAD_DNA.code);
  assert.equal((await search({})).status.code, errors.MISSING_PARAMETER.code);
});
