import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { createApplication } from '../applications/create.ts';
import { bodyOf } from '../applications/records.ts';
import { errors } from '../errors.ts';
import { askServer, photograph, startServerOn, startService } from '../service.test.kit.ts';
import type { Service, Values } from '../service.test.kit.ts';
import { openApplicationStore } from '../store/application-store.ts';
import { openImageStore } from '../store/image-store.ts';
import { credentials, startMoto, withoutMoto } from './moto.test.kit.ts';
import type { Moto } from './moto.test.kit.ts';
import { pictureFolder } from './sources.test.kit.ts';
import type { PictureFolder } from './sources.test.kit.ts';

// Removing a picture also moves or deletes its file, where its source is writable.

let folder: PictureFolder;
let moto: Moto | undefined;
let service: Service;
let key: string;

before(async () => {
  folder = await pictureFolder();
  moto = withoutMoto ? undefined : await startMoto('posters');
  const flags = { source_folders: folder.path, ...(moto && { source_buckets: moto.endpoint }) };
  service = await startService({}, flags);
  key = service.application('media-matching');
  for (const number of [1, 2, 3, 4, 5, 6]) await folder.write(`${number}.jpg`, await photograph(number));
  await folder.write('sub/7.jpg', await photograph(7));
  const given = { name: 'photos', kind: 'folder', path: folder.path, interval: 3600, keywords: ['k'] };
  assert.equal((await on('CreateSource', given)).source.writable, false);
  await passed();
});
after(async () => {
  await service.close();
  await moto?.close();
  await folder.close();
});

const on = (operation: string, values: Values = {}): Promise<any> =>
  service.administer(operation, { application: 'media-matching', ...values });
const own = (family: 'enginemodify' | 'review' | 'administration', operation: string, values: Values = {}) =>
  service.ask(family, operation, { application_key: key, ...values }) as Promise<any>;
const remove = (image_id: string, files?: string) =>
  own('enginemodify', 'DeleteImage', { image_id, ...(files && { files }) });

async function passed(source = 'photos'): Promise<any> {
  const before = (await on('GetSource', { source })).source.last_pass;
  if (before !== null) await on('RunSource', { source });
  for (;;) {
    const { source: now } = await on('GetSource', { source });
    if (now.last_pass !== before && now.state !== 'running') return now;
    await pause(50);
  }
}

async function images(): Promise<any[]> {
  return (await service.query('ListImages', { application_key: key, nb_results: 100 })).images;
}
const ids = async () => (await images()).map(({ id }) => id);
const lies = (path: string) => existsSync(join(folder.path, path));
const writable = (value: number) => on('SetSource', { source: 'photos', writable: value });

/** A copy of a photograph, as an edit makes it. */
async function reduced(number: number): Promise<Buffer> {
  return sharp(await photograph(number))
    .resize(400)
    .jpeg()
    .toBuffer();
}

test('files stay unless an administrator has declared the source writable and the request says so', async () => {
  assert.deepEqual((await remove('1.jpg', 'delete')).files, { changed: 0, kept: [] });
  assert.ok(lies('1.jpg'));
  assert.equal(
    (await own('administration', 'SetSource', { source: 'photos', writable: 1 })).status.code,
    errors.NOT_ADMINISTRATOR.code,
  );
  assert.equal((await writable(1)).source.writable, true);
  assert.deepEqual((await images())[0].origin, { source: 'photos', kind: 'folder', path: '2.jpg', writable: true });
  assert.ok(!('files' in (await remove('2.jpg'))));
  assert.ok(lies('2.jpg'));
  assert.equal((await remove('3.jpg', 'shred')).status.code, errors.BAD_PARAMETER.code);
  assert.ok(lies('3.jpg'));
  for (const kind of ['archive', 'web']) {
    const { status } = await on('CreateSource', {
      name: 'x',
      kind,
      path: folder.path,
      urls: ['http://x.example'],
      writable: 1,
    });
    assert.ok([errors.BAD_PARAMETER.code, errors.SOURCE_REFUSED.code].includes(status.code), status.message);
  }
});

