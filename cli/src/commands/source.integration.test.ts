import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { parsed, photograph, startBeside } from '../testing/sosia.test.kit.ts';
import type { Beside } from '../testing/sosia.test.kit.ts';

let beside: Beside;
let folder: string;
let administrator: string;

before(async () => {
  beside = await startBeside();
  beside.application();
  folder = join(beside.home, 'posters');
  mkdirSync(folder);
  for (const number of [1, 2]) copyFileSync(photograph(number), join(folder, basename(photograph(number))));
  writeFileSync(join(folder, 'broken.jpg'), 'text');
  for (const name of ['kodim01.jpg', 'kodim02.jpg', 'broken.jpg']) utimesSync(join(folder, name), 1, 1);
  administrator = parsed((await beside.sosia('', 'admin', 'key', '--data', beside.data, '--json')).out)[0].key;
});
after(() => beside.close());

const of = ['--application', 'media-matching'];

async function source(...words: string[]): Promise<string> {
  const ended = await beside.sosia(administrator, 'source', ...words, ...of);
  assert.equal(ended.code, 0, ended.err);
  return ended.out;
}

async function reached(state: RegExp): Promise<string> {
  for (;;) {
    const out = await source('show', 'posters');
    if (state.test(out)) return out;
    await pause(100);
  }
}

test('a folder is tried, followed, shown, paused and ended', async () => {
  assert.match(await source('add', 'posters', '--path', folder, '--dry-run'), /added +3/);
  assert.match(await source('list'), /^$/);
  await source('add', 'posters', '--path', folder, '--interval', '3600', '--keyword', 'poster');
  const shown = await reached(/pictures +2/);
  assert.match(shown, /broken\.jpg +-1010 +Not a picture/);
  assert.match(await source('list'), /posters +media-matching +folder +\S+posters +waiting +2 +1/);
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  assert.match(await source('run', 'posters', '--dry-run'), /removed +3/);
  await source('run', 'posters');
  await reached(/question +remove 2 of 2 pictures\?/);
  await source('confirm', 'posters', '--removals', '2');
  await reached(/pictures +0/);
  assert.match(await source('pause', 'posters'), /state +paused/);
  await source('resume', 'posters');
  await source('remove', 'posters', '--pictures', 'keep');
  while ((await source('list')) !== '') await pause(100);
  assert.equal((await beside.sosia(administrator, 'source', 'show', 'posters', ...of)).code, 1);
});
