import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parsed, photograph, startBeside } from '../../testing/sosia.test.kit.ts';
import type { Beside, Ended } from '../../testing/sosia.test.kit.ts';

let beside: Beside;
let key: string;
let album: string;

before(async () => {
  beside = await startBeside();
  key = beside.application();
  album = join(beside.home, 'album');
  mkdirSync(join(album, 'old'), { recursive: true });
  for (const name of ['a.jpg', 'old/b.jpg', 'old/c.jpg']) {
    copyFileSync(photograph(3), join(album, name));
    utimesSync(join(album, name), 1e9, 1e9);
  }
  await run('import', 'album', '--parallel', '1'); // the first one added is kept
  await run('review', 'start', '--wait');
});
after(() => beside.close());

async function run(...words: string[]): Promise<Ended> {
  const ended = await beside.sosia(key, ...words);
  assert.equal(ended.code, 0, ended.err);
  return ended;
}

const apply = (...words: string[]) => run('review', 'apply', 'album', ...words);
const present = () => ['a.jpg', 'old/b.jpg', 'old/c.jpg'].filter((name) => existsSync(join(album, name)));

test('files of removed pictures are listed, moved to a trash folder and moved back', async () => {
  const [judged] = parsed((await run('review', 'judge', 'keep', '--all', 'duplicates', '--json')).out);
  assert.equal(judged.removed, 2);
  assert.equal((await apply()).out, 'album/old/b.jpg\nalbum/old/c.jpg\n');
  assert.deepEqual(present().length, 3, 'a list moves nothing');

  assert.match((await apply('--trash')).err, /2 files moved to album\/\.trash/);
  assert.deepEqual(present(), ['a.jpg']);
  assert.deepEqual(readFileSync(join(album, '.trash/old/b.jpg')), readFileSync(photograph(3)));
  writeFileSync(join(album, 'old/c.jpg'), 'another one');
  const undone = await apply('--undo');
  assert.match(undone.err, /c\.jpg stays[^]*1 file moved back/);
  assert.equal(readFileSync(join(album, 'old/c.jpg'), 'utf8'), 'another one', 'nothing is overwritten');
  assert.deepEqual(present().length, 3);

  // what changed since stays
  assert.match((await apply()).err, /c\.jpg stays: it was changed after the verdict/);
  await run('add', '--id', 'old/b.jpg', photograph(5));
  const { out, err } = await apply();
  assert.equal(out, '');
  assert.match(err, /b\.jpg stays: the application has it again/);
  await run('review', 'undo', ...judged.verdicts);
  assert.equal((await apply()).err.trim(), '0 files; nothing was moved');
});

test('an undo needs a trash folder, and a link leads nothing out of the folder', async () => {
  rmSync(join(album, '.trash'), { recursive: true });
  const { code, err } = await beside.sosia(key, 'review', 'apply', 'album', '--undo');
  assert.equal(code, 1);
  assert.match(err, /no trash folder/);
  assert.match((await apply('--trash')).err, /0 files moved/);
  assert.match((await apply('--undo')).err, /0 files moved back/);
  mkdirSync(join(beside.home, 'outside'));
  symlinkSync(join(beside.home, 'outside'), join(album, 'led'));
  mkdirSync(join(album, '.trash/led'));
  writeFileSync(join(album, '.trash/led/d.jpg'), 'd');
  assert.match((await apply('--undo')).err, /d\.jpg stays: led is no folder[^]*0 files moved back/);
});
