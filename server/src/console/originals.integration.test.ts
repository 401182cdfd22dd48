import assert from 'node:assert/strict';
import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { errors } from '../errors.ts';
import { credentials, startMoto, withoutMoto } from '../sources/moto.test.kit.ts';
import { pictureFolder } from '../sources/sources.test.kit.ts';
import type { PictureFolder } from '../sources/sources.test.kit.ts';
import { formOf, photograph, startService } from '../service.test.kit.ts';
import type { Service, Values } from '../service.test.kit.ts';

let folder: PictureFolder;
let service: Service;
let page: string;
let key: string;

before(async () => {
  folder = await pictureFolder();
  page = await mkdtemp(join(tmpdir(), 'sosia-site-'));
  await writeFile(join(page, 'index.html'), '');
  service = await startService({ consoleFolder: page }, { source_folders: folder.path, source_buckets: '*' });
  key = service.application('media-matching');
});
after(async () => {
  await service.close();
  await folder.close();
  await rm(page, { recursive: true });
});

/** Creates a source, and waits until its pictures are there. */
async function follow(name: string, pictures: number, values: Values): Promise<void> {
  const application = 'media-matching';
  const { status } = (await service.administer('CreateSource', { application, name, ...values })) as any;
  assert.equal(status.code, 0, status.message);
  for (;;) {
    const { source } = (await service.administer('GetSource', { application, source: name })) as any;
    if (source.pictures === pictures) return;
    await pause(50);
  }
}

async function openedBy(withKey: string): Promise<(id: string) => Promise<Response>> {
  const address = `http://127.0.0.1:${service.modifyPort}/console/api`;
  const signedIn = await fetch(`${address}/sign-in`, {
    method: 'POST',
    headers: { origin: new URL(address).origin },
    body: formOf({ application_key: withKey }),
  });
  const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!;
  return (id) =>
    fetch(`${address}/original?image_id=${encodeURIComponent(id)}`, { headers: { cookie }, redirect: 'manual' });
}

const codeOf = async (response: Response): Promise<number> => ((await response.json()) as any).status.code;

test('the original of a folder is opened as it is now; a link out of the folder opens nothing', async () => {
  const [first, second] = [await photograph(1), await photograph(2)];
  await folder.write('a/ü 1.jpg', first);
  await folder.write('b/2.jpg', second);
  await follow('photos', 2, { kind: 'folder', path: folder.path, prefix: 'p/' });
  const open = await openedBy(key);
  const opened = await open('p/a/ü 1.jpg');
  assert.deepEqual([opened.status, opened.headers.get('content-type')], [200, 'image/jpeg']);
  assert.deepEqual(Buffer.from(await opened.arrayBuffer()), first);
  await folder.write('a/ü 1.jpg', second);
  assert.deepEqual(Buffer.from(await (await open('p/a/ü 1.jpg')).arrayBuffer()), second);

  await folder.write('a/ü 1.jpg', 'no picture any more');
  assert.equal(await codeOf(await open('p/a/ü 1.jpg')), errors.NOT_A_PICTURE.code);
  const outside = await mkdtemp(join(tmpdir(), 'sosia-outside-'));
  await rename(join(folder.path, 'b'), join(outside, 'b'));
  assert.equal(await codeOf(await open('p/b/2.jpg')), errors.NOT_FETCHED.code);
  await symlink(join(outside, 'b'), join(folder.path, 'b'));
  assert.equal(await codeOf(await open('p/b/2.jpg')), errors.NOT_FETCHED.code);
  await rm(outside, { recursive: true });

  for (const id of ['a/ü 1.jpg', 'p/../b/2.jpg', 'nobody']) {
    assert.equal(await codeOf(await open(id)), errors.UNKNOWN_IMAGE.code, id);
  }
  const stranger = await openedBy(service.application('brand-monitoring'));
  assert.equal(await codeOf(await stranger('p/a/ü 1.jpg')), errors.UNKNOWN_IMAGE.code);
});

test('only a key that searches opens originals', async () => {
  const { secret } = (await service.administer('CreateKey', {
    application: 'media-matching',
    name: 'adder',
    scopes: ['add'],
  })) as any;
  assert.equal(await codeOf(await (await openedBy(secret))('p/b/2.jpg')), errors.SCOPE_REFUSED.code);
});

test(
  'the original of a bucket is a link that needs no key, and is signed for this object',
  { skip: withoutMoto },
  async () => {
    const moto = await startMoto('posters');
    try {
      const picture = Uint8Array.from(await photograph(3));
      await moto.put('new/ü & 3.jpg', picture);
      await follow('stored', 1, { kind: 'bucket', bucket: 'posters', endpoint: moto.endpoint, ...credentials });
      const link = (await (await openedBy(key))('new/ü & 3.jpg')).headers.get('location')!;
      assert.match(link, /X-Amz-Expires=300&.*X-Amz-Signature=[0-9a-f]{64}$/);
      assert.doesNotMatch(link, new RegExp(credentials.secret_key));
      assert.deepEqual(new Uint8Array(await (await fetch(link)).arrayBuffer()), picture);
    } finally {
      await moto.close();
    }
  },
);
