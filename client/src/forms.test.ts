import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { errorCodes } from './error-codes.generated.ts';
import { streamedEvents } from './event-stream.ts';
import { formOf } from './form.ts';
import { foundOf, nothing } from './images.ts';
import { collected } from './service.test.kit.ts';
import { Sosia } from './sosia.ts';
import { ConnectionError, SosiaError, type Connection } from './wire.ts';

const realFetch = globalThis.fetch;
let requests: string[];
let fields: object;
beforeEach(() => {
  requests = [];
  fields = {};
  globalThis.fetch = async (address, init) => {
    const entries = [...(init!.body as FormData)].filter(([name]) => name !== 'application_key');
    const texts = await Promise.all(
      entries.map(async ([name, value]) => `${name}=${typeof value === 'string' ? value : await value.text()}`),
    );
    requests.push([(address as string).split('/').at(-1), ...texts].join(' '));
    return Response.json({ status: { code: 0, message: '' }, ...fields });
  };
});
afterEach(() => void (globalThis.fetch = realFetch));

const connection: Connection = { modify: 'http://modify', query: 'http://query', key: 'k' };
const sosia = new Sosia(connection);
const bytes = new TextEncoder().encode('B');
const url = new URL('https://images.example/a.jpg');
const found = { images: [], nb_results_found: 0 };

