import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { editedFolder } from '@sosia/fixtures';
import { startWeb } from '@sosia/server/fetch/web.test.kit';
import { parsed, photograph, startBeside } from '../testing/sosia.test.kit.ts';
import type { Beside } from '../testing/sosia.test.kit.ts';

let beside: Beside;
let key: string;
let colors: string;
const sosia = (...words: string[]) => beside.sosia(key, ...words);
const edited = (name: string) => join(editedFolder, name);
before(async () => {
  beside = await startBeside();
  [key, colors] = [beside.application(), beside.application('color-similarity')];
  mkdirSync(join(beside.home, 'p', 'été'), { recursive: true });
  cpSync(photograph(23), join(beside.home, 'p', 'été', 'two birds.jpg'));
  cpSync(photograph(5), join(beside.home, 'p', 'bikes.jpg'));
  await sosia('import', 'p', '--keywords-from', 'folders');
  await beside.sosia(colors, 'import', 'p', '--keywords-from', 'folders', '--report', 'colors.jsonl');
});
after(() => beside.close());

test('a table for people: score, decision, id, keywords; the count beside it', async () => {
  const { code, out, err } = await sosia('search', edited('kodim23-rotated.jpg'));
  assert.equal(code, 0);
  assert.match(out, /^score   decision  id                 keywords\n0\.\d{4}  Match     été\/two birds\.jpg  été\n$/);
  assert.equal(err, '1 found\n');
});

test('JSON for programs: one line a search, what it was with and what was found', async () => {
  const files = [edited('kodim05-cropped.jpg'), edited('kodim20-mirrored.jpg')];
  const { code, out, err } = await sosia('search', ...files, '--json');
  assert.deepEqual([code, err], [0, '']);
  const [first, second] = parsed(out);
  assert.deepEqual([first.file, first.total, first.images[0].id], [files[0], 1, 'bikes.jpg']);
  assert.equal(first.images[0].resultInfo.decision, 'Match');
  assert.deepEqual(second, { file: files[1], total: 0, images: [] });
});

test('by id, DNA, keywords and colours; narrowed by keywords and ids', async () => {
  const ids = async (...words: string[]) =>
    parsed((await sosia('search', '--json', ...words)).out)[0].images.map((i: any) => i.id);
  assert.deepEqual(await ids('--id', 'bikes.jpg'), ['bikes.jpg']);
  assert.deepEqual(await ids('--id', 'bikes.jpg', '--keywords', 'été'), []);
  assert.deepEqual(await ids('--id', 'bikes.jpg', '--ids', 'été/two birds.jpg'), []);
  assert.deepEqual(await ids('--keywords', 'été'), ['été/two birds.jpg']);
  const bytes = join(beside.home, 'bikes.dna');
  await sosia('dna', photograph(5), '--type', 'media-matching', '--out', bytes);
  const { out: text } = await sosia('dna', photograph(5), '--type', 'media-matching');
  writeFileSync(`${bytes}.txt`, text);
  for (const file of [bytes, `${bytes}.txt`]) assert.deepEqual(await ids('--dna', file), ['bikes.jpg']);
  const found = await beside.sosia(colors, 'search', '--colors', '8a3030@30', 'ffffff', '--count', '1', '--json');
  assert.equal(parsed(found.out)[0].images.length, 1);
});

test('copies of one picture are one line with their number', async () => {
  const folded = beside.application();
  for (const name of ['a', 'b', 'c']) await beside.sosia(folded, 'add', photograph(23), '--id', name);
  const { out, err } = await beside.sosia(folded, 'search', photograph(23), '--fold');
  assert.match(out, /^score   decision  copies  id  keywords\n0\.0000  Clone     2       a\s*\n$/);
  assert.equal(err, '3 found\n');
  const { out: json } = await beside.sosia(folded, 'search', photograph(23), '--fold', '--json');
  assert.deepEqual(
    parsed(json)[0].images[0].copies.map(({ id }: any) => id),
    ['b', 'c'],
  );
});

test('addresses stand for files: the service fetches them', async () => {
  const web = await startWeb({ '/birds.jpg': (response) => response.end(readFileSync(photograph(23))) });
  const fetching = await startBeside(`*:${web.port}`, { fetching: web.options });
  try {
    const app = fetching.application();
    const added = await fetching.sosia(app, 'add', `${web.base}/birds.jpg`);
    assert.deepEqual([added.code, added.out], [0, `added web.example:${web.port}/birds.jpg\n`]);
    const { out } = await fetching.sosia(app, 'search', `${web.base}/birds.jpg`, '--json');
    assert.equal(parsed(out)[0].total, 1);
    assert.match((await fetching.sosia(app, 'search', `${web.base}/absent.jpg`)).err, /answered 404 \(-1032\)/);
    assert.match((await sosia('search', `${web.base}/birds.jpg`)).err, /fetch_hosts switches it on/);
  } finally {
    await fetching.close();
    await web.close();
  }
});

test('--explain shows how many places agree, or the reason if the only picture does not match', async () => {
  const { out } = await sosia('search', edited('kodim23-rotated.jpg'), '--explain');
  const [, agreeing] = /Match {5}(\d+) {4}été/.exec(out)!;
  assert.ok(Number(agreeing) > 20);
  const { err } = await sosia('search', photograph(5), '--ids', 'été/two birds.jpg', '--explain');
  assert.match(err, /^nothing found\nété\/two birds\.jpg is no match: \S/);
});

test('a failed search exits with 1, an invalid command line with 2, each with a sentence', async () => {
  for (const [words, code, sentence] of [
    [['missing.jpg'], 1, /^sosia: there is no file or folder missing\.jpg$/m],
    [
      ['missing.jpg', photograph(5)],
      1,
      /^missing\.jpg: there is no file or folder missing\.jpg\n.*1 found\n.*1 of 2 searches failed/s,
    ],
    [['p'], 1, /^sosia: expected a file, got a folder/],
    [['--id', 'nobody'], 1, /^sosia: Unknown image id/],
    [['--colors', 'fff'], 1, /SearchImageByColors is for Color similarity/],
    [[], 2, /^sosia: Expected one of: files, --id/],
    [['--id', 'a', '--dna', 'b'], 2, /^sosia: Expected one of: files, --id/],
    [['a', '--count', '0'], 2, /whole number from 1 to 1000/],
  ] as const) {
    const ended = await sosia('search', ...words);
    assert.match(ended.err, sentence);
    assert.equal(ended.code, code, ended.err);
  }
});

test('the palette of the application, of one of its pictures and of a file', async () => {
  const palette = (...words: string[]) => beside.sosia(colors, 'palette', ...words);
  const all = parsed((await palette('--json', '--count', '3')).out);
  assert.equal(all.length, 3);
  assert.ok(all.every(({ rgb, pictures }) => /^[0-9a-f]{6}$/.test(rgb) && pictures >= 1 && pictures <= 2));
  assert.deepEqual(parsed((await palette('--keywords', 'été', '--json')).out)[0].pictures, 1);
  const ofPicture = await palette('--id', 'bikes.jpg');
  assert.match(ofPicture.out, /^ *colour +share\n +[0-9a-f]{6} +\d+ +█+\n/);
  assert.equal((await palette(photograph(5))).out, ofPicture.out);
  assert.equal((await palette(photograph(5), '--id', 'bikes.jpg')).code, 2);
  assert.equal((await beside.sosia(key, 'palette')).code, 1);
});
