import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { errors } from '../errors.ts';
import { photograph, startService } from '../service.test.kit.ts';
import type { Service } from '../service.test.kit.ts';

let service: Service;
let application_key: string;
before(async () => {
  service = await startService();
  application_key = service.application('media-matching');
  const image_content = await photograph(1);
  const add = (image_id: string, metadata: object) =>
    service.modify('AddImage', {
      application_key,
      image_id,
      image_content,
      keywords: ['k'],
      metadata: JSON.stringify(metadata),
    });
  await add('a', { year: 2020, by: { agency: 'AP' }, tags: ['sea', 'sky'], note: '2020' });
  await add('b', { year: 2024.5, by: { agency: 'dpa' } });
  await service.modify('AddImage', { application_key, image_id: 'c', image_content });
});
after(() => service.close());

const ids = ({ images }: any): string[] => images.map(({ id }: any) => id).sort();
const searched = async (...where: string[]) =>
  ids(await service.query('SearchImageByUpload', { application_key, image_content: await photograph(1), where }));

test('searches, lists and GetImageById return the metadata of a picture unchanged', async () => {
  const expected = { year: 2020, by: { agency: 'AP' }, tags: ['sea', 'sky'], note: '2020' };
  const { image } = await service.query('GetImageById', { application_key, image_id: 'a' });
  assert.deepEqual([image.metadata, image.keywords], [expected, ['k']]);
  for (const operation of ['SearchImageByUpload', 'ListImages', 'SearchImageByKeywords']) {
    const values = operation === 'SearchImageByUpload' ? { image_content: await photograph(1) } : { keywords: ['k'] };
    const { images } = await service.query(operation, { application_key, ...values });
    const [a, c] = ['a', 'c'].map((id) => images.find((each: any) => each.id === id));
    assert.deepEqual([a.metadata, a.keywords], [expected, ['k']], operation);
    if (c) assert.ok(!('metadata' in c));
  }
});

test('conditions filter searches and lists by equality, range and presence, also several at once', async () => {
  const cases: readonly (readonly [string[], string[]])[] = [
    [['year=2020'], ['a']],
    [['year="2020"'], []],
    [['note=2020'], []],
    [['note="2020"'], ['a']],
    [['year>=2020'], ['a', 'b']],
    [['year>2020'], ['b']],
    [['year < 2024.5'], ['a']],
    [
      ['year<=2024.5', 'year'],
      ['a', 'b'],
    ],
    [['by.agency=AP'], ['a']],
    [['by.agency>=B'], ['b']],
    [['tags=sky', 'tags=sea', 'year<2021'], ['a']],
    [['by'], ['a', 'b']],
    [['agency'], []],
  ];
  for (const [where, expected] of cases) {
    assert.deepEqual(await searched(...where), expected, where.join());
    assert.deepEqual(ids(await service.query('ListImages', { application_key, where })), expected, where.join());
  }
  assert.deepEqual(ids(await service.query('ListImages', { application_key, where: ['by'], ids_list: 'b;c' })), ['b']);
  assert.deepEqual(
    ids(await service.query('SearchImageById', { application_key, image_id: 'c', where: ['year>2020'] })),
    ['b'],
  );
});

test('a picture that is the query is first where it matches the conditions, whatever characters its metadata have', async () => {
  const set = (text: string) =>
    service.modify('SetMetadata', { application_key, image_id: 'c', metadata: JSON.stringify({ text }) });
  for (const text of ['～', '😀', '\u{10ffff}x', '\ue000', 'a']) {
    await set(text);
    const { images } = await service.query('SearchImageById', { application_key, image_id: 'c', where: ['text>=A'] });
    assert.deepEqual(ids({ images }), ['c'], text);
  }
  await service.modify('SetMetadata', { application_key, image_id: 'c' });
});

test('SetMetadata replaces and removes metadata; it leaves keywords as they are, and SetKeywords leaves metadata', async () => {
  const set = (values: object) => service.modify('SetMetadata', { application_key, image_id: 'b', ...values });
  const changed = await set({ metadata: '{"year": 1999}' });
  assert.deepEqual([changed.status.code, changed.metadata], [0, { year: 1999 }]);
  assert.deepEqual([await searched('year=1999'), await searched('by.agency=dpa')], [['b'], []]);
  await service.modify('SetKeywords', { application_key, image_id: 'b', keywords: ['other'] });
  const { image } = await service.query('GetImageById', { application_key, image_id: 'b' });
  assert.deepEqual([image.metadata, image.keywords], [{ year: 1999 }, ['other']]);
  await set({});
  assert.deepEqual(await searched('year=1999'), []);
  const without = await service.query('GetImageById', { application_key, image_id: 'b' });
  assert.deepEqual([without.image.metadata, without.image.keywords], [undefined, ['other']]);
});

test('invalid metadata and invalid conditions are refused, with the reason', async () => {
  const refused = async (metadata: string) => {
    const { status } = await service.modify('SetMetadata', { application_key, image_id: 'a', metadata });
    assert.equal(status.code, errors.BAD_PARAMETER.code, metadata);
    return status.message;
  };
  for (const text of ['{', '[]', '"a"', '1', 'null'])
    assert.match(await refused(text), /metadata: expected a JSON object/);
  assert.match(await refused(JSON.stringify({ a: 'x'.repeat(4096) })), /expected at most 4096 bytes/);
  assert.match(await refused(JSON.stringify({ a: Array(200).fill(0) })), /expected at most 100 values/);
  assert.match(await refused('{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":1}}}}}}}}}'), /at most 8 levels/);
  for (const number of ['1e999', '-1e999'])
    assert.match(await refused(`{"a": ${number}}`), /beyond the largest double/);
  assert.match(await refused('{"a": "\\ud800"}'), /lone surrogate/);
  for (const name of ['a=b', '', 'a\\n', 'a<']) await refused(`{"${name}": 1}`);
  assert.equal(
    (await service.modify('SetMetadata', { application_key, image_id: 'none' })).status.code,
    errors.UNKNOWN_IMAGE.code,
  );
  for (const where of ['=1', '>2', 'a>true', 'a<null', '\u0001'])
    assert.equal(
      (await service.query('ListImages', { application_key, where: [where] })).status.code,
      errors.BAD_PARAMETER.code,
      where,
    );
  const long = await service.query('ListImages', { application_key, where: [`a=${'x'.repeat(4096)}`] });
  assert.match(long.status.message, /where: expected at most 4096 bytes/);
  const many = Array.from({ length: 21 }, (_, i) => `a${i}`);
  assert.match(
    (await service.query('ListImages', { application_key, where: many })).status.message,
    /at most 20, got 21/,
  );
  assert.equal((await service.query('GetImageById', { application_key, image_id: 'a' })).image.metadata.year, 2020);
});