test('a method sends what it was given, and nothing that was left out or refused', async () => {
  const off = { explain: false, similarity: false, fold: false, verdicts: false, ignored: false };
  const on = { explain: true, similarity: true, fold: true, verdicts: true, ignored: true };
  const page = { start: 0, count: 0 };
  const many = { keywords: ['a', 'b'], ids: ['1', '2'], where: ['x', 'y'] };
  const wireMany = 'keywords=a keywords=b ids_list=1;2 where=x where=y';
  const wireOn = 'explain=1 similarity=1 fold=1 verdicts=1 ignored=1';
  const calls: [call: () => Promise<unknown>, answer: object, sent: string][] = [
    [() => sosia.add('i', bytes), {}, 'AddImage image_id=i image_content=B'],
    [() => sosia.add('i', url, [], { compare: false }), {}, `AddImage image_id=i image_url=${url.href}`],
    [
      () => sosia.addDna('i', bytes, ['a', 'b'], { compare: true, metadata: { n: 0 } }),
      {},
      'AddImage image_id=i keywords=a keywords=b dna=B metadata={"n":0} compare=1',
    ],
    [() => sosia.setMetadata('i'), {}, 'SetMetadata image_id=i'],
    [() => sosia.setMetadata('i', {}), {}, 'SetMetadata image_id=i metadata={}'],
    [() => sosia.search(bytes), found, 'SearchImageByUpload image_content=B'],
    [() => sosia.search(bytes, off), found, 'SearchImageByUpload image_content=B'],
    [
      () => sosia.searchById('i', { ...many, ...on, ...page, colorWeight: 0 }),
      found,
      `SearchImageById ${wireMany} color_weight=0 explain=1 similarity=1 fold=1 starting_index=0 nb_results=0 verdicts=1 ignored=1 image_id=i`,
    ],
    [() => sosia.searchByDna(bytes, on), found, `SearchImageByDna ${wireOn} dna=B`],
    [() => sosia.searchByKeywords(['a'], {}), found, 'SearchImageByKeywords keywords=a'],
    [() => sosia.searchByColors(['f', '0'], off), found, 'SearchImageByColors colors=f colors=0'],
    [() => sosia.list(), found, 'ListImages'],
    [() => sosia.list({ order: 'latest', ...page }), found, 'ListImages starting_index=0 nb_results=0 order=latest'],
    [() => collected(sosia.images(many)), found, `ListImages ${wireMany} nb_results=1000`],
    [() => sosia.dnaOf(bytes), { dna: '' }, 'GetDnaByUpload image_content=B side=reference'],
    [() => sosia.dnaOf(url, 'query'), { dna: '' }, `GetDnaByUpload image_url=${url.href} side=query`],
    [() => sosia.pdq(url), { pdq: '', quality: 0 }, `GetPdq image_url=${url.href}`],
    [() => sosia.classify(bytes), {}, 'Filter query_image=B'],
    [() => sosia.classify(url), {}, `Filter image_url=${url.href}`],
    [() => sosia.review.start(), {}, 'StartReview'],
    [() => sosia.review.start({ again: true }), {}, 'StartReview again=1'],
    [() => sosia.review.groups(), {}, 'ListGroups'],
    [() => sosia.review.ignored(), { ignored: [] }, 'ListIgnored nb_results=1000'],
    [() => sosia.review.ignored({ dna: true }), { ignored: [] }, 'ListIgnored with_dna=1 nb_results=1000'],
    [() => sosia.review.ignore('i', { dna: bytes }), {}, 'AddIgnored image_id=i dna=B'],
    [() => sosia.review.ignore('i', { picture: bytes }), {}, 'AddIgnored image_id=i image_content=B'],
    [() => sosia.review.markWrong('i', { id: 'j' }), {}, 'MarkWrong image_id=i query_id=j'],
    [() => sosia.review.markWrong('i', { dna: bytes }), {}, 'MarkWrong image_id=i dna=B'],
    [() => sosia.review.matchCounts(), {}, 'ListMatchCounts'],
    [
      () => sosia.review.matchCounts({ ids: ['1', '2'], ...page }),
      {},
      'ListMatchCounts ids_list=1;2 starting_index=0 nb_results=0',
    ],
    [() => sosia.events.save('s', { id: 'i' }), {}, 'SaveSearch search_id=s query_id=i'],
    [
      () => sosia.events.save('s', { picture: bytes }, { keywords: [], existing: false, minSimilarity: 0 }),
      {},
      'SaveSearch search_id=s image_content=B min_similarity=0',
    ],
    [
      () =>
        sosia.events.save('s', { dna: bytes }, { keywords: ['a'], where: ['b>1'], existing: true, relation: 'copy' }),
      {},
      'SaveSearch search_id=s dna=B relation=copy keywords=a where=b>1 existing=1',
    ],
    [() => sosia.events.searches(), { saved_searches: [] }, 'ListSavedSearches nb_results=1000'],
    [() => sosia.hashes.save('l', bytes), {}, 'ImportHashes list_id=l hashes=B'],
    [() => sosia.hashes.lists(), { hash_lists: [] }, 'ListHashLists nb_results=1000'],
    [() => sosia.hashes.search({ id: 'i' }, {}), {}, 'SearchHashes image_id=i'],
    [() => sosia.events.after(), { events: [] }, 'ListEvents after=0 nb_results=1000'],
    [() => sosia.events.after(7, 2), { events: [] }, 'ListEvents after=7 nb_results=2'],
  ];
  for (const [call, answer, sent] of calls) {
    fields = answer;
    await call();
    assert.deepEqual(requests.splice(0), [sent]);
  }
});

test('a list of no ids needs no request, and finds nothing', async () => {
  const none = { ids: [] };
  const searches = [
    sosia.search(bytes, none),
    sosia.searchByDna(bytes, none),
    sosia.searchById('i', none),
    sosia.searchByKeywords(['a'], none),
    sosia.searchByColors(['f'], none),
    sosia.list(none),
  ];
  for (const each of await Promise.all(searches)) assert.deepEqual(each, nothing);
  assert.deepEqual([await collected(sosia.images(none)), await sosia.palette(none)], [[], []]);
  assert.deepEqual([nothing, requests], [{ total: 0, images: [] }, []]);
});

