import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parsed, photograph, startBeside } from '../testing/sosia.test.kit.ts';
import type { Beside } from '../testing/sosia.test.kit.ts';

let beside: Beside;
before(async () => {
  beside = await startBeside();
  mkdirSync(join(beside.home, 'sea'));
  for (const n of [1, 2]) copyFileSync(photograph(n), join(beside.home, 'sea', `${n}.jpg`));
  writeFileSync(join(beside.home, 'empty.jpg'), '');
});
after(() => beside.close());

test('files are added under their paths, with keywords, and found', async () => {
  const key = beside.application();
  const { code, out } = await beside.sosia(key, 'add', './sea/1.jpg', 'sea/2.jpg', '--keywords', 'beach');
  assert.deepEqual([code, out], [0, 'added sea/1.jpg\nadded sea/2.jpg\n']);
  const found = await beside.sosia(key, 'search', 'sea/1.jpg', '--keywords', 'beach', '--json');
  assert.equal(parsed(found.out)[0].images[0].id, 'sea/1.jpg');
  const one = await beside.sosia(key, 'add', 'sea/2.jpg', '--id', 'two', '--json');
  assert.deepEqual(Object.keys(parsed(one.out)[0]).slice(0, 2), ['image_id', 'grade']);
});

test('what cannot be added is reported with what to do, and the other files are added', async () => {
  const key = beside.application();
  const several = await beside.sosia(key, 'add', 'empty.jpg', 'sea/1.jpg');
  assert.equal(several.code, 1);
  assert.match(several.out, /^added sea\/1\.jpg$/m);
  assert.match(several.err, /empty\.jpg is empty: the file has no bytes/);
  for (const [k, words, sentence] of [
    [key, ['sea'], /sea is a folder; `sosia import sea` adds its pictures/],
    [key, ['nowhere.jpg'], /there is no file or folder nowhere\.jpg/],
    [key, ['sea/1.jpg'], /The image id exists already: /],
    ['wrong', ['sea/1.jpg'], /Unknown application key \(-1101\)\n +`sosia app list`/],
    [key, ['sea/1.jpg', '--modify-url', 'http://127.0.0.1:1'], /`sosia serve` starts the service/],
    [key, ['sea/1.jpg', 'sea/2.jpg', '--id', 'x'], /--id is for one file, got 2/],
    [key, ['sea/1.jpg', '--data', beside.data], /in use by another server[^]*stop the other server/],
  ] as const) {
    const { code, err } = await beside.sosia(k, 'add', ...words);
    assert.ok(code > 0, words.join(' '));
    assert.match(err, sentence);
  }
});

test('with --data the folder itself is opened, and the picture stays', async () => {
  const data = join(beside.home, 'folder');
  const { out } = await beside.sosia(
    '',
    'app',
    'create',
    '--type',
    'media-matching',
    '--name',
    'a',
    '--data',
    data,
    '--json',
  );
  const key = parsed(out)[0].application_key as string;
  const { code, err } = await beside.sosia(key, 'add', 'sea/1.jpg', '--data', data);
  assert.equal(code, 0, err);
  const again = await beside.sosia(key, 'add', 'sea/1.jpg', '--data', data);
  assert.match(again.err, /exists already/);
});