test('a file goes to the trash, which nothing follows, or for ever; the source has no question about it', async () => {
  assert.deepEqual((await remove('3.jpg', 'trash')).files, { changed: 1, kept: [] });
  assert.deepEqual((await remove('sub/7.jpg', 'trash')).files, { changed: 1, kept: [] });
  assert.deepEqual((await remove('4.jpg', 'delete')).files, { changed: 1, kept: [] });
  assert.deepEqual(['3.jpg', 'sub/7.jpg', '4.jpg', '.trash/4.jpg'].filter(lies), []);
  assert.deepEqual(readFileSync(join(folder.path, '.trash/3.jpg')), Buffer.from(await photograph(3)));
  assert.ok(lies('.trash/sub/7.jpg'));
  const { progress, question, pictures } = await passed();
  assert.deepEqual([progress.added, progress.removed, question, pictures], [0, 0, null, 4], '1 and 2 stay away');
  assert.deepEqual(await ids(), ['5.jpg', '6.jpg']);
  assert.equal((await remove('3.jpg', 'trash')).status.code, errors.IMAGE_NOT_FOUND.code);
  const { entries } = await on('ListAudit');
  assert.ok(
    entries.some(({ what, detail }: any) => what === 'DeleteImage' && /image_id=4\.jpg files=delete/.test(detail)),
  );
});

test('what a kill between the file and the picture leaves, the next pass removes', async () => {
  renameSync(join(folder.path, '5.jpg'), join(folder.path, '.trash/5.jpg'));
  assert.equal((await passed()).progress.removed, 1);
  assert.deepEqual(await ids(), ['6.jpg']);
});

test('a file stays that is not the one of the picture, or that a link leads to; the picture goes', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'sosia-outside-'));
  const kept = async (id: string, reason: RegExp, files = 'delete'): Promise<void> => {
    const { status, files: found } = await remove(id, files);
    assert.deepEqual([status.code, found.changed, found.kept.length], [0, 0, 1], status.message);
    assert.equal(found.kept[0].image_id, id);
    assert.match(found.kept[0].message, reason);
    assert.ok(lies(id));
    assert.ok(!(await ids()).includes(id));
  };
  for (const number of [8, 9, 10, 11, 12]) await folder.write(`a${number}/x.jpg`, await photograph(number));
  await passed();
  await folder.write('a8/x.jpg', await photograph(13));
  await kept('a8/x.jpg', /changed/);
  // another picture of the same id
  await remove('a9/x.jpg');
  await own('enginemodify', 'AddImage', { image_id: 'a9/x.jpg', image_content: await photograph(14) });
  await kept('a9/x.jpg', /another one/);
  await folder.write('.trash/a10/x.jpg', 'an earlier one');
  await kept('a10/x.jpg', /a file in its new place/, 'trash');
  assert.equal(readFileSync(join(folder.path, '.trash/a10/x.jpg'), 'utf8'), 'an earlier one');
  symlinkSync(outside, join(folder.path, '.trash/a11'));
  await kept('a11/x.jpg', /no folder/, 'trash');
  renameSync(join(folder.path, 'a12'), join(folder.path, 'moved'));
  symlinkSync(join(folder.path, 'moved'), join(folder.path, 'a12'));
  await kept('a12/x.jpg', /no folder/);
  rmSync(join(folder.path, 'moved'), { recursive: true });
  const { files } = await own('enginemodify', 'DeleteImage', { image_id: '6.jpg', files: 'trash' });
  assert.equal(files.changed, 1, 'a failure of one leaves the others');
  rmSync(outside, { recursive: true });
});

test('a file that another source of the application follows stays', async () => {
  await on('CreateSource', { name: 'inner', kind: 'folder', path: join(folder.path, 'sub'), prefix: 'inner/' });
  await folder.write('sub/15.jpg', await photograph(15));
  await passed();
  assert.match((await remove('sub/15.jpg', 'delete')).files.kept[0].message, /the source inner follows it/);
  assert.ok(lies('sub/15.jpg'));
  await on('DeleteSource', { source: 'inner', pictures: 'remove' });
  while ((await on('ListSources')).sources.length > 1) await pause(50);
});

