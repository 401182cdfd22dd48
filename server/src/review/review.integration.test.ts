import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Family } from '@sosia/contract';
import sharp from 'sharp';
import { bodyOf } from '../applications/records.ts';
import { errors } from '../errors.ts';
import { createApplication } from '../applications/create.ts';
import type { RunningServer } from '../main.ts';
import { askServer, photograph, startServerOn } from '../service.test.kit.ts';
import type { Values } from '../service.test.kit.ts';
import { openApplicationStore } from '../store/application-store.ts';
import { openImageStore } from '../store/image-store.ts';
import { restore } from '../store/restore.ts';
import { snapshot } from '../store/snapshot.ts';

const home = mkdtempSync(join(tmpdir(), 'sosia-review-'));
let folder = join(home, 'data');
let server: RunningServer;
let key: string;

async function start(): Promise<void> {
  server = await startServerOn(folder);
}

before(async () => {
  await start();
  const store = openApplicationStore(folder);
  key = createApplication(store, { type: 'media-matching', name: 'posters' }).key;
  store.close();
  for (const number of [1, 2, 3]) await add(`${number}.jpg`, await photograph(number));
  const small = (number: number) => photograph(number).then((bytes) => sharp(bytes).resize(400).jpeg().toBuffer());
  await add('1 small.jpg', await small(1));
  await add('2 small.jpg', await small(2));
});
after(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

const ask = (family: Family, operation: string, values: Values = {}): Promise<any> =>
  askServer(server, family, operation, { application_key: key, ...values });
const review = (operation: string, values?: Values) => ask('review', operation, values);

async function add(image_id: string, image_content: Uint8Array): Promise<void> {
  const { status } = await ask('enginemodify', 'AddImage', { image_id, image_content, keywords: ['k'] });
  assert.equal(status.code, 0);
}

async function compared(): Promise<any> {
  await review('StartReview');
  for (;;) {
    const { review: progress } = await review('GetReview');
    if (progress.state !== 'running') return progress;
    await pause(20);
  }
}

async function groups(values: Values = {}): Promise<{ id: string; images: string[]; keep: string }[]> {
  const answer = await review('ListGroups', values);
  assert.equal(answer.status.code, 0, answer.status.message);
  return answer.groups.map(({ id, images, keep }: any) => ({ id, keep, images: images.map((each: any) => each.id) }));
}

const ids = async (): Promise<string[]> =>
  (await ask('enginequery', 'ListImages')).images.map(({ id }: { id: string }) => id);

test('copies are found in groups, with what is known of each picture and a proposal', async () => {
  const progress = await compared();
  assert.deepEqual(
    [progress.state, progress.compared, progress.pictures, progress.duplicates, progress.judged],
    ['idle', 5, 5, 2, 0],
  );
  const { groups: found } = await review('ListGroups');
  const [first] = found;
  assert.deepEqual(
    [first.keep, first.reason, first.kind, first.state],
    ['1.jpg', 'it has most pixels', 'duplicates', 'open'],
  );
  const [small, large] = first.images;
  assert.deepEqual([small.id, large.id, small.width, large.keywords], ['1 small.jpg', '1.jpg', 400, ['k']]);
  assert.ok(large.width > 400 && large.bytes > small.bytes && large.grade >= 3 && Date.parse(large.added) > 0);
  assert.deepEqual([large.decision, large.relation], ['Clone', 'copy']);
});

test('groups are listed by what may be judged together, by similarity and by a text', async () => {
  const of = async (values: Values) => (await groups(values)).map(({ keep }) => keep);
  const both = ['1.jpg', '2.jpg'];
  assert.deepEqual(await of({ bulk: 'clones' }), both);
  assert.deepEqual(await of({ bulk: 'matches' }), both);
  assert.deepEqual(await of({ bulk: 'clones', starting_index: 1, nb_results: 1 }), ['2.jpg']);
  assert.deepEqual(await of({ min_similarity: 50 }), both);
  assert.deepEqual(await of({ min_similarity: 100 }), []);
  assert.deepEqual(
    [await of({ contains: '2 SM' }), await of({ contains: 'K' }), await of({ contains: 'x' })],
    [['2.jpg'], both, []],
  );
  assert.equal((await review('ListGroups', { bulk: 'all' })).status.code, errors.BAD_PARAMETER.code);
});

test('another picture with the id of a removed one leaves its group', async () => {
  const replace = async (number: number): Promise<string[][]> => {
    await ask('enginemodify', 'DeleteImage', { image_id: '2 small.jpg' });
    const resized = sharp(await photograph(number)).resize(400);
    await add('2 small.jpg', await resized.jpeg().toBuffer());
    await compared();
    return (await groups()).map(({ images }) => images);
  };
  const first = ['1 small.jpg', '1.jpg'];
  assert.deepEqual(await replace(4), [first]);
  assert.deepEqual(await replace(2), [first, ['2 small.jpg', '2.jpg']]);
});

test('a verdict removes the others and is taken back; the pictures are as before', async () => {
  const before = await ask('enginequery', 'ListImages');
  const dna = await ask('enginemodify', 'GetDnaById', { image_id: '1 small.jpg' });
  const [group] = await groups();
  const judged = await review('Judge', { groups: group!.id, verdict: 'keep' });
  assert.equal(judged.removed, 1);
  assert.deepEqual(await ids(), ['1.jpg', '2 small.jpg', '2.jpg', '3.jpg']);
  assert.equal((await groups()).length, 1);
  assert.equal((await review('Judge', { groups: group!.id, verdict: 'keep' })).status.code, errors.UNKNOWN_GROUP.code);

  const listed = async (values: Values = {}) => (await review('ListVerdicts', values)).verdicts;
  const [decided] = await listed({ thumbnails: 1, verdict: 'keep', contains: 'SMALL' });
  assert.deepEqual([decided.kept, decided.removed.length, decided.removed[0].id], ['1.jpg', 1, '1 small.jpg']);
  assert.equal((await sharp(Buffer.from(decided.removed[0].thumbnail, 'base64')).metadata()).format, 'jpeg');
  assert.deepEqual([await listed({ verdict: 'later' }), await listed({ contains: '3' })], [[], []]);
  assert.ok(!('removed' in (await listed())[0]));

  const undone = await review('UndoVerdict', { verdicts: judged.verdicts.join(';') });
  assert.equal(undone.restored, 1);
  assert.deepEqual(await ask('enginequery', 'ListImages'), before);
  assert.deepEqual(await ask('enginemodify', 'GetDnaById', { image_id: '1 small.jpg' }), dna);
  assert.equal(
    (await review('UndoVerdict', { verdicts: judged.verdicts[0] })).status.code,
    errors.UNKNOWN_VERDICT.code,
  );
  await compared();
  assert.equal((await groups()).length, 2);
});

test('a group may be put off, judged as different and respected by later comparisons and searches', async () => {
  const [first, second] = await groups();
  await review('Judge', { groups: first!.id, verdict: 'later' });
  assert.deepEqual(await groups(), [second]);
  assert.deepEqual(await groups({ state: 'later' }), [first]);

  const { verdicts } = await review('Judge', { groups: first!.id, verdict: 'different' });
  assert.deepEqual(await groups({ state: 'later' }), []);
  await review('StartReview', { again: 1 });
  await compared();
  assert.deepEqual(await groups(), [second]);
  const search = async (values: Values) => {
    const { nb_results_found, images } = await ask('enginequery', 'SearchImageById', { image_id: '1.jpg', ...values });
    return [nb_results_found, images.map(({ id }: { id: string }) => id)];
  };
  assert.deepEqual(await search({}), [2, ['1.jpg', '1 small.jpg']]);
  assert.deepEqual(
    await search({ fold: 1 }),
    [2, ['1.jpg', '1 small.jpg']],
    'what people said to differ is not folded',
  );
  assert.deepEqual(await search({ verdicts: 1 }), [1, ['1.jpg']]);
  assert.deepEqual(await search({ verdicts: 1, starting_index: 1 }), [1, []]);

  const listed = await review('ListVerdicts');
  assert.deepEqual(
    listed.verdicts.map(({ id, verdict, images, who }: any) => [id, verdict, images, who]),
    [[verdicts[0], 'different', ['1 small.jpg', '1.jpg'], 'first']],
  );
  await review('UndoVerdict', { verdicts: verdicts[0] });
  assert.equal((await groups()).length, 2);
  assert.deepEqual(await search({ fold: 1 }), [2, ['1.jpg']]);
  const text = JSON.stringify(listed.verdicts);
  assert.equal((await review('ImportVerdicts', { verdicts: text })).imported, 1);
  assert.equal((await review('ImportVerdicts', { verdicts: text })).imported, 0);
  assert.equal((await review('ImportVerdicts', { verdicts: '[{}]' })).status.code, errors.BAD_PARAMETER.code);
  assert.deepEqual(await groups(), [second]);
});

test('a match that was marked as false is reviewed in the same way', async () => {
  assert.equal(
    (await review('MarkWrong', { image_id: '3.jpg', query_id: 'none' })).status.code,
    errors.UNKNOWN_IMAGE.code,
  );
  const { group } = await review('MarkWrong', { image_id: '3.jpg', query_id: '1.jpg' });
  const [found] = await groups({ kind: 'wrong' });
  assert.deepEqual([found!.id, found!.images], [group, ['1.jpg', '3.jpg']]);
  await review('Judge', { groups: group, verdict: 'ignore' });
  assert.deepEqual(await groups({ kind: 'wrong' }), []);
});

test('a match of an uploaded picture is reviewed, and then respected by searches with it', async () => {
  const image_content = await sharp(await photograph(1))
    .resize(500)
    .jpeg()
    .toBuffer();
  const search = async (values: Values) => {
    const { images } = await ask('enginequery', 'SearchImageByUpload', { image_content, ids_list: '1.jpg', ...values });
    return images.length;
  };
  const { status } = await review('MarkWrong', { image_id: '1.jpg' });
  assert.equal(status.code, errors.IMAGE_OR_DNA.code);
  assert.match(status.message, /got neither, nor query_id$/);
  const { group } = await review('MarkWrong', { image_id: '1.jpg', image_content });
  const { groups: found } = await review('ListGroups', { kind: 'wrong' });
  assert.deepEqual([found[0].id, found[0].images.map(({ id }: any) => id)], [group, ['1.jpg']]);
  assert.ok(found[0].query.id.startsWith('dna:') && found[0].query.thumbnail.length > 1000);
  assert.equal((await review('Judge', { groups: group, verdict: 'keep' })).status.code, errors.BAD_PARAMETER.code);
  assert.equal(await search({ verdicts: 1 }), 1);
  const { verdicts } = await review('Judge', { groups: group, verdict: 'different' });
  assert.deepEqual(await groups({ kind: 'wrong' }), []);
  assert.deepEqual([await search({ verdicts: 1 }), await search({})], [0, 1]);
  await review('UndoVerdict', { verdicts: verdicts[0] });
  assert.equal(await search({ verdicts: 1 }), 1);
  await review('Judge', { groups: group, verdict: 'ignore' });
});

test('a type without symmetric DNA has no review, and the refusal says so', async () => {
  const store = openApplicationStore(folder);
  const mobile = createApplication(store, { type: 'mobile-matching', name: 'kiosk' }).key;
  store.close();
  const { status } = await review('StartReview', { application_key: mobile });
  assert.equal(status.code, errors.DOES_NOT_APPLY.code);
  assert.match(status.message, /a review of Mobile Matching applications/);
});

test('a key without the scope to delete judges, but removes nothing', async () => {
  const made = await ask('administration', 'CreateKey', { name: 'judge', scopes: ['search', 'add'] });
  const [group] = await groups();
  const judge = (verdict: string) =>
    review('Judge', { application_key: made.secret, groups: group!.id, verdict }).then(({ status }) => status.code);
  assert.equal(await judge('keep'), errors.SCOPE_REFUSED.code);
  assert.equal(await judge('later'), 0);
});

test('verdicts, groups and an unfinished removal survive a restart, a backup and its restoration', async () => {
  const [group] = await groups({ state: 'later' });
  const { verdicts } = await review('ListVerdicts');
  await add('3 again.jpg', await photograph(3));
  await server.close();

  // as a kill between the commit of the verdict and the removals leaves it; and before the comparison of a new picture
  const images = await openImageStore(folder);
  const pending = {
    verdict: 'keep',
    kind: 'duplicates',
    images: group!.images,
    kept: '2.jpg',
    at: '',
    who: '',
    pending: true,
  };
  await images.changeRecords(1, [
    { kind: 'verdict', id: '00000090', body: bodyOf(pending) },
    { kind: 'review', id: 'state', body: bodyOf({ upTo: 0, compared: 0, running: true }) },
  ]);
  await images.close();
  const backup = join(home, 'backup');
  await snapshot(folder, backup);
  folder = join(home, 'restored');
  assert.deepEqual(restore(backup, folder).damages, []);
  await start();

  assert.deepEqual(await ids(), ['1 small.jpg', '1.jpg', '2.jpg', '3 again.jpg', '3.jpg']);
  for (;;) {
    const { review: progress } = await review('GetReview');
    if (progress.state === 'idle') break;
    await pause(20);
  }
  assert.deepEqual(
    (await groups()).map(({ images }) => images),
    [['3 again.jpg', '3.jpg']],
  );
  assert.deepEqual((await review('ListVerdicts')).verdicts.slice(1), verdicts);
});
