import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { errors } from '../errors.ts';
import type { Service } from '../service.test.kit.ts';
import { photograph, startService } from '../service.test.kit.ts';

// Additions, deletions and every kind of lookup, in any order, compared with a Map: two applications with the same
// strange ids.
let service: Service;
let dna: string;
before(async () => {
  service = await startService();
  const application_key = service.application('media-matching');
  await service.modify('AddImage', { application_key, image_id: 'a', image_content: await photograph(1) });
  dna = (await service.modify('GetDnaById', { application_key, image_id: 'a' })).dna.dna;
});
after(() => service.close());

const ids = [
  'a',
  'A',
  '__proto__',
  'constructor',
  '../a',
  'a/b',
  '%41',
  '%',
  '+',
  ' ',
  'a&b=c',
  '🙂',
  '\u00e9',
  '\ufffd',
  '\ufeffa',
];
const strange = ['', 'e\u0301', 'a;b', 'a\0', '\u0085', 'x'.repeat(256)];
const id = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...ids) }, fc.constantFrom(...strange));
const step = fc.record({
  action: fc.constantFrom('add', 'add', 'delete', 'look'),
  id,
  of: fc.constantFrom(0, 1),
  keywords: fc.subarray(['k', 'l', '🙂', 'constructor']),
});

test('after any additions and deletions, every operation agrees on the pictures', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
      const keys = [0, 1].map(() => service.application('media-matching'));
      const models = [new Map<string, string[]>(), new Map<string, string[]>()];
      for (const { action, id, of, keywords } of steps) {
        const [application_key, model] = [keys[of]!, models[of]!];
        const image = { application_key, image_id: id };
        const known = model.has(id);
        if (action === 'add') {
          const { status } = await service.modify('AddImage', { ...image, dna, keywords });
          assert.equal(status.code, refusal(id) ?? (known ? errors.IMAGE_EXISTS.code : 0));
          if (status.code === 0) model.set(id, keywords);
        } else if (action === 'delete') {
          const { status } = await service.modify('DeleteImage', image);
          assert.equal(status.code, refusal(id) ?? (known ? 0 : errors.IMAGE_NOT_FOUND.code));
          model.delete(id);
        } else {
          const answer = await service.query('GetImageById', image);
          assert.equal(answer.status.code, refusal(id) ?? (known ? 0 : errors.UNKNOWN_IMAGE.code));
          assert.deepEqual(answer.image?.keywords, model.get(id));
        }
      }
      for (const [i, model] of models.entries()) await assertHolds(keys[i]!, model);
    }),
    { numRuns: 8 },
  );
});

/** The code with which every operation refuses the id; undefined for an id that is allowed. */
function refusal(id: string): number | undefined {
  if (id === '') return errors.MISSING_PARAMETER.code;
  return strange.includes(id) ? errors.BAD_IMAGE_ID.code : undefined;
}

async function assertHolds(application_key: string, model: Map<string, string[]>): Promise<void> {
  const { nb_loaded_images } = await service.query('GetApplicationStatus', { application_key });
  assert.equal(nb_loaded_images, model.size);

  const inOrder = (wanted: (keywords: string[]) => boolean) =>
    [...model.keys()]
      .filter((each) => wanted(model.get(each)!))
      .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const found = async (operation: string, values: object) => {
    const { images, nb_results_found } = await service.query(operation, {
      application_key,
      nb_results: 1000,
      ...values,
    });
    assert.equal(nb_results_found, images.length);
    return images.map((image: { id: string }) => image.id);
  };
  assert.deepEqual(
    await found('SearchImageByDna', { dna }),
    inOrder(() => true),
  );
  for (const keywords of [['k'], ['🙂', 'constructor']]) {
    const expected = inOrder((has) => keywords.every((keyword) => has.includes(keyword)));
    assert.deepEqual(await found('SearchImageByDna', { dna, keywords }), expected);
    assert.deepEqual(await found('SearchImageByKeywords', { keywords }), expected);
  }
  assert.deepEqual(
    await found('SearchImageByDna', { dna, ids_list: 'a;🙂;nobody' }),
    inOrder(() => true).filter((each) => each === 'a' || each === '🙂'),
  );
}