test('a file that a source of another application follows stays, by DeleteImage and by the review; others go', async () => {
  await folder.write('22.jpg', await photograph(22));
  await folder.write('sub/23.jpg', await photograph(23));
  await folder.write('sub/24.jpg', await photograph(24));
  await folder.write('sub/24 small.jpg', await reduced(24));
  await passed();
  service.application('image-similarity');
  const theirs = { application: 'image-similarity', name: 'theirs', kind: 'folder', path: join(folder.path, 'sub') };
  const { status } = await service.administer('CreateSource', theirs);
  assert.equal(status.code, 0, status.message);
  const message = 'a source of another application follows it, too';
  for (const [id, how] of Object.entries({ 'sub/23.jpg': 'trash', 'sub/24 small.jpg': '' })) {
    const { files } = how ? await remove(id, how) : await judged('delete');
    assert.deepEqual([files, lies(id)], [{ changed: 0, kept: [{ image_id: id, message }] }, true]);
  }
  assert.deepEqual((await remove('22.jpg', 'delete')).files, { changed: 1, kept: [] }, 'not in their folder');
  const ended = { application: 'image-similarity', source: 'theirs', pictures: 'remove' };
  await service.administer('DeleteSource', ended);
  for (const left = { application: 'image-similarity' }; ; await pause(50))
    if ((await service.administer('ListSources', left)).sources.length === 0) break;
  assert.deepEqual((await remove('sub/24.jpg', 'delete')).files, { changed: 1, kept: [] }, 'they follow it no more');
});

async function judged(files: string): Promise<any> {
  await own('review', 'StartReview');
  while ((await own('review', 'GetReview')).review.state === 'running') await pause(20);
  const { groups } = await own('review', 'ListGroups', { bulk: 'clones' });
  for (const { images: all } of groups) assert.ok(all.some(({ origin }: any) => origin?.writable));
  return own('review', 'Judge', { groups: groups.map(({ id }: any) => id).join(';'), verdict: 'keep', files });
}

test('a verdict moves the files of copies, an undo brings them back, and no picture is added twice', async () => {
  for (const name of ['old', 'sub']) rmSync(join(folder.path, name), { recursive: true, force: true });
  const copy = await reduced(16);
  await folder.write('16.jpg', await photograph(16));
  await folder.write('old/16.jpg', copy);
  await folder.write('old/17.jpg', await reduced(17));
  await own('enginemodify', 'AddImage', { image_id: 'sent 17', image_content: await photograph(17) });
  await passed();
  await own('enginemodify', 'SetKeywords', { image_id: 'old/16.jpg', keywords: ['own'] });
  const { removed, verdicts, files } = await judged('trash');
  assert.deepEqual([removed, files.changed], [2, 1]);
  assert.deepEqual(files.kept, [{ image_id: 'old/17.jpg', message: 'sent 17, which stays, has no file' }]);
  assert.deepEqual(
    [lies('16.jpg'), lies('old/16.jpg'), lies('.trash/old/16.jpg'), lies('old/17.jpg')],
    [true, false, true, true],
  );
  assert.equal((await own('review', 'ListVerdicts')).verdicts[0].files, 'trash');
  assert.equal((await passed()).progress.removed, 0);

  const undone = await own('review', 'UndoVerdict', { verdicts: verdicts.join(';') });
  assert.deepEqual([undone.restored, undone.files], [2, { changed: 1, kept: [] }]);
  assert.deepEqual(readFileSync(join(folder.path, 'old/16.jpg')), copy);
  const { progress } = await passed();
  assert.deepEqual([progress.work, progress.removed], [0, 0]);
  const back = (await images()).find(({ id }) => id === 'old/16.jpg');
  assert.deepEqual([back.keywords, back.origin.path], [['own'], 'old/16.jpg']);
});

test('an undo leaves alone what lies in the place of a file, and names it', async () => {
  const { verdicts } = await judged('trash');
  writeFileSync(join(folder.path, 'old/16.jpg'), 'another one');
  const { restored, files } = await own('review', 'UndoVerdict', { verdicts: verdicts.join(';') });
  assert.deepEqual([restored, files.changed], [2, 0]);
  assert.match(files.kept[0].message, /a file in its new place/);
  assert.equal(readFileSync(join(folder.path, 'old/16.jpg'), 'utf8'), 'another one');
  assert.ok(lies('.trash/old/16.jpg'));
});