test('fields that an answer lacks are missing or have their default', async () => {
  const plain = { id: 'i', keywords: ['a'], score: 0.5, result_info: '' };
  const optional = {
    ...{ similarity: 0, ignored: true, origin: { source: 's', path: 'p' }, metadata: { n: 1 }, explanation: {} },
  } as const;
  const answer = (image: object, more = {}) => ({ images: [image], nb_results_found: 7, ...more }) as never;
  const shown = { id: 'i', keywords: ['a'], score: 0.5, resultInfo: null };
  assert.deepEqual(foundOf(answer(plain)), { total: 7, images: [shown] });
  assert.deepEqual(foundOf(answer({ ...plain, result_info: '{"a":1}' })).images[0]!.resultInfo, { a: 1 });
  assert.deepEqual(foundOf(answer({ ...plain, ...optional })).images, [{ ...shown, ...optional }]);
  for (const [name, value] of Object.entries(optional)) {
    assert.deepEqual(foundOf(answer({ ...plain, [name]: value })).images, [{ ...shown, [name]: value }], name);
  }
  assert.deepEqual(foundOf(answer({ ...plain, copies: [plain] })).images, [{ ...shown, copies: [shown] }]);
  const more = foundOf(answer(plain, { ignored: ['x'], why_not: { id: 'y' } }));
  assert.deepEqual(more, { total: 7, images: [shown], ignored: ['x'], whyNot: { id: 'y' } });

  assert.deepEqual(await sosia.add('i', bytes), { grade: null, reasons: [] });
  assert.equal(await sosia.damaged(), 0);
  fields = { nb_damaged_images: 3, application_db_status: 'read-only', grade: 0, reasons: ['r'] };
  assert.deepEqual([await sosia.damaged(), await sosia.writable()], [3, false]);
  assert.deepEqual(await sosia.add('i', bytes), { grade: 0, reasons: ['r'] });
  fields = { application_db_status: 'available' };
  assert.equal(await sosia.writable(), true);

  const pictures = { ref_image: btoa('r'), query_image: btoa('q') };
  fields = { score: 1, regions: [], homography: [1], ...pictures };
  const [reference, query] = [Uint8Array.of(114), Uint8Array.of(113)];
  const compared = { score: 1, regions: [], rimStrips: [], coarse: false, homography: [1], reference, query };
  assert.deepEqual(await sosia.compare(bytes, bytes), compared);
  fields = { ...fields, rim_strips: [{}], coarse: true };
  assert.deepEqual(await sosia.compare(bytes, bytes), { ...compared, rimStrips: [{}], coarse: true });

  fields = { colors: ['ff0000@0.5'], image_count: [3] };
  assert.deepEqual(await sosia.colorsOf(bytes), [{ rgb: 'ff0000', share: 0.5 }]);
  assert.deepEqual(await sosia.palette(), [{ rgb: 'ff0000@0.5', images: 3 }]);
  fields = {
    ignored: [
      { id: 'i', thumbnail: 't' },
      { id: 'j', dna: btoa('d') },
    ],
  };
  assert.deepEqual(await sosia.review.ignored(), [{ id: 'i' }, { id: 'j', dna: Uint8Array.of(100) }]);
});

test('lists longer than a page are fetched behind the last id, until a page is not full', async () => {
  const images = Array.from({ length: 1000 }, (_, i) => ({ id: `${i}`, keywords: [], score: 0, result_info: '' }));
  fields = { images, nb_results_found: 1001 };
  const list = sosia.images();
  for (let i = 0; i < 1000; i++) await list.next();
  fields = { images: images.slice(0, 999), nb_results_found: 1001 };
  assert.equal((await collected(list)).length, 999);
  assert.deepEqual(requests, ['ListImages nb_results=1000', 'ListImages nb_results=1000 after=999']);
});

