import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { errors } from '../errors.ts';
import type { Service, Values } from '../service.test.kit.ts';
import { photograph, startService } from '../service.test.kit.ts';

let service: Service;
let key: string;
before(async () => {
  service = await startService();
  key = service.application('media-matching');
});
after(() => service.close());

test('the DNA is canonical base64, and adding it again gives the same DNA', async () => {
  await service.modify('AddImage', { application_key: key, image_id: 'a', image_content: await photograph(1) });
  const { status, dna } = await service.modify('GetDnaById', { application_key: key, image_id: 'a' });
  assert.equal(status.code, 0);
  assert.equal(dna.id, 'a');
  assert.equal(Buffer.from(dna.dna, 'base64').toString('base64'), dna.dna);

  await service.modify('AddImage', { application_key: key, image_id: 'b', dna: dna.dna });
  const again = await service.modify('GetDnaById', { application_key: key, image_id: 'b' });
  assert.equal(again.dna.dna, dna.dna);
});

test('the same picture has the same DNA in every application of a type', async () => {
  const other = service.application('media-matching');
  await service.modify('AddImage', { application_key: other, image_id: 'a', image_content: await photograph(1) });
  const [mine, theirs] = await Promise.all(
    [key, other].map((application_key) => service.modify('GetDnaById', { application_key, image_id: 'a' })),
  );
  assert.equal(mine.dna.dna, theirs.dna.dna);
});

test('the DNA of an uploaded picture is the stored one, or finds what the picture finds, and nothing is stored', async () => {
  const [own, image_content] = [service.application('media-matching'), await photograph(1)];
  const of = async (side?: string) =>
    (await service.query('GetDnaByUpload', { application_key: own, image_content, ...(side && { side }) })).dna;
  const { dna } = await service.modify('GetDnaById', { application_key: key, image_id: 'a' });
  assert.deepEqual([await of(), await of('reference')], [dna.dna, dna.dna]);
  const images = async (operation: string, values: Values) =>
    (await service.query(operation, { application_key: key, ...values })).images;
  const query = await of('query');
  assert.notEqual(query, dna.dna);
  assert.deepEqual(
    await images('SearchImageByDna', { dna: query }),
    await images('SearchImageByUpload', { image_content }),
  );
  assert.equal((await service.query('ListImages', { application_key: own })).nb_results_found, 0);
  const wrong = await service.query('GetDnaByUpload', { application_key: own, image_content, side: 'both' });
  assert.deepEqual([wrong.status.code, wrong.dna], [errors.BAD_PARAMETER.code, '']);
});

test('an unknown id gives -2601', async () => {
  const answer = await service.modify('GetDnaById', { application_key: key, image_id: 'nobody' });
  assert.deepEqual(answer, {
    status: { code: errors.UNKNOWN_IMAGE.code, message: 'Unknown image id: nobody' },
    dna: null,
  });
});
