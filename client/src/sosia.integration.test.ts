import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { errorCodes } from './error-codes.generated.ts';
import { SosiaError, Sosia } from './index.ts';
import { collected, photograph, startService } from './service.test.kit.ts';
import type { Service } from './service.test.kit.ts';

let service: Service;
let sosia: Sosia;
before(async () => {
  service = await startService();
  sosia = new Sosia(service.application('media-matching'));
});
after(() => service.close());

const idsOf = ({ images }: { images: readonly { id: string }[] }) => images.map(({ id }) => id);

test('an added picture is found, listed and counted, and is absent after its deletion', async () => {
  const picture = await photograph(1);
  assert.deepEqual(await sosia.add('été no', picture, ['mer', 'été']), { grade: 4, reasons: [] });
  assert.equal(await sosia.count(), 1);
  assert.equal(await sosia.writable(), true);

  const { total, images } = await sosia.search(picture, { keywords: ['été'], count: 5 });
  assert.equal(total, 1);
  assert.deepEqual([images[0]!.id, images[0]!.score, images[0]!.keywords], ['été no', 0, ['mer', 'été']]);
  const { resultInfo } = images[0]!;
  assert.equal(resultInfo?.category === 'LOCALMATCHING' && resultInfo.decision, 'Clone');
  assert.deepEqual((await sosia.searchByKeywords(['mer'])).images[0], await sosia.image('été no'));

  await sosia.delete('été no');
  assert.deepEqual(await sosia.search(picture), { total: 0, images: [] });
});

test('a picture may be bytes, a Blob, a File or a stream', async () => {
  const bytes = Uint8Array.from(await photograph(3));
  await sosia.add('blob', new Blob([bytes]));
  for (const picture of [bytes, new File([bytes], 'three.jpg'), new Blob([bytes]).stream()]) {
    const { images } = await sosia.search(picture);
    assert.deepEqual(
      images.map(({ id, score }) => [id, score]),
      [['blob', 0]],
    );
  }
  await sosia.delete('blob');
});

test('the DNA of a picture can be fetched and added', async () => {
  await sosia.add('a', await photograph(2));
  const dna = await sosia.dna('a');
  await sosia.addDna('b', dna);
  assert.deepEqual(await sosia.dna('b'), dna);
  assert.deepEqual(await sosia.dnaOf(await photograph(2)), dna);
  assert.deepEqual(idsOf(await sosia.searchByDna(await sosia.dnaOf(await photograph(2), 'query'))), ['a', 'b']);
  assert.deepEqual(idsOf(await sosia.searchByDna(dna)), ['a', 'b']);
  assert.deepEqual(idsOf(await sosia.searchById('b')), ['b', 'a']); // itself first
  assert.deepEqual(idsOf(await sosia.searchById('b', { start: 1 })), ['a']);
  assert.deepEqual(idsOf(await sosia.searchById('b', { ids: ['a', 'c'] })), ['a']);
});

test('all pictures are fetched with their DNA, in the order of their ids', async () => {
  const fetched = await collected(sosia.imagesWithDna({ ids: ['b', 'a', 'c'] }));
  assert.deepEqual(
    fetched.map(({ id }) => id),
    ['a', 'b'],
  );
  for (const { id, dna } of fetched) assert.deepEqual(dna, await sosia.dna(id));
});

test('a nearly identical picture is named on request', async () => {
  const { reasons } = await sosia.add('c', await photograph(2), [], { compare: true });
  assert.match(reasons.join(), /\b[ab]\b/);
  assert.deepEqual((await sosia.add('d', await photograph(2))).reasons, []);
  for (const id of ['c', 'd']) await sosia.delete(id);
});

test('an empty list of ids finds nothing, though the interface ignores an empty list', async () => {
  const dna = await sosia.dna('a');
  for (const found of [
    sosia.searchById('a', { ids: [] }),
    sosia.list({ ids: [] }),
    sosia.search(await photograph(2), { ids: [] }),
    sosia.searchByDna(dna, { ids: [] }),
    sosia.searchByKeywords(['k'], { ids: [] }),
    sosia.searchByColors(['fff'], { ids: [] }),
  ]) {
    assert.deepEqual(await found, { total: 0, images: [] });
  }
  assert.deepEqual(await collected(sosia.images({ ids: [] })), []);
});

