import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { applicationTypes } from '@sosia/engine';
import type { ApplicationType } from '@sosia/engine';
import { errors } from '../errors.ts';
import type { Service, Values } from '../service.test.kit.ts';
import { photograph, startService } from '../service.test.kit.ts';
import { operations } from './operations.ts';

let service: Service;
let keys: Record<ApplicationType, string>;
let valid: Record<string, Values>;
before(async () => {
  service = await startService();
  keys = Object.fromEntries(applicationTypes.map((type) => [type, service.application(type)])) as typeof keys;
  const picture = await photograph(1);
  valid = {
    SearchImageByColors: { colors: ['ffffff@50', '000000'], keywords: ['a'] },
    GetImageColorsById: { image_id: 'a' },
    GetImageColorsByUpload: { image_content: picture },
    GetPalette: { nb_colors: 5, colors: ['ffffff'] },
    FineComparison: { reference_image: picture, query_image: picture },
    Filter: { query_image: picture },
    AddImage: { image_id: 'a', image_content: picture },
    SearchImageByUpload: { image_content: picture },
    SearchImageByDna: { dna: 'QUJD' },
    SearchImageById: { image_id: 'a' },
    SearchImageByKeywords: { keywords: ['a'] },
  };
});
after(() => service.close());

const NOT_APPLICABLE = errors.DOES_NOT_APPLY.code;
const codeOf = async (operation: string, type: ApplicationType, values = valid[operation]!) => {
  const { families } = operations.find(({ name }) => name === operation)!;
  return (await service.ask(families[0]!, operation, { application_key: keys[type], ...values })).status.code;
};

test('an operation that does not apply to the type of the application is refused with its own code', async () => {
  const only: Record<string, ApplicationType> = {
    SearchImageByColors: 'color-similarity',
    GetImageColorsById: 'color-similarity',
    GetImageColorsByUpload: 'color-similarity',
    GetPalette: 'color-similarity',
    FineComparison: 'media-matching',
    Filter: 'filter',
  };
  for (const [operation, itsType] of Object.entries(only)) {
    for (const type of applicationTypes.filter((each) => each !== itsType)) {
      assert.equal(await codeOf(operation, type), NOT_APPLICABLE, `${operation} on ${type}`);
    }
    assert.notEqual(await codeOf(operation, itsType), NOT_APPLICABLE, `${operation} on ${itsType}`);
  }
});

test('an application without references refuses every operation on them', async () => {
  const onReferences = operations.filter(({ name }) => /Image|Dna/.test(name) && !/Colors/.test(name));
  assert.ok(onReferences.length >= 9, `only ${onReferences.length} found`);
  for (const { name } of onReferences)
    assert.equal(await codeOf(name, 'filter', { image_id: 'a' }), NOT_APPLICABLE, name);
});

test('parameters are checked before the work of an operation begins', async () => {
  const faulty: [operation: string, type: ApplicationType, values: Values, code: number][] = [
    ['SearchImageByColors', 'color-similarity', {}, errors.MISSING_PARAMETER.code],
    ['SearchImageByColors', 'color-similarity', { colors: ['white'] }, errors.BAD_PARAMETER.code],
    ['GetImageColorsById', 'color-similarity', { image_id: 'a;b' }, errors.BAD_IMAGE_ID.code],
    ['GetImageColorsByUpload', 'color-similarity', {}, errors.MISSING_PARAMETER.code],
    ['GetPalette', 'color-similarity', { nb_colors: 0 }, errors.BAD_PARAMETER.code],
    ['FineComparison', 'media-matching', { query_image: Buffer.from('x') }, errors.MISSING_PARAMETER.code],
    ['Filter', 'filter', {}, errors.MISSING_PARAMETER.code],
  ];
  for (const [operation, type, values, code] of faulty) {
    assert.equal(await codeOf(operation, type, values), code, operation);
  }
});

test('both names of the files of FineComparison and of Filter are accepted', async () => {
  const picture = await photograph(1);
  const named = { ref_image: picture, query_image: picture };
  assert.notEqual(await codeOf('FineComparison', 'media-matching', named), errors.MISSING_PARAMETER.code);
  assert.notEqual(await codeOf('Filter', 'filter', { image_content: picture }), errors.MISSING_PARAMETER.code);
});

test('a key that is missing, unknown or of a disabled application gives the same bytes', async () => {
  const disabled = service.application('media-matching');
  service.store.update(service.store.list().at(-1)!.number, { enabled: false });
  for (const { name, families } of operations) {
    const port = families[0] === 'enginemodify' ? service.modifyPort : service.queryPort;
    const url = `http://127.0.0.1:${port}/api/v2.0/${families[0]}/json/${name}`;
    const bodies = [];
    for (const key of [undefined, '', 'nonsense', 'é', 'A'.repeat(32), disabled]) {
      const query = key === undefined ? '' : `?${new URLSearchParams({ application_key: key })}`;
      bodies.push(await (await fetch(url + query)).text());
    }
    assert.equal(new Set(bodies).size, 1, name);
    assert.equal(JSON.parse(bodies[0]!).status.code, errors.UNKNOWN_APPLICATION.code);
  }
});

test('a key that is enabled again works at once', async () => {
  const key = service.application('media-matching');
  const { number } = service.store.list().at(-1)!;
  const code = async () => (await service.query('GetApplicationStatus', { application_key: key })).status.code;
  assert.equal(await code(), 0);
  service.store.update(number, { enabled: false });
  assert.equal(await code(), errors.UNKNOWN_APPLICATION.code);
  service.store.update(number, { enabled: true });
  assert.equal(await code(), 0);
});