test('objects of a bucket go to its trash, back, and for ever', { skip: withoutMoto }, async () => {
  const { put, endpoint, has } = moto!;
  for (const number of [18, 19]) await put(`p/ü ${number}.jpg`, Uint8Array.from(await photograph(number)));
  await put('p/old/18.jpg', Uint8Array.from(await reduced(18)));
  await on('CreateSource', {
    ...{ name: 'stored', kind: 'bucket', bucket: 'posters', endpoint, key_prefix: 'p/', interval: 3600, writable: 1 },
    ...credentials,
  });
  await passed('stored');
  const { verdicts, files } = await judged('trash');
  assert.deepEqual(files, {
    changed: 1,
    kept: [{ image_id: 'old/17.jpg', message: 'sent 17, which stays, has no file' }],
  });
  assert.deepEqual([await has('p/old/18.jpg'), await has('p/.trash/old/18.jpg')], [false, true]);
  assert.equal((await passed('stored')).progress.listed, 2);
  assert.deepEqual((await own('review', 'UndoVerdict', { verdicts: verdicts.join(';') })).files.changed, 1);
  assert.deepEqual([await has('p/old/18.jpg'), await has('p/.trash/old/18.jpg')], [true, false]);
  assert.deepEqual((await passed('stored')).progress.removed, 0);
  await put('p/theirs/20.jpg', Uint8Array.from(await photograph(20)));
  await passed('stored');
  service.application('color-similarity');
  const theirs = { application: 'color-similarity', name: 'theirs', kind: 'bucket', bucket: 'posters', endpoint };
  const { status } = await service.administer('CreateSource', { ...theirs, key_prefix: 'p/the', ...credentials });
  assert.equal(status.code, 0, status.message);
  const message = 'a source of another application follows it, too';
  assert.deepEqual((await remove('p/theirs/20.jpg', 'delete')).files.kept, [{ image_id: 'p/theirs/20.jpg', message }]);
  assert.equal(await has('p/theirs/20.jpg'), true);
  assert.deepEqual((await remove('p/ü 19.jpg', 'delete')).files, { changed: 1, kept: [] }, 'not below their prefix');
  assert.equal(await has('p/ü 19.jpg'), false);
  await put('p/ü 18.jpg', 'another one');
  assert.match((await remove('p/ü 18.jpg', 'delete')).files.kept[0].message, /412/);
  assert.equal(await has('p/ü 18.jpg'), true);
});

test('a removal that a kill interrupted is completed with its files at the next start', async (context) => {
  const data = mkdtempSync(join(tmpdir(), 'sosia-removed-'));
  const inside = await pictureFolder();
  const start = () => startServerOn(data, { source_folders: inside.path });
  await inside.write('1.jpg', await photograph(1));
  await inside.write('old/1.jpg', await reduced(1));
  let server = await start();
  context.after(() => server.close());
  const store = openApplicationStore(data);
  const application_key = createApplication(store, { type: 'media-matching', name: 'posters' }).key;
  store.close();
  const administrator = { application_key: server.administratorKey!, application: 'posters' };
  const place = { name: 'photos', kind: 'folder', path: inside.path, interval: 3600, writable: 1 };
  const pictures = async () =>
    (await askServer(server, 'enginequery', 'ListImages', { application_key })).images.length;
  assert.equal(await pictures(), 0);
  const made = await askServer(server, 'administration', 'CreateSource', { ...administrator, ...place });
  assert.equal(made.status.code, 0, made.status.message);
  while ((await pictures()) < 2) await pause(50);
  await server.close();

  const images = await openImageStore(data);
  const both = { images: ['1.jpg', 'old/1.jpg'], kept: '1.jpg', kind: 'duplicates', at: '', who: '' };
  const body = bodyOf({ verdict: 'keep', files: 'trash', pending: true, ...both });
  await images.changeRecords(1, [{ kind: 'verdict', id: '00000001', body }]);
  await images.close();
  server = await start();
  assert.equal(await pictures(), 1);
  assert.deepEqual(
    ['old/1.jpg', '.trash/old/1.jpg'].map((path) => existsSync(join(inside.path, path))),
    [false, true],
  );
  await inside.close();
});
