import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Sosia } from '@sosia/client';
import { startWeb } from '@sosia/server/fetch/web.test.kit';
import type { Web } from '@sosia/server/fetch/web.test.kit';
import { makeFilm, withoutFfmpeg } from '@sosia/server/sources/films.test.kit';
import { credentials, startMoto, withoutMoto } from '@sosia/server/sources/moto.test.kit';
import { response } from '@sosia/server/sources/warc.test.kit';
import { parsed, photograph, startBeside } from '../testing/sosia.test.kit.ts';
import type { Beside } from '../testing/sosia.test.kit.ts';

let beside: Beside;
let web: Web;
let folder: string;
let [key, administrator] = ['', ''];

before(async () => {
  web = await startWeb({ '/2.jpg': (response) => response.end(readFileSync(photograph(2))) });
  beside = await startBeside(`*:${web.port}`, { fetching: web.options });
  key = beside.application();
  folder = join(beside.home, 'posters');
  mkdirSync(folder);
  for (const number of [1, 2]) copyFileSync(photograph(number), join(folder, basename(photograph(number))));
  writeFileSync(join(folder, 'broken.jpg'), 'text');
  for (const name of ['kodim01.jpg', 'kodim02.jpg', 'broken.jpg']) utimesSync(join(folder, name), 1, 1);
  administrator = parsed((await beside.sosia('', 'admin', 'key', '--data', beside.data, '--json')).out)[0].key;
});
after(async () => {
  await beside.close();
  await web.close();
});

const of = ['--application', 'media-matching'];

async function source(...words: string[]): Promise<string> {
  const ended = await beside.sosia(administrator, 'source', ...words, ...of);
  assert.equal(ended.code, 0, ended.err);
  return ended.out;
}

async function reached(state: RegExp, name = 'posters'): Promise<string> {
  for (;;) {
    const out = await source('show', name);
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
  assert.match(await source('run', 'posters', '--dry-run'), /removed +2/);
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

test('files of a writable source go with their pictures where that is wished', async () => {
  const own = join(beside.home, 'own');
  mkdirSync(own);
  const names = ['kodim05.jpg', 'kodim06.jpg', 'kodim07.jpg', 'kodim08.jpg', 'z07.jpg', 'z08.jpg'];
  for (const name of names) {
    copyFileSync(photograph(Number(/\d+/.exec(name)![0])), join(own, name));
    utimesSync(join(own, name), 1, 1);
  }
  const left = () => names.filter((name) => existsSync(join(own, name)));
  const run = (...words: string[]) => beside.sosia(key, ...words);
  await source('add', 'own', '--path', own, '--interval', '3600');
  assert.doesNotMatch(await reached(/pictures +6/, 'own'), /may be moved/);
  assert.match((await run('delete', 'kodim05.jpg', '--files', 'delete')).err, /^0 files deleted/);
  assert.deepEqual(left(), names, 'it is not writable');
  assert.match(await source('writable', 'own'), /files +may be moved and deleted/);
  assert.match((await run('delete', 'kodim06.jpg', '--files', 'trash')).err, /^1 file moved to \.trash/);
  assert.deepEqual(readFileSync(join(own, '.trash/kodim06.jpg')), readFileSync(photograph(6)));
  await run('review', 'start', '--wait');
  const judge = ['review', 'judge', 'keep', '--all', 'duplicates', '--json', '--files'];
  const [{ verdicts, files }] = parsed((await run(...judge, 'trash')).out);
  assert.equal(files.changed, 2);
  assert.equal(left().length, 3);
  assert.match((await run('review', 'undo', ...verdicts)).err, /2 pictures added again/);
  assert.equal(left().length, 5);
  for (const name of ['kodim07.jpg', 'z07.jpg']) utimesSync(join(own, name), 2, 2);
  const { code, err } = await run(...judge, 'delete');
  assert.deepEqual([code, left().length], [1, 4]);
  assert.match(err, /1 file deleted[^]*07\.jpg stays: changed[^]*1 file could not be moved or deleted/);
  assert.doesNotMatch(await source('read-only', 'own'), /may be moved/);
  await source('remove', 'own', '--pictures', 'remove');
});

test('pictures of the web and of an archive are followed; a source has one place', async () => {
  const archive = join(beside.home, 'crawl.warc');
  writeFileSync(archive, response('/a', readFileSync(photograph(3))));
  await source('add', 'site', '--url', `${web.base}/2.jpg`, `${web.base}/absent.jpg`);
  assert.match(await reached(/pictures +1/, 'site'), /web +http:.*2\.jpg/);
  await source('add', 'crawl', '--archive', archive);
  await reached(/pictures +1/, 'crawl');
  const { SOSIA_MODIFY_URL: modify, SOSIA_QUERY_URL: query } = beside.environment;
  const { images } = await new Sosia({ modify: modify!, query: query!, key }).list();
  assert.deepEqual(images.map(({ id }) => id).sort(), [`${web.base}/2.jpg`, 'https://site.example/a']);
  const { code, err } = await beside.sosia(administrator, 'source', 'add', 'both', '--url', web.base, '--path', folder);
  assert.equal(code, 2);
  assert.match(err, /expected one of --path, --archive, --films, --url and --bucket/);
});

test('the films of a folder are followed', { skip: withoutFfmpeg }, async () => {
  const films = join(beside.home, 'films');
  mkdirSync(films);
  makeFilm(join(films, 'a.mkv'), [{ photograph: 6, seconds: 1 }]);
  utimesSync(join(films, 'a.mkv'), 1, 1);
  await source('add', 'films', '--films', films);
  assert.match(await reached(/pictures +1/, 'films'), /films +\S+films/);
  const found = await beside.sosia(key, 'search', photograph(6), '--json');
  assert.match(found.out, /a\.mkv#t=0:00:00\.00/);
});

test('a bucket is followed', { skip: withoutMoto }, async () => {
  const moto = await startMoto('posters');
  try {
    await moto.put('new/4.jpg', readFileSync(photograph(4)));
    const { access_key: AWS_ACCESS_KEY_ID, secret_key: AWS_SECRET_ACCESS_KEY } = credentials;
    Object.assign(beside.environment, { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY });
    await source('add', 'stored', '--bucket', 'posters', '--endpoint', moto.endpoint);
    await reached(/pictures +1/, 'stored');
  } finally {
    await moto.close();
  }
});
