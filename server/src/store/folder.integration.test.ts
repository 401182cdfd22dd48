import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Failure } from '../errors.ts';
import { exposedIn } from './folder.ts';
import { openApplicationStore } from './application-store.ts';
import { openImageStore } from './image-store.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sosia-folder-'));
after(() => rmSync(scratch, { recursive: true }));

/** The files that a process with a mask creates, with their permissions while the stores are open and at the end. */
const program = `
  import { readdirSync, statSync } from 'node:fs';
  import { join } from 'node:path';
  process.umask(Number(process.argv[2]));
  const at = (name) => import(new URL(name, process.argv[3]));
  const { openImageStore } = await at('./image-store.js');
  const { openApplicationStore } = await at('./application-store.js');
  const { rewriteFolder } = await at('./rewrite.js');
  const [, , , , folder, backup, restored] = process.argv;
  const modes = (of) =>
    Object.fromEntries(['.', ...readdirSync(of)].map((name) => [name, (statSync(join(of, name)).mode & 0o777).toString(8)]));
  const applications = openApplicationStore(folder);
  const defaults = { nbResults: 10, colorWeight: 50, retrievalThreshold: 1 };
  applications.create({ keys: [], type: 'media-matching', name: 'a', enabled: true, defaults });
  const images = await openImageStore(folder);
  await images.append(1, { id: 'a', keywords: [], dna: new Uint8Array(9) });
  const open = modes(folder);
  await images.snapshot(backup);
  await images.close();
  rewriteFolder(backup, restored);
  console.log(JSON.stringify([open, modes(backup), modes(restored)]));
`;

test(
  "a data folder, a backup and a restored folder are their owner's alone, whatever the mask of the process",
  { skip: process.platform === 'win32' },
  () => {
    writeFileSync(join(scratch, 'masked.mjs'), program);
    for (const mask of [0, 0o022, 0o077, 0o277]) {
      const folders = ['data', 'backup', 'restored'].map((name) => join(scratch, `${name}-${mask}`));
      const words = [join(scratch, 'masked.mjs'), String(mask), import.meta.url, ...folders];
      const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
      assert.ok(stdout, stderr);
      const [data, ...copies] = JSON.parse(stdout) as Record<string, string>[];
      const files = ['applications.db', 'format', 'images.db'];
      const logs = ['applications.db-shm', 'applications.db-wal', 'images.db-shm', 'images.db-wal', 'server.lock'];
      assert.deepEqual(Object.keys(data!).sort(), ['.', ...files, ...logs].sort());
      for (const modes of [data!, ...copies]) {
        for (const name of files) assert.ok(name in modes);
        for (const [name, mode] of Object.entries(modes)) assert.equal(mode, name === '.' ? '700' : '600', name);
      }
      for (const folder of folders) assert.deepEqual(exposedIn(folder), []);
    }
  },
);

test(
  'wider permissions of a folder that exists are named and left alone',
  { skip: process.platform === 'win32' },
  async () => {
    const folder = join(scratch, 'wide');
    await (await openImageStore(folder)).close();
    chmodSync(folder, 0o755);
    chmodSync(join(folder, 'images.db'), 0o640);
    const named = [`${folder} has the permissions 0755`, `${join(folder, 'images.db')} has the permissions 0640`];
    assert.deepEqual(exposedIn(folder), named);
    await (await openImageStore(folder)).close();
    assert.deepEqual(exposedIn(folder).slice(0, 2), named);
  },
);

test('no database is written among other files; the files of file systems and desktops are ignored', async () => {
  const photographs = join(scratch, 'photographs');
  mkdirSync(photographs);
  writeFileSync(join(photographs, 'beach.jpg'), '');
  const refused = (cause: unknown) =>
    cause instanceof Failure && cause.error === 'STORE_FORMAT' && /found "beach.jpg" in /.test(cause.message);
  assert.throws(() => openApplicationStore(photographs), refused);
  await assert.rejects(openImageStore(photographs), refused);
  const likely = join(scratch, 'likely');
  mkdirSync(likely);
  writeFileSync(join(likely, 'format.jpg'), '');
  assert.throws(() => openApplicationStore(likely), /found "format.jpg"/);
  assert.deepEqual(readdirSync(photographs), ['beach.jpg']);

  const fresh = join(scratch, 'fresh');
  mkdirSync(join(fresh, 'lost+found'), { recursive: true });
  writeFileSync(join(fresh, '.DS_Store'), '');
  await (await openImageStore(fresh)).close();
  assert.ok(existsSync(join(fresh, 'images.db')));
});
