import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { errorCodes } from '@sosia/client';
import type { Sosia } from '@sosia/client';
import { Failure } from '@sosia/server';
import { bodyOf, valueOf } from '@sosia/server/applications/records';
import { kinds } from '@sosia/server/review/stored';
import { askServer, formOf, photograph } from '@sosia/server/service.test.kit';
import type { Values } from '@sosia/server/service.test.kit';
import sharp from 'sharp';
import { sampleFile, sampleIds } from '../service/samples.ts';
import { createApplicationIn, sosia, startService } from '../service/service.ts';
import { startCluster, stopCluster } from './cluster.ts';
import { type ReviewServices, startOnCluster, startOnFolder } from './review-services.ts';
import { engineInstalled } from './engine.ts';

const missing = !engineInstalled() && 'OpenSearch is not installed: `npm run cluster -- install`';
const quick = { javaOptions: ['-XX:TieredStopAtLevel=1'], settings: { 'node.store.allow_mmap': 'true' } };
const folder = mkdtempSync(join(tmpdir(), 'sosia-review-'));
const run = promisify(execFile);

const backends = {
  'data folder': { skip: false, open: startOnFolder },
  cluster: {
    skip: missing,
    open: async () => startOnCluster(`${(await startCluster(folder, { ...quick, nodes: 1 }))[0]!.url}/review`),
  },
};
after(() => stopCluster(folder));

for (const [name, { skip, open }] of Object.entries(backends)) {
  describe(`review, ignore list and administration in a ${name}`, { skip }, () => suite(open));
}

test(
  'the comparison of a node that is killed is continued by another one',
  { skip: missing, timeout: 300_000 },
  async (t) => {
    const { url } = (await startCluster(folder, { ...quick, nodes: 1 }))[0]!;
    const flags = ['--cluster', `${url}/killed`, '--search-workers', '1'];
    const key = createApplicationIn(flags.slice(0, 2), 'media-matching');
    const services = await Promise.all([startService({ flags }), startService({ flags })]);
    t.after(() => Promise.all(services.map((service) => service.close())));
    const [first, second] = services.map((service) => service.client(key)) as [Sosia, Sosia];
    const ids = sampleIds(24);
    for (const id of ids) await first.add(id, sampleFile(id));
    await second.addDna('copy', await first.dna(ids[3]!));
    await first.review.start();
    while ((await second.review.progress()).compared === 0) await pause(20);
    await services[0].kill();
    assert.equal((await second.review.progress()).state, 'running');
    while ((await second.review.progress()).state === 'running') await pause(100);
    const { state, compared, pictures } = await second.review.progress();
    assert.deepEqual([state, compared, pictures], ['idle', 25, 25]);
    const { groups } = await second.review.groups();
    assert.deepEqual(
      groups.map(({ images }) => images.map(({ id }) => id)),
      [['copy', ids[3]]],
    );
  },
);

type Family = Parameters<typeof askServer>[1];