test('verdicts on many groups are given a hundred at a time', async () => {
  fields = { verdicts: ['v'], removed: 2 };
  const groups = Array.from({ length: 201 }, (_, i) => `g${i}`);
  assert.deepEqual(await sosia.review.judge(groups, 'keep'), { verdicts: ['v', 'v', 'v'], removed: 6 });
  const sizes = requests.map((request) => /groups=(\S*)/.exec(request)![1]!.split(';').length);
  assert.deepEqual(sizes, [100, 100, 1]);
  assert.deepEqual(await sosia.review.judge([], 'keep'), { verdicts: [], removed: 0 });
  const stays = { image_id: 'a', message: 'changed' };
  fields = { verdicts: ['v'], removed: 2, files: { changed: 1, kept: [stays] } };
  const { files } = await sosia.review.judge(groups, 'keep', { files: 'trash' });
  assert.deepEqual(files, { changed: 3, kept: [stays, stays, stays] });
});

test('events are followed from the last one on; a service without streams gets the next request a second later', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    fields = { events: [{ id: 4 }, { id: 9 }] };
    const events = sosia.events.follow(3);
    assert.deepEqual([(await events.next()).value, (await events.next()).value], [{ id: 4 }, { id: 9 }]);
    fields = { events: [] };
    const next = events.next();
    const settled = async () => {
      for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
    };
    await settled();
    mock.timers.tick(999);
    await settled();
    const expected = ['after=3 nb_results=1000', 'after=9 nb_results=1000', 'after=9'];
    assert.deepEqual(
      requests,
      expected.map((values) => `ListEvents ${values}`),
    );
    fields = { events: [{ id: 10 }] };
    mock.timers.tick(1);
    assert.deepEqual((await next).value, { id: 10 });
    assert.equal(requests.at(-1), 'ListEvents after=9 nb_results=1000');
    await events.return(undefined);
  } finally {
    mock.timers.reset();
  }
});

test('events with pictures are fetched a hundred at a time, others a thousand', async () => {
  fields = { events: [{ id: 1 }] };
  assert.deepEqual(await collected(sosia.events.reviewed({ search: 's', pictures: true })), [{ id: 1 }]);
  assert.deepEqual(await collected(sosia.events.reviewed()), [{ id: 1 }]);
  assert.deepEqual(requests, ['ReviewEvents search_id=s pictures=1 nb_results=100', 'ReviewEvents nb_results=1000']);
});

test('a streamed event is whole, wherever the stream is cut', async () => {
  const event = { id: 1, image_id: 'ü/日本' };
  const stream = Buffer.from(`: beat\n\nid: 1\ndata: ${JSON.stringify(event)}\n\n`);
  for (let cut = 1; cut < stream.length; cut++) {
    globalThis.fetch = async () => new Response(ReadableStream.from([stream.subarray(0, cut), stream.subarray(cut)]));
    assert.deepEqual(await collected(streamedEvents(connection, 0)), [event]);
  }
});

test('a form repeats the name of a list, has files as files, and leaves out what is undefined', () => {
  const entries = [...formOf({ a: 0, b: '', c: undefined, d: [], e: ['x', 'y'], f: bytes, g: new Blob(['b']) })];
  const shown = entries.map(([name, value]) => `${name} ${typeof value === 'string' ? value : value.size}`);
  assert.deepEqual(shown, ['a 0', 'b ', 'e x', 'e y', 'f 1', 'g 1']);
});

test('an answer that is none of the service, and a lost connection, are errors of the connection that name the address', async () => {
  const answers: [answer: () => Response | never, message: RegExp][] = [
    [() => new Response('<html>'), /^no answer from http:\/\/q: the server uses another protocol$/],
    [() => Response.json({}), /another protocol/],
    [() => Response.json(null), /another protocol/],
    [() => Response.json({ status: { code: '0' } }), /another protocol/],
    [() => fetchFails({ code: 'ECONNREFUSED', message: 'x' }), /no server listens at this address/],
    [() => fetchFails({ code: 'ECONNRESET', message: 'read failed' }), /: read failed$/],
    [() => fetchFails({ code: 'UND_ERR', message: '' }), /: UND_ERR$/],
    [() => fetchFails({ message: '' }), /: the connection was lost$/],
    [() => fetchFails(undefined), /: fetch failed$/],
  ];
  const at = new Sosia({ ...connection, query: 'http://q//' });
  for (const [answer, message] of answers) {
    let requested = '';
    globalThis.fetch = async (address) => ((requested = address as string), answer());
    await assert.rejects(at.count(), (error) => error instanceof ConnectionError && message.test(error.message));
    assert.equal(requested, 'http://q/api/v2.0/enginequery/json/GetApplicationStatus');
  }
});

