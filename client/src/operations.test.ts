import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { operations } from '@sosia/server';
import { review } from '@sosia/server/review/operations';
import { errorCodes } from './error-codes.generated.ts';
import { collected } from './service.test.kit.ts';
import { Sosia } from './sosia.ts';

/** The names sent: `Operation parameter`, and `Operation` itself. */
const sent = new Set<string>();
const realFetch = globalThis.fetch;
before(() => {
  globalThis.fetch = async (address, init) => {
    const operation = (address as string).split('/').at(-1)!;
    sent.add(operation);
    const form = init!.body as FormData;
    for (const name of form.keys()) sent.add(`${operation} ${name}`);
    if (operation === 'ReviewEvents' && !form.has('before')) return eventPage();
    if (operation === 'ListImages' && !form.has('starting_index') && !form.has('after')) return fullPage();
    return Response.json({ status: { code: errorCodes.UNKNOWN_APPLICATION, message: 'not expected' } });
  };
});
after(() => (globalThis.fetch = realFetch));

function eventPage(): Response {
  return Response.json({ status: { code: 0 }, nb_unread: 0, events: [], next: 7 });
}

/** The second page of a list is requested if the first one is full. */
function fullPage(): Response {
  const image = { id: 'a', keywords: [], score: 0, result_info: '' };
  return Response.json({ status: { code: 0 }, nb_results_found: 1001, images: new Array(1000).fill(image) });
}

test('the methods of the SDK send every operation of the table, with every parameter', async () => {
  const sosia = new Sosia({ modify: 'http://modify', query: 'http://query', key: 'k' });
  const bytes = new Uint8Array(1);
  const url = new URL('https://images.example/a.jpg');
  const narrowing = { keywords: ['a'], ids: ['b'], where: ['year>=2020'] };
  const page = { start: 1, count: 2 };
  const options = {
    ...narrowing,
    ...page,
    colorWeight: 3,
    explain: true,
    similarity: true,
    fold: true,
    verdicts: true,
    ignored: true,
  };
  const calls = [
    sosia.add('a', bytes, ['k'], { compare: true, metadata: { year: 2026 } }),
    sosia.add('a', url),
    sosia.addDna('a', bytes),
    sosia.delete('a', { files: 'trash' }),
    sosia.setKeywords('a', ['k']),
    sosia.setMetadata('a', { year: 2026 }),
    sosia.image('a'),
    sosia.list({ order: 'latest', ...narrowing, ...page }),
    collected(sosia.images(narrowing)),
    sosia.dna('a'),
    sosia.search(bytes, options),
    sosia.search(url),
    sosia.searchByDna(bytes, options),
    sosia.searchById('a', options),
    sosia.searchByKeywords(['a'], { ids: ['b'], where: ['year'], ...page }),
    sosia.searchByColors(['fff'], { ...narrowing, ...page, similarity: true, fold: true }),
    sosia.colors('a'),
    sosia.colorsOf(bytes),
    sosia.colorsOf(url),
    sosia.dnaOf(bytes),
    sosia.dnaOf(url, 'query'),
    sosia.pdq(bytes),
    sosia.pdq(url),
    sosia.palette({ ...narrowing, colors: ['fff'], count: 1 }),
    sosia.compare(bytes, bytes),
    sosia.compare({ id: 'a' }, { id: 'b' }),
    sosia.compare(url, url),
    sosia.classify(bytes),
    sosia.classify(url),
    sosia.count(),
    sosia.review.start({ again: true }),
    sosia.review.stop(),
    sosia.review.progress(),
    sosia.review.groups({ kind: 'wrong', state: 'later', bulk: 'clones', minSimilarity: 1, contains: 'a', ...page }),
    sosia.review.judge(['a'], 'keep', { keep: 'b', files: 'trash' }),
    sosia.review.undo(['1']),
    collected(sosia.review.verdicts({ verdict: 'keep', contains: 'a' })),
    sosia.review.importVerdicts([]),
    sosia.review.markWrong('a', { id: 'b' }),
    sosia.review.markWrong('a', { picture: bytes }),
    sosia.review.markWrong('a', { picture: url }),
    sosia.review.markWrong('a', { dna: bytes }),
    sosia.review.ignore('a', { picture: bytes }),
    sosia.review.ignore('a', { picture: url }),
    sosia.review.ignore('a', { dna: bytes }),
    sosia.review.stopIgnoring('a'),
    sosia.review.ignored({ dna: true }),
    sosia.events.save('a', { id: 'b' }, { decision: 'Clone', minSimilarity: 1, keywords: ['a'], existing: true }),
    sosia.events.save('a', { picture: bytes }, { relation: 'part', where: ['a'] }),
    sosia.events.save('a', { picture: url }),
    sosia.events.save('a', { dna: bytes }),
    sosia.events.save('a', { key: 'k' }),
    sosia.events.searches(page),
    sosia.events.delete('a'),
    collected(sosia.events.follow(1)),
    collected(sosia.events.reviewed({ search: 'a', decision: 'Clone', relation: 'part', state: 'open' })),
    collected(sosia.events.reviewed({ since: '2026-11-01', until: '2026-12-01', pictures: true })),
    sosia.events.markRead(1, { older: true }),
    sosia.events.judge(1, 'same'),
    sosia.hashes.save('a', bytes, { distance: 1 }),
    sosia.hashes.lists(page),
    collected(sosia.hashes.text('a', 'csv')),
    sosia.hashes.search({ pdq: 'a' }, { list: 'a', distance: 1, count: 2 }),
    sosia.hashes.search({ id: 'a' }),
    sosia.hashes.search({ picture: bytes }),
    sosia.hashes.search({ picture: url }),
    sosia.hashes.delete('a'),
    sosia.webhooks.add('a', url.href, { after: 1 }),
    sosia.webhooks.list(page),
    sosia.webhooks.rotate('a'),
    sosia.webhooks.resume('a'),
    sosia.webhooks.delete('a'),
    sosia.review.matchCounts({ ids: ['a'], order: 'last', ...page }),
  ];
  for (const call of calls) await assert.rejects(call, { name: 'SosiaError', code: errorCodes.UNKNOWN_APPLICATION });

  const all = [...operations, ...review];
  const table = all.flatMap(({ name, parameters }) => [
    name,
    ...Object.keys(parameters.properties).map((each) => `${name} ${each}`),
  ]);
  assert.deepEqual(
    table.filter((each) => !sent.has(each)),
    ['ListVerdicts thumbnails', 'ListIgnored thumbnails', 'ListIgnored starting_index', 'ListSavedSearches thumbnails'],
  );
  const known = new Set([...table, ...all.map(({ name }) => `${name} application_key`)]);
  assert.deepEqual(
    [...sent].filter((each) => !known.has(each)),
    [],
  );
});
