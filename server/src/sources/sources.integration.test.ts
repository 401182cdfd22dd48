import assert from 'node:assert/strict';
import { chmod, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { errors } from '../errors.ts';
import { photograph, startService } from '../service.test.kit.ts';
import type { Service, Values } from '../service.test.kit.ts';
import { pictureFolder } from './sources.test.kit.ts';
import type { PictureFolder } from './sources.test.kit.ts';

let folder: PictureFolder;
let service: Service;
let key: string;

before(async () => {
  folder = await pictureFolder();
  service = await startService({}, { source_folders: folder.path });
  key = service.application('media-matching');
});
after(async () => {
  await service.close();
  await folder.close();
});

const on = (operation: string, values: Values = {}): Promise<any> =>
  service.administer(operation, { application: 'media-matching', ...values });

const create = (values: Values = {}): Promise<any> =>
  on('CreateSource', { name: 'photos', kind: 'folder', path: folder.path, interval: 3600, keywords: ['k'], ...values });

/** Lets a pass run to its end. */
async function passed(values: Values = {}): Promise<any> {
  const before = (await on('GetSource', { source: 'photos' })).source;
  if (before.last_pass !== null) assert.equal((await on('RunSource', { source: 'photos', ...values })).status.code, 0);
  return ended(before.last_pass);
}

async function ended(before: string | null): Promise<any> {
  for (;;) {
    const { source, status } = await on('GetSource', { source: 'photos' });
    assert.equal(status.code, 0, status.message);
    if (source.last_pass !== before && source.state !== 'running') return source;
    await pause(50);
  }
}

async function images(): Promise<any[]> {
  return (await service.query('ListImages', { application_key: key, nb_results: 100 })).images;
}
const ids = async (): Promise<string[]> => (await images()).map(({ id }: { id: string }) => id);

test('a folder outside of the setting is refused without revealing whether it exists', async () => {
  for (const path of ['/', '/no/such', join(folder.path, '..')]) {
    const { status } = await create({ path });
    assert.equal(status.code, errors.SOURCE_REFUSED.code);
    assert.doesNotMatch(status.message, /exist|ENOENT/);
  }
  const own = await service.ask('administration', 'CreateSource', {
    application_key: key,
    name: 'a',
    kind: 'folder',
    path: folder.path,
  });
  assert.equal(own.status.code, errors.NOT_ADMINISTRATOR.code);
  assert.equal((await create({ path: 'photos' })).status.code, errors.BAD_PARAMETER.code);
});

test('pictures are found by their suffix; what is hidden and what links lead to is left out', async () => {
  await folder.write('a.jpg', await photograph(1));
  await folder.write('b/c.jpg', await photograph(2));
  await folder.write('b/no picture.jpg', 'text');
  await folder.write('b/notes.txt', 'text');
  await folder.write('.hidden/d.jpg', await photograph(3));
  await symlink('/etc', join(folder.path, 'link'));
  await symlink(join(folder.path, 'a.jpg'), join(folder.path, 'link.jpg'));
  assert.equal((await create()).status.code, 0);
  assert.equal((await create()).status.code, errors.SOURCE_NAME_TAKEN.code);
  const { progress } = await passed();
  assert.deepEqual([progress.listed, progress.added, progress.failed], [3, 2, 1]);
  assert.deepEqual(await ids(), ['a.jpg', 'b/c.jpg']);
  const { failures } = await on('GetSource', { source: 'photos' });
  assert.deepEqual(
    failures.map(({ image_id, code }: any) => [image_id, code]),
    [['b/no picture.jpg', errors.NOT_A_PICTURE.code]],
  );
});

test('changed pictures change, moved ones keep their keywords, removed ones go, and a failed one is read again when it is another file', async () => {
  await service.modify('SetKeywords', { application_key: key, image_id: 'a.jpg', keywords: ['own'] });
  for (const image_id of ['a.jpg', 'b/c.jpg'])
    await service.modify('SetMetadata', { application_key: key, image_id, metadata: '{"by": "AP"}' });
  await folder.write('b/c.jpg', await photograph(4));
  await folder.move('a.jpg', 'moved/a;1.jpg');
  await folder.write('b/no picture.jpg', await photograph(5));
  await folder.write('x.jpg', await photograph(6));
  const { progress, failed } = await passed();
  assert.equal(failed, 0);
  const { added, changed, moved, removed } = progress;
  assert.deepEqual({ added, changed, moved, removed }, { added: 2, changed: 1, moved: 1, removed: 0 });
  const all = await images();
  const movedImage = all.find(({ origin }) => origin.path === 'moved/a;1.jpg');
  assert.match(movedImage.id, /^moved\/a_1\.jpg~[0-9a-f]{16}$/);
  assert.deepEqual([movedImage.keywords, movedImage.metadata], [['own'], { by: 'AP' }]);
  assert.deepEqual(all.find(({ origin }) => origin.path === 'b/c.jpg').metadata, { by: 'AP' });
  assert.deepEqual(all.map(({ origin }) => origin.path).sort(), [
    'b/c.jpg',
    'b/no picture.jpg',
    'moved/a;1.jpg',
    'x.jpg',
  ]);
  await folder.remove('x.jpg');
  assert.equal((await passed()).progress.removed, 1);
  assert.equal((await ids()).length, 3);
});

test('a picture goes when its file is no longer one', async () => {
  await folder.write('y.jpg', await photograph(7));
  assert.equal((await passed()).progress.added, 1);
  assert.ok((await ids()).includes('y.jpg'));
  await folder.write('y.jpg', 'text');
  assert.equal((await passed()).progress.failed, 1);
  assert.ok(!(await ids()).includes('y.jpg'));
  await folder.remove('y.jpg');
  assert.equal((await passed()).failed, 0);
});

test('a picture that somebody else added is left alone', async () => {
  await service.modify('AddImage', { application_key: key, image_id: 'own.jpg', image_content: await photograph(7) });
  await folder.write('own.jpg', await photograph(8));
  assert.equal((await passed()).failed, 1);
  const { failures } = await on('GetSource', { source: 'photos' });
  assert.equal(failures[0].code, errors.IMAGE_EXISTS.code);
  await folder.remove('own.jpg');
  assert.equal((await passed()).failed, 0);
  assert.ok((await ids()).includes('own.jpg'));
  await service.modify('DeleteImage', { application_key: key, image_id: 'own.jpg' });
});

test('a folder that is away is a fault of the source, and removes nothing', async () => {
  const away = `${folder.path} away`;
  await rename(folder.path, away);
  const { state, fault } = await passed();
  await rename(away, folder.path);
  assert.equal(state, 'failed');
  assert.match(fault, /^The service may not follow this/);
  assert.equal((await ids()).length, 3);
  assert.equal((await passed()).state, 'waiting');
});

test(
  'what cannot be read is a fault of the source, and removes nothing',
  { skip: process.getuid?.() === 0 },
  async () => {
    await chmod(join(folder.path, 'b'), 0);
    const { state, fault } = await passed();
    await chmod(join(folder.path, 'b'), 0o755);
    assert.equal(state, 'failed');
    assert.match(fault, /permission denied/);
    assert.equal((await ids()).length, 3);
  },
);

test('a source of an emptied application begins anew', async () => {
  await on('SetSource', { source: 'photos', paused: 1 });
  await on('EmptyApplication', { confirm: 'media-matching' });
  assert.deepEqual(await ids(), []);
  await on('SetSource', { source: 'photos', paused: 0 });
  const { progress } = await passed();
  assert.equal(progress.added, 3);
  assert.equal((await ids()).length, 3);
});

test('a source is deleted with its pictures, or without', async () => {
  await on('DeleteSource', { source: 'photos', pictures: 'keep' });
  while ((await on('ListSources')).sources.length > 0) await pause(50);
  const all = await images();
  assert.deepEqual([all.length, all.filter(({ origin }) => origin).length], [3, 0]);
  for (const id of await ids()) await service.modify('DeleteImage', { application_key: key, image_id: id });
  await create({ prefix: 'of/' });
  await passed();
  assert.ok((await ids()).every((id) => id.startsWith('of/')));
  await on('DeleteSource', { source: 'photos', pictures: 'remove' });
  while ((await on('ListSources')).sources.length > 0) await pause(50);
  assert.deepEqual(await ids(), []);
  assert.equal((await on('GetSource', { source: 'photos' })).status.code, errors.UNKNOWN_SOURCE.code);
});
