import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { errorCodes } from './error-codes.generated.ts';
import { collected } from './service.test.kit.ts';
import { Sosia } from './sosia.ts';

const sosia = new Sosia({ modify: 'http://modify', query: 'http://query', key: 'k' });
const realFetch = globalThis.fetch;
let answers: Record<string, (form: FormData) => object>;
let [atOnce, most] = [0, 0];

beforeEach(() => {
  [atOnce, most] = [0, 0];
  globalThis.fetch = async (address, init) => {
    most = Math.max(most, ++atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    atOnce--;
    const operation = (address as string).split('/').at(-1)!;
    const fields = answers[operation]!(init!.body as FormData);
    if (fields instanceof Response) return fields;
    return Response.json({ status: { code: 0, message: '' }, ...fields });
  };
});
afterEach(() => void (globalThis.fetch = realFetch));

test('many pictures are added, deleted and fetched four at a time, unless said otherwise', async () => {
  const ids = Array.from({ length: 20 }, (_, i) => String(i));
  const images = ids.map((id) => ({ id, keywords: [], score: 0, result_info: '' }));
  answers = {
    AddImage: () => ({ grade: 4 }),
    DeleteImage: () => ({}),
    ListImages: () => ({ images, nb_results_found: 20 }),
    GetDnaById: () => ({ dna: { dna: 'AAAA' } }),
  };
  const items = ids.map((id) => ({ id, read: async () => ({ dna: new Uint8Array(1) }) }));
  for (const [parallel, expected] of [
    [undefined, 4],
    [2, 2],
  ] as const) {
    const options = parallel === undefined ? undefined : { parallel };
    for (const work of [
      () => collected(sosia.addAll(items, options)),
      () => collected(sosia.deleteAll(ids, options)),
      () => collected(sosia.imagesWithDna({}, options)),
    ]) {
      most = 0;
      assert.equal((await work()).length, 20);
      assert.equal(most, expected);
    }
  }
});

test('verdicts are fetched page by page, until a page is not full', async () => {
  const starts: string[] = [];
  const verdicts = Array.from({ length: 2_003 }, (_, id) => ({ id }));
  answers = {
    ListVerdicts: (form) => {
      starts.push(`${form.get('starting_index')}+${form.get('nb_results')}`);
      const start = Number(form.get('starting_index'));
      return { verdicts: verdicts.slice(start, start + Number(form.get('nb_results'))) };
    },
  };
  assert.deepEqual(await collected(sosia.review.verdicts()), verdicts);
  assert.deepEqual(starts, ['0+1000', '1000+1000', '2000+1000']);
});

test('a stream is sent again whole to a service that was busy', async () => {
  const sent: Promise<string>[] = [];
  const busy = Response.json({ status: { code: 49, message: 'busy' } }, { status: 503 });
  answers = {
    SearchImageByUpload: (form) => {
      sent.push((form.get('image_content') as File).text());
      return sent.length === 1 ? busy : { images: [], nb_results_found: 0 };
    },
  };
  const patient = new Sosia({ modify: '', query: '', key: 'k', patience: { retries: 1, firstWait: 1 } });
  await patient.search(new Blob(['picture']).stream());
  assert.deepEqual(await Promise.all(sent), ['picture', 'picture']);
});

test('the entries of a list are fetched ten thousand at a time, no further than there are some', async () => {
  const starts: unknown[] = [];
  let found = 0;
  answers = {
    ExportHashes: (form) => {
      starts.push(form.get('starting_index'), form.get('nb_results'), form.get('format'));
      return { nb_results_found: found, data: [{ id: starts.length }], text: 'x' };
    },
  };
  for (const [count, expected] of [
    [0, [0]],
    [10_000, [0]],
    [10_001, [0, 10_000]],
    [20_000, [0, 10_000]],
    [20_001, [0, 10_000, 20_000]],
  ] as const) {
    found = count;
    starts.length = 0;
    assert.equal((await collected(sosia.hashes.entries('l'))).length, expected.length);
    assert.deepEqual(
      starts,
      expected.flatMap((start) => [String(start), '10000', null]),
    );
    starts.length = 0;
    assert.deepEqual(await collected(sosia.hashes.text('l', 'csv')), Array(expected.length).fill('x'));
    assert.equal(starts[2], 'csv');
  }
});

test('a picture that is deleted while all are fetched with their DNA is left out, and another failure is one', async () => {
  const images = ['a', 'b', 'c'].map((id) => ({ id, keywords: [], score: 0, result_info: '' }));
  let refused = errorCodes.UNKNOWN_IMAGE as number;
  answers = {
    ListImages: () => ({ images, nb_results_found: 3 }),
    GetDnaById: (form) =>
      form.get('image_id') === 'b'
        ? Response.json({ status: { code: refused, message: 'refused' } })
        : { dna: { dna: 'AAAA' } },
  };
  const ids = async () => (await collected(sosia.imagesWithDna())).map(({ id }) => id);
  assert.deepEqual(await ids(), ['a', 'c']);
  refused = errorCodes.INTERNAL;
  await assert.rejects(ids(), { code: errorCodes.INTERNAL });
});