/** For requests that alternate between the nodes of a backend. */
function suite(open: () => Promise<ReviewServices>): void {
  let services: ReviewServices;
  let key: string;
  let filterKey: string;
  let small: (number: number) => Promise<Buffer>;

  /** @param node  of the two */
  const ask = (node: 0 | 1, family: Family, operation: string, values: Values = {}): Promise<any> =>
    askServer(services.nodes[node], family, operation, { application_key: key, ...values });
  const administer = (operation: string, values: Values = {}): Promise<any> =>
    ask(0, 'administration', operation, { application_key: services.administratorKey, ...values });
  const add = async (node: 0 | 1, image_id: string, image_content: Uint8Array): Promise<void> => {
    const { status } = await ask(node, 'enginemodify', 'AddImage', { image_id, image_content, keywords: ['k'] });
    assert.equal(status.code, 0, status.message);
  };
  const listed = async (node: 0 | 1, values: Values = {}): Promise<string[]> =>
    (await ask(node, 'enginequery', 'ListImages', values)).images.map(({ id }: { id: string }) => id);
  /** A review that has compared all pictures. */
  const compared = async (node: 0 | 1): Promise<any> => {
    for (;;) {
      const { review } = await ask(node, 'review', 'GetReview');
      if (review.state === 'idle') return review;
      await pause(50);
    }
  };
  const groups = async (node: 0 | 1, values: Values = {}): Promise<{ id: string; images: string[] }[]> => {
    const answer = await ask(node, 'review', 'ListGroups', values);
    assert.equal(answer.status.code, 0, answer.status.message);
    return answer.groups.map(({ id, images }: any) => ({ id, images: images.map((each: any) => each.id) }));
  };

  before(async () => {
    services = await open();
    const made = await administer('CreateApplication', { name: 'posters', type: 'media-matching' });
    key = made.secret;
    filterKey = (await administer('CreateApplication', { name: 'kinds', type: 'filter' })).secret;
    await pause(services.delay);
    small = async (number) =>
      sharp(await photograph(number))
        .resize(400)
        .jpeg()
        .toBuffer();
    for (const number of [1, 2, 3]) await add(number % 2 ? 0 : 1, `${number}.jpg`, await photograph(number));
    await add(0, '1 small.jpg', await small(1));
    await add(1, '2 small.jpg', await small(2));
  });
  after(() => services.close());

  test('the latest order is that of additions and changes through any node', async () => {
    assert.deepEqual(await listed(0, { order: 'latest' }), ['2 small.jpg', '1 small.jpg', '3.jpg', '2.jpg', '1.jpg']);
    const changed = { image_id: '2.jpg', keywords: ['k', 'changed'] };
    assert.equal((await ask(1, 'enginemodify', 'SetKeywords', changed)).status.code, 0);
    assert.deepEqual(await listed(0, { order: 'latest', nb_results: 2 }), ['2.jpg', '2 small.jpg']);
    assert.deepEqual(await listed(1, { order: 'latest', starting_index: 3 }), ['3.jpg', '1.jpg']);
    assert.deepEqual(await listed(1, { order: 'latest', keywords: ['changed'] }), ['2.jpg']);
    await ask(0, 'enginemodify', 'SetKeywords', { image_id: '2.jpg', keywords: ['k'] });
  });

  test('a review finds groups, which every node lists', async () => {
    assert.equal((await ask(0, 'review', 'StartReview')).review.state, 'running');
    const progress = await compared(1);
    assert.deepEqual([progress.compared, progress.pictures, progress.duplicates, progress.judged], [5, 5, 2, 0]);
    const expected = [
      ['1 small.jpg', '1.jpg'],
      ['2 small.jpg', '2.jpg'],
    ];
    for (const node of [0, 1] as const)
      assert.deepEqual(
        (await groups(node)).map(({ images }) => images),
        expected,
      );
    const { groups: found } = await ask(1, 'review', 'ListGroups');
    assert.deepEqual([found[0].keep, found[0].reason], ['1.jpg', 'it has most pixels']);
  });

  test('the comparison is incremental', async () => {
    await add(1, '3 small.jpg', await small(3));
    const { review } = await ask(0, 'review', 'GetReview');
    assert.deepEqual([review.state, review.compared, review.pictures], ['stopped', 5, 6]);
    await ask(1, 'review', 'StartReview');
    assert.equal((await compared(0)).duplicates, 3);
    assert.equal((await ask(1, 'enginemodify', 'DeleteImage', { image_id: '3 small.jpg' })).status.code, 0);
    assert.equal((await groups(0)).length, 2);
  });

  test('many verdicts at once remove the others, and are taken back through another node', async () => {
    const before = await ask(1, 'enginequery', 'ListImages');
    const dna = await ask(0, 'enginemodify', 'GetDnaById', { image_id: '1 small.jpg' });
    const all = (await groups(0)).map(({ id }) => id).join(';');
    const judged = await ask(0, 'review', 'Judge', { groups: all, verdict: 'keep' });
    assert.equal(judged.removed, 2, judged.status.message);
    assert.deepEqual(await listed(1), ['1.jpg', '2.jpg', '3.jpg']);
    assert.deepEqual(await groups(1), []);
    assert.equal(
      (await ask(1, 'review', 'Judge', { groups: all, verdict: 'keep' })).status.code,
      errorCodes.UNKNOWN_GROUP,
    );
    assert.equal((await ask(1, 'review', 'GetReview')).review.judged, 2);

    const undone = await ask(1, 'review', 'UndoVerdict', { verdicts: judged.verdicts.join(';') });
    assert.equal(undone.restored, 2);
    assert.deepEqual(await ask(0, 'enginequery', 'ListImages'), before);
    assert.deepEqual(await ask(0, 'enginemodify', 'GetDnaById', { image_id: '1 small.jpg' }), dna);
    assert.equal(
      (await ask(0, 'review', 'UndoVerdict', { verdicts: judged.verdicts[0] })).status.code,
      errorCodes.UNKNOWN_VERDICT,
    );
    await ask(0, 'review', 'StartReview');
    await compared(1);
    assert.equal((await groups(1)).length, 2);
  });

  test('of the same verdicts through two nodes at once, one counts', async () => {
    const all = (await groups(0)).map(({ id }) => id).join(';');
    const answers = await Promise.all(
      ([0, 1] as const).map((node) => ask(node, 'review', 'Judge', { groups: all, verdict: 'keep' })),
    );
    const codes = answers.map(({ status }) => status.code).sort((a, b) => a - b);
    assert.deepEqual(codes, [errorCodes.UNKNOWN_GROUP, 0]);
    assert.deepEqual(await listed(0), ['1.jpg', '2.jpg', '3.jpg']);
    const { verdicts } = answers.find(({ status }) => status.code === 0);
    assert.equal((await ask(0, 'review', 'UndoVerdict', { verdicts: verdicts.join(';') })).restored, 2);
    await ask(0, 'review', 'StartReview');
    await compared(0);
  });

  test('verdicts are respected by searches and later comparisons, exported and imported', async (t) => {
    const [first, second] = await groups(0);
    await ask(0, 'review', 'Judge', { groups: first!.id, verdict: 'later' });
    assert.deepEqual(await groups(1), [second]);
    assert.deepEqual(await groups(1, { state: 'later' }), [first]);
    const { verdicts } = await ask(1, 'review', 'Judge', { groups: first!.id, verdict: 'different' });
    await ask(0, 'review', 'StartReview', { again: 1 });
    await compared(1);
    assert.deepEqual(await groups(0), [second]);
    const found = async (node: 0 | 1, values: Values) =>
      (await ask(node, 'enginequery', 'SearchImageById', { image_id: '1.jpg', ...values })).images.length;
    assert.deepEqual([await found(0, {}), await found(0, { verdicts: 1 }), await found(1, { verdicts: 1 })], [2, 1, 1]);

    const { modifyPort, queryPort } = services.nodes[1];
    const at = (port: number) => `http://127.0.0.1:${port}`;
    const env = { ...process.env, SOSIA_KEY: key, SOSIA_MODIFY_URL: at(modifyPort), SOSIA_QUERY_URL: at(queryPort) };
    const file = join(mkdtempSync(join(tmpdir(), 'sosia-verdicts-')), 'verdicts');
    t.after(() => rmSync(join(file, '..'), { recursive: true }));
    const command = async (...words: string[]) =>
      JSON.parse((await run(process.execPath, [sosia, 'review', ...words, '--json'], { env })).stdout);
    assert.equal((await command('export', file)).verdicts, 1);
    assert.equal((await ask(0, 'review', 'UndoVerdict', { verdicts: verdicts[0] })).status.code, 0);
    assert.equal((await groups(1)).length, 2);
    assert.equal((await command('import', file)).verdicts, 1);
    assert.equal((await command('import', file)).verdicts, 0);
    assert.deepEqual(await groups(0), [second]);
  });

  test('the console shows events', async () => {
    const origin = `http://127.0.0.1:${services.nodes[0].modifyPort}`;
    const signedIn = await fetch(`${origin}/console/api/sign-in`, {
      method: 'POST',
      headers: { origin },
      body: formOf({ application_key: key }),
    });
    assert.equal(((await signedIn.json()) as any).session.application.events, true, 'the view of events');
  });

  test('a false match is reviewed', async () => {
    const { group } = await ask(0, 'review', 'MarkWrong', { image_id: '3.jpg', query_id: '1.jpg' });
    assert.deepEqual(await groups(1, { kind: 'wrong' }), [{ id: group, images: ['1.jpg', '3.jpg'] }]);
    await ask(1, 'review', 'Judge', { groups: group, verdict: 'ignore' });
    assert.deepEqual(await groups(0, { kind: 'wrong' }), []);
    const image_content = await small(1);
    const search = async (verdicts: number) => {
      const values = { image_content, ids_list: '1.jpg', verdicts };
      return (await ask(0, 'enginequery', 'SearchImageByUpload', values)).images.length;
    };
    const uploaded = await ask(1, 'review', 'MarkWrong', { image_id: '1.jpg', image_content });
    assert.deepEqual([await search(0), await search(1)], [1, 1]);
    await ask(0, 'review', 'Judge', { groups: uploaded.group, verdict: 'different' });
    assert.deepEqual([await search(0), await search(1)], [1, 0]);
  });

  test('what matches only by an ignored picture is no match on any node', async () => {
    const banner = await sharp(await photograph(22))
      .resize(260, 170, { fit: 'fill' })
      .jpeg({ quality: 90 })
      .toBuffer();
    const withBanner = async (number: number, left: number) =>
      sharp(await photograph(number))
        .composite([{ input: banner, left, top: left }])
        .jpeg({ quality: 90 })
        .toBuffer();
    await add(0, 'banner 5.jpg', await withBanner(5, 20));
    const image_content = await withBanner(6, 100);
    const found = async (node: 0 | 1, values: Values = {}) => {
      const answer = await ask(node, 'enginequery', 'SearchImageByUpload', { image_content, ...values });
      return [answer.images.map(({ id, ignored }: any) => (ignored ? `${id} ignored` : id)), answer.ignored];
    };
    assert.deepEqual(await found(1), [['banner 5.jpg'], undefined]);
    const { ignored } = await ask(0, 'review', 'AddIgnored', { image_id: 'banner', image_content: banner });
    assert.deepEqual([ignored.id, ignored.width], ['banner', 260]);
    assert.equal(
      (await ask(1, 'review', 'AddIgnored', { image_id: 'banner', image_content })).status.code,
      errorCodes.IMAGE_EXISTS,
    );
    assert.deepEqual(await found(0), [[], ['banner']]);
    await pause(services.delay);
    assert.deepEqual(await found(1), [[], ['banner']]);
    assert.deepEqual(await found(1, { ignored: 1 }), [['banner 5.jpg ignored'], ['banner']]);
    assert.equal((await ask(1, 'review', 'ListIgnored', { with_dna: 1 })).ignored[0].id, 'banner');

    assert.equal((await ask(1, 'review', 'DeleteIgnored', { image_id: 'banner' })).nb_ignored, 0);
    assert.equal(
      (await ask(0, 'review', 'DeleteIgnored', { image_id: 'banner' })).status.code,
      errorCodes.UNKNOWN_IGNORED,
    );
    await pause(services.delay);
    for (const node of [0, 1] as const) assert.deepEqual(await found(node), [['banner 5.jpg'], undefined]);
    assert.equal((await ask(1, 'review', 'AddIgnored', { image_id: 'banner', image_content: banner })).status.code, 0);
    await ask(0, 'enginemodify', 'DeleteImage', { image_id: 'banner 5.jpg' });
  });

  test('matches through all nodes are counted', async () => {
    const counts = async (node: 0 | 1) => {
      const { images } = await ask(node, 'review', 'ListMatchCounts', { ids_list: '3.jpg' });
      return images.map(({ id, found, clone }: any) => [id, found, clone]);
    };
    assert.deepEqual(await counts(0), []);
    const image_content = await photograph(3);
    for (const node of [0, 1, 1] as const) await ask(node, 'enginequery', 'SearchImageByUpload', { image_content });
    await counts(0);
    assert.deepEqual(await counts(1), [['3.jpg', 3, 3]]);
    assert.deepEqual(await counts(0), [['3.jpg', 3, 3]]);
  });

  test('all of it survives a restart, and a removal that was interrupted is completed', async () => {
    const verdicts = (await ask(0, 'review', 'ListVerdicts')).verdicts;
    assert.equal(verdicts.length, 3);
    const [group] = await groups(0);
    await add(1, '3 again.jpg', await small(3));
    await services.between(async (records) => {
      // as a kill between the commit of a verdict and the removals leaves it; and in a comparison
      const images = group!.images;
      const pending = { verdict: 'keep', kind: 'duplicates', images, kept: '2.jpg', at: '', who: '', pending: true };
      const [[number, [state]]] = [...(await records.ofAll([1, 2], 'review'))] as [[number, [any]]];
      const running = { ...valueOf<object>(state), running: true };
      await records.changeRecords(number, [
        { kind: 'verdict', id: '00000090', body: bodyOf(pending) },
        { kind: 'review', id: 'state', body: bodyOf(running) },
      ]);
    });
    const progress = await compared(0);
    assert.deepEqual([progress.compared, progress.duplicates], [5, 1]);
    assert.deepEqual(await listed(1), ['1 small.jpg', '1.jpg', '2.jpg', '3 again.jpg', '3.jpg']);
    assert.deepEqual(
      (await groups(1)).map(({ images }) => images),
      [['3 again.jpg', '3.jpg']],
    );
    assert.deepEqual((await ask(0, 'review', 'ListVerdicts')).verdicts.slice(1), verdicts);
    assert.equal((await ask(1, 'review', 'ListIgnored')).nb_results_found, 1);
    assert.equal((await ask(1, 'review', 'ListMatchCounts', { ids_list: '3.jpg' })).images[0].found, 3);
  });

  test('keys are made, rotated and revoked, and the log has every change', async () => {
    const made = await ask(0, 'administration', 'CreateKey', { name: 'shop', scopes: ['search'] });
    await pause(services.delay);
    const code = async (node: 0 | 1, application_key: string) =>
      (await ask(node, 'enginequery', 'ListImages', { application_key })).status.code;
    assert.equal(await code(1, made.secret), 0);
    const rotated = await ask(0, 'administration', 'RotateKey', { key: 'shop', grace: 0 });
    assert.equal(rotated.status.code, 0, rotated.status.message);
    await pause(services.delay);
    assert.deepEqual([await code(1, made.secret), await code(1, rotated.secret)], [errorCodes.KEY_EXPIRED, 0]);
    assert.equal((await ask(1, 'administration', 'RevokeKey', { key: 'shop' })).status.code, 0);
    await pause(services.delay);
    assert.equal(await code(0, rotated.secret), errorCodes.UNKNOWN_APPLICATION);
    const { entries } = await ask(1, 'administration', 'ListAudit', { nb_results: 100 });
    const whats = entries.map(({ what }: { what: string }) => what);
    for (const what of ['CreateKey', 'RotateKey', 'RevokeKey', 'Judge', 'AddIgnored', 'DeleteImage']) {
      assert.ok(whats.includes(what), `${what} among ${whats.join()}`);
    }
    assert.ok(!JSON.stringify(entries).includes(made.secret));
  });

  test('a profile is trained over HTTP, and classifies on every node', async () => {
    const example = (fits: boolean, number: number): Promise<Buffer> => {
      const bars = Array.from({ length: 9 }, (_, i) => `<rect x="${i * 40}" width="${12 + number}" height="320"/>`);
      const disc = `<circle cx="${120 + 8 * number}" cy="160" r="${60 + 4 * number}" fill="#c42"/>`;
      const ground = '<rect width="320" height="320" fill="#dde"/>';
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="320">${ground}${fits ? bars.join('') : disc}</svg>`;
      return sharp(Buffer.from(svg)).jpeg().toBuffer();
    };
    for (let i = 0; i < 20; i++) {
      const image_content = await example(i % 2 === 0, i >> 1);
      const added = await administer('AddExample', { profile: 'stripes', fits: 1 - (i % 2), image_content });
      assert.equal(added.status.code, 0, added.status.message);
    }
    assert.equal((await administer('TrainProfile', { profile: 'stripes' })).profile.state, 'training');
    for (;;) {
      const { profile } = await administer('GetProfile', { profile: 'stripes' });
      if (profile.state === 'ready') break;
      assert.equal(profile.state, 'training', profile.fault);
      await pause(50);
    }
    const set = await administer('SetApplication', { application: 'kinds', profiles: ['stripes'] });
    assert.deepEqual(set.application.profiles, ['stripes']);
    await pause(services.delay);
    const query_image = await example(true, 3);
    const scores = await Promise.all(
      ([0, 1] as const).map((node) => ask(node, 'enginequery', 'Filter', { application_key: filterKey, query_image })),
    );
    assert.ok(scores[0].scores.stripes > 0, JSON.stringify(scores[0]));
    assert.deepEqual(scores[0].scores, scores[1].scores);
    await administer('SetApplication', { application: 'kinds', profiles: ['photograph'] });
    assert.equal((await administer('DeleteProfile', { profile: 'stripes' })).status.code, 0);
  });

  test('an emptied application keeps verdicts and ignore list, a deleted one leaves no records', async () => {
    const emptied = await administer('EmptyApplication', { application: 'posters', confirm: 'posters' });
    assert.equal(emptied.application.nb_images, 0, emptied.status.message);
    await pause(services.delay);
    assert.equal((await ask(1, 'review', 'GetReview')).review.pictures, 0);
    assert.equal((await ask(1, 'review', 'ListVerdicts')).nb_results_found, 4);
    assert.equal((await ask(0, 'review', 'ListIgnored')).nb_results_found, 1);
    await add(0, '7.jpg', await photograph(7));
    await add(1, '7 small.jpg', await small(7));
    await ask(1, 'review', 'StartReview');
    const progress = await compared(0);
    assert.deepEqual([progress.compared, progress.duplicates], [2, 1]);
    const deleted = await administer('DeleteApplication', { application: 'posters', confirm: 'posters' });
    assert.equal(deleted.status.code, 0, deleted.status.message);
    await pause(services.delay);
    const left = async (): Promise<number> => {
      let count = 0;
      await services.between(async (records) => {
        for (const kind of Object.values(kinds)) count += (await records.ofAll([1, 2, 3], kind)).size;
      });
      return count;
    };
    while ((await left()) > 0); // removed in the background
  });

  test('records are changed in order, conditionally, and by functions of themselves', async () => {
    await services.between(async (records) => {
      const body = (value: number) => bodyOf({ value });
      const values = async (kind: string) =>
        (await records.records(77, kind)).map((record) => [record.id, valueOf<{ value: number }>(record).value]);
      const { at } = await records.changed(77, ['a', 'b']);
      await records.changeRecords(77, [
        { kind: 'a', id: 'z', body: body(1) },
        { kind: 'a', id: 'b ü😀', body: body(2), expected: 0 },
        { kind: 'b', id: 'z', body: body(3) },
      ]);
      assert.deepEqual(await values('a'), [
        ['b ü😀', 2],
        ['z', 1],
      ]);
      const fails = (change: Parameters<typeof records.changeRecords>[1][number]) =>
        assert.rejects(
          records.changeRecords(77, [change]),
          (cause) => cause instanceof Failure && cause.error === 'CONFLICT',
        );
      await fails({ kind: 'a', id: 'z', body: body(9), expected: 0 });
      const { version } = (await records.record(77, 'a', 'z'))!;
      await records.changeRecords(77, [{ kind: 'a', id: 'z', body: body(4), expected: version }]);
      await fails({ kind: 'a', id: 'z', body: body(9), expected: version });
      await records.changeRecords(77, [{ kind: 'a', id: 'z', body: null }]);
      assert.equal(await records.record(77, 'a', 'z'), undefined);
      await records.changeRecords(77, [{ kind: 'a', id: 'z', body: body(5), expected: 0 }]);
      await records.changeRecords(77, [{ kind: 'b', id: 'z', body: null }]);
      if (records.shared) {
        const { changes } = await records.changed(77, ['a', 'b'], at);
        assert.deepEqual(
          changes.map(({ kind, id, body }) => [kind, id, body === null]),
          [
            ['a', 'b ü😀', false],
            ['a', 'z', false],
            ['b', 'z', true],
          ],
        );
      }
      const increase = (id: string, known: Uint8Array | undefined) =>
        id === 'left'
          ? undefined
          : body(known ? 1 + valueOf<{ value: number }>({ id, version: 1, body: known }).value : 1);
      for (let i = 0; i < 3; i++) await records.update(77, 'a', ['new', 'z', 'left'], increase);
      assert.deepEqual(await values('a'), [
        ['b ü😀', 2],
        ['new', 3],
        ['z', 8],
      ]);
      assert.deepEqual([...(await records.ofAll([1, 77], 'a')).keys()], [77]);
    });
  });
}