test('a refusal has the code, the status and the message; a busy service gets the request as often again as patience says', async () => {
  let attempts = 0;
  const code = errorCodes.OVERLOADED;
  let status = 503;
  globalThis.fetch = async () => (attempts++, Response.json({ status: { code, message: 'busy' } }, { status }));
  const patient = new Sosia({ ...connection, patience: { retries: 2, firstWait: 1 } });
  const refused = (http: number) => (error: unknown) =>
    error instanceof SosiaError && error.code === code && error.http === http && error.message === 'busy';
  await assert.rejects(patient.count(), refused(503));
  assert.equal(attempts, 3);
  status = 200;
  await assert.rejects(patient.count(), refused(200));
  assert.equal(attempts, 4);
});

test('a request that its signal ends rejects with the reason of the signal, also while it waits', async () => {
  const reason = new Error('given up');
  globalThis.fetch = async (_, init) => init!.signal!.throwIfAborted() as never;
  const ended = new Sosia({ ...connection, signal: AbortSignal.abort(reason) });
  await assert.rejects(ended.count(), reason);
  const end = new AbortController();
  globalThis.fetch = async () => {
    setImmediate(() => end.abort(reason));
    return Response.json({ status: { code: -1, message: '' } }, { status: 503 });
  };
  const waiting = new Sosia({ ...connection, signal: end.signal, patience: { retries: 1, firstWait: 60_000 } });
  await assert.rejects(waiting.count(), reason);
});

test('of pictures added and deleted after a lost answer, the lost request counts as the one that did it', async () => {
  const patient = new Sosia({ ...connection, patience: { retries: 1, firstWait: 1 } });
  const refuse = (name: keyof typeof errorCodes) =>
    Response.json({ status: { code: errorCodes[name], message: name } });
  const outcomes = async (...answers: (() => Response)[]) => {
    globalThis.fetch = async (address) => {
      const answer = answers[0]!;
      if (answers.length > 1) answers.shift();
      const isAdd = (address as string).endsWith('AddImage');
      return answer === exists ? refuse(isAdd ? 'IMAGE_EXISTS' : 'IMAGE_NOT_FOUND') : answer();
    };
    const left = [...answers];
    const [added] = await collected(patient.addAll([{ id: 'a', read: async () => ({ dna: bytes }) }]));
    answers.splice(0, answers.length, ...left);
    const [deleted] = await collected(patient.deleteAll(['a']));
    return [added!.outcome, deleted!.outcome, added!.error?.message, deleted!.error?.message];
  };
  const done = () => Response.json({ status: { code: 0, message: '' } });
  const lost = () => fetchFails({ message: 'lost' });
  const exists = () => done();
  assert.deepEqual(await outcomes(done), ['added', 'deleted', undefined, undefined]);
  assert.deepEqual(await outcomes(exists), ['exists', 'missing', undefined, undefined]);
  assert.deepEqual(await outcomes(lost, exists), ['added', 'deleted', undefined, undefined]);
  const failed = ['failed', 'failed'];
  assert.deepEqual((await outcomes(lost)).slice(0, 2), failed);
  assert.deepEqual(await outcomes(() => refuse('BAD_TEXT')), [...failed, 'BAD_TEXT', 'BAD_TEXT']);
});

function fetchFails(cause: object | undefined): never {
  throw Object.assign(new TypeError('fetch failed'), cause && { cause });
}