test('a refusal carries the code of docs/errors.md', async () => {
  await assert.rejects(
    sosia.image('unknown.jpg'),
    (error: unknown) => error instanceof SosiaError && error.code === errorCodes.UNKNOWN_IMAGE,
  );
  await assert.rejects(sosia.delete('unknown.jpg'), {
    code: errorCodes.IMAGE_NOT_FOUND,
    http: 200,
    message: 'Image not found: unknown.jpg',
  });
});

test('explained results contain correspondences, and a single picture without a match has a reason', async () => {
  const [image] = (await sosia.searchById('a', { ids: ['b'], explain: true })).images;
  assert.equal(image!.explanation!.reason, '');
  assert.ok(image!.explanation!.correspondences.length > 20);
  const { total, whyNot } = await sosia.search(await photograph(5), { ids: ['a'], explain: true });
  assert.deepEqual([total, whyNot!.id], [0, 'a']);
  assert.notEqual(whyNot!.reason, '');
});

test('all pictures are listed by id, over more than one page, and many are deleted at once', async () => {
  const many = new Sosia(service.application('color-similarity'));
  await many.add('first', await photograph(1));
  const dna = await many.dna('first'); // short ids, for speed
  await many.delete('first');
  const ids = Array.from({ length: 1203 }, (_, i) => `p${String(i).padStart(4, '0')}`);
  const items = ids.map((id) => ({ id, keywords: id.endsWith('7') ? ['seven'] : [], read: async () => ({ dna }) }));
  for await (const { outcome } of many.addAll(items, { parallel: 16 })) assert.equal(outcome, 'added');

  assert.deepEqual(
    (await collected(many.images())).map(({ id }) => id),
    ids,
  );
  assert.equal((await collected(many.images({ keywords: ['seven'] }))).length, 120);
  assert.deepEqual(idsOf(await many.list({ start: 1200, count: 2 })), ['p1200', 'p1201']);

  const outcomes: Record<string, number> = {};
  for await (const { outcome } of many.deleteAll([...ids.slice(1163), 'unknown.jpg'])) {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  assert.deepEqual(outcomes, { deleted: 40, missing: 1 });
  assert.equal(await many.count(), 1163);
});

test('two pictures are compared: the marked pictures are JPEGs, and a picture has no difference from itself', async () => {
  const picture = await photograph(3);
  const { score, regions, reference, query } = await sosia.compare(picture, picture);
  assert.deepEqual([score, regions], [0, []]);
  for (const marked of [reference, query]) assert.deepEqual([...marked.subarray(0, 3)], [0xff, 0xd8, 0xff]);
});

test('a picture is compared with the thumbnail of a reference picture', async () => {
  const picture = await photograph(3);
  await sosia.add('stored', picture);
  const { coarse, regions } = await sosia.compare({ id: 'stored' }, picture);
  assert.deepEqual([coarse, regions], [true, []]);
  assert.equal((await sosia.compare(picture, picture)).coarse, false);
  await assert.rejects(sosia.compare(picture, { id: 'nobody' }), { code: errorCodes.UNKNOWN_IMAGE });
});

test('colours are searched, returned and counted', async () => {
  const colors = new Sosia(service.application('color-similarity'));
  await colors.add('red door', await photograph(2), ['door']);
  await colors.add('sea', await photograph(16));
  const [first] = await colors.colors('red door');
  assert.match(first!.rgb, /^[0-9a-f]{6}$/);
  assert.ok(first!.share > 10 && first!.share <= 100);
  assert.deepEqual(await colors.colorsOf(await photograph(2)), await colors.colors('red door'));
  assert.equal(idsOf(await colors.searchByColors([`${first!.rgb}@${first!.share}`]))[0], 'red door');
  const palette = await colors.palette({ keywords: ['door'], count: 2 });
  assert.equal(palette.length, 2);
  assert.deepEqual(
    palette.map(({ images }) => images),
    [1, 1],
  );
  assert.deepEqual(await colors.palette({ ids: [] }), []);
});

test('a picture is classified by the profiles of the application', async () => {
  const filter = new Sosia(service.application('filter', ['photograph', 'document']));
  const scores = await filter.classify(await photograph(4));
  assert.deepEqual(Object.keys(scores), ['photograph', 'document']);
  assert.ok(scores['photograph']! > 0 && scores['document']! < 0);
});
