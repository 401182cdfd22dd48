import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { errorCodes } from '@sosia/client';
import { samplesFolder } from '@sosia/fixtures';
import { parsed, startBeside } from '../../testing/sosia.test.kit.ts';
import type { Beside } from '../../testing/sosia.test.kit.ts';

let beside: Beside;
let home: string;
before(async () => {
  beside = await startBeside();
  home = beside.home;
  mkdirSync(join(home, 'pictures', 'sea', 'deep'), { recursive: true });
  const put = (name: string, path: string) => cpSync(join(samplesFolder, name), join(home, 'pictures', path));
  put('kodim01.jpg', 'sea/one.jpg');
  put('kodim02.jpg', 'sea/deep/two.jpg');
  put('kodim03.jpg', 'three');
  writeFileSync(join(home, 'pictures', 'notes.txt'), 'to be read');
});
after(() => beside.close());

const newKey = () => beside.application();
const sosia = (key: string, ...words: string[]) => beside.sosia(key, ...words);

const jsonLines = (path: string) => parsed(readFileSync(join(home, path), 'utf8'));

test('a folder is imported with ids from paths and keywords from folders; files that are no pictures are reported', async () => {
  const key = newKey();
  const words = ['import', 'pictures', '--keywords-from', 'folders', '--json'];
  const first = await sosia(key, ...words);
  assert.equal(first.code, 0, first.err);
  const { seconds: _, ...summary } = JSON.parse(first.out);
  const report = 'pictures.import.jsonl';
  assert.deepEqual(summary, {
    added: 3,
    there_before: 0,
    failed: 0,
    hard_to_match: 0,
    no_pictures: 1,
    links_out: 0,
    report,
  });
  assert.deepEqual(jsonLines(report), [{ path: 'pictures/notes.txt', why: 'no picture', fault: false }]);
  assert.ok(!existsSync(join(home, `${report}.journal`)));

  const [found] = parsed((await sosia(key, 'export', '--ids', 'sea/deep/two.jpg', '--no-dna')).out);
  assert.deepEqual(found.keywords, ['sea', 'deep']);
  assert.equal(JSON.parse((await sosia(key, ...words)).out).there_before, 3);
  const set = await sosia(key, 'import', 'pictures', '--set-keywords', '--json');
  assert.equal(JSON.parse(set.out).keywords_set, 3);
  const [changed] = parsed((await sosia(key, 'export', '--ids', 'sea/deep/two.jpg', '--no-dna')).out);
  assert.deepEqual(changed.keywords, []);
});

test('a dry run shows everything and sends nothing', async () => {
  const key = newKey();
  const { code, out, err } = await sosia(key, 'import', 'pictures', '--dry-run');
  assert.equal(code, 0);
  assert.match(out, /^add {3}sea\/one\.jpg$/m);
  assert.match(out, /^skip {2}pictures\/notes\.txt {2}no picture$/m);
  assert.match(err, /3 would be added, 1 would not/);
  assert.equal(JSON.parse((await sosia(key, 'status', '--json')).out).pictures, 0);
});

test(
  'a link that leads out of the folder is skipped, counted and named; one within is taken',
  { skip: process.platform === 'win32' },
  async () => {
    const key = newKey();
    const folder = join(home, 'linked');
    mkdirSync(join(home, 'linked-beside'), { recursive: true });
    mkdirSync(folder);
    cpSync(join(samplesFolder, 'kodim05.jpg'), join(folder, 'own.jpg'));
    cpSync(join(samplesFolder, 'kodim06.jpg'), join(home, 'linked-beside', 'private.jpg'));
    symlinkSync('own.jpg', join(folder, 'within.jpg'));
    symlinkSync('../linked-beside/private.jpg', join(folder, 'out.jpg'));
    symlinkSync(join(home, 'linked-beside'), join(folder, 'folder'));
    symlinkSync('out.jpg', join(folder, 'round.jpg'));
    const { code, out, err } = await sosia(key, 'import', 'linked', '--json');
    assert.equal(code, 0, err);
    const { added, links_out } = JSON.parse(out);
    assert.deepEqual([added, links_out], [2, 3]);
    for (const name of ['folder', 'out.jpg', 'round.jpg']) {
      assert.match(err, new RegExp(`^linked/${name}: a link that leads out of the folder, skipped$`, 'm'));
    }
    const ids = parsed((await sosia(key, 'export', '--no-dna')).out).map(({ image_id }) => image_id);
    assert.deepEqual(ids, ['own.jpg', 'within.jpg']);
  },
);

test('lists name ids and keywords; each line that cannot be used is in the report and ends with 1', async () => {
  const key = newKey();
  writeFileSync(join(home, 'pictures', 'broken.jpg'), 'no picture at all');
  writeFileSync(
    join(home, 'list.csv'),
    'image_id,path,keywords\n"a, ""b""",pictures/three,sea; sky\na2,pictures/missing.jpg,\na3,pictures/broken.jpg,\n,,x\n',
  );
  const { code, out, err } = await sosia(key, 'import', 'list.csv', '--json');
  rmSync(join(home, 'pictures', 'broken.jpg'));
  assert.equal(code, 1);
  assert.match(err, /3 failed; list\.csv\.import\.jsonl lists/);
  assert.equal(JSON.parse(out).added, 1);
  const report = jsonLines('list.csv.import.jsonl');
  assert.deepEqual(report.map(({ code }) => code).sort(), [errorCodes.NOT_A_PICTURE, undefined, undefined]);
  assert.match(report.map(({ why }) => why).join(), /expected a path.*ENOENT|expected a path.*Not a picture/s);
});

test('a real folder: accents, blanks and ; in names, a broken picture, one that holds little, copies, a link', async () => {
  const key = newKey();
  const mine = join(home, 'Mes photos; été', 'ça va');
  mkdirSync(mine, { recursive: true });
  const good = readFileSync(join(samplesFolder, 'kodim07.jpg'));
  writeFileSync(join(mine, 'à la plage (1).JPG'.normalize('NFD')), good);
  writeFileSync(join(mine, 'broken.jpg'), good.subarray(0, 9000));
  writeFileSync(join(mine, 'four squares.bmp'), fourSquares());
  writeFileSync(join(mine, '.hidden.jpg'), good);
  symlinkSync('.hidden.jpg', join(mine, 'link.jpg'));

  const { code, out, err } = await sosia(key, 'import', 'Mes photos; été', '--keywords-from', 'folders');
  assert.equal(code, 1);
  assert.match(
    out,
    /^added +3\nthere before +0\nfailed +1\nidentical copies +1\nhard to match +1\nno pictures +1\nlinks out +0\nseconds +\S+/,
  );
  assert.match(err, /^Mes photos; été\/ça va\/broken\.jpg: The picture is damaged: /m);
  const ids = parsed((await sosia(key, 'export', '--no-dna')).out).map(({ image_id }) => image_id);
  assert.deepEqual(ids, ['ça va/four squares.bmp', 'ça va/link.jpg', 'ça va/à la plage (1).JPG']);
  const weak = jsonLines('Mes photos; été.import.jsonl').find(({ grade }) => grade !== undefined);
  assert.deepEqual([weak.image_id, weak.fault], ['ça va/four squares.bmp', false]);
  const copy = jsonLines('Mes photos; été.import.jsonl').find(({ why }) => why.startsWith('the same file as'));
  assert.match(copy.image_id, /link.jpg|plage/);
  assert.match(weak.why, /^hard to match: few features: \d+, features in one part only/);
});

test('killed in the middle, a run started again repeats nothing and loses nothing', async () => {
  const key = newKey();
  cpSync(samplesFolder, join(home, 'many'), { recursive: true });
  const child = beside.start(key, 'import', 'many', '--parallel', '2');
  const journal = join(home, 'many.import.jsonl.journal');
  const entries = () => (existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').length - 2 : 0);
  while (entries() < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill('SIGKILL');
  await once(child, 'exit');
  const done = entries();
  assert.ok(done >= 3 && done < 24, `${done}`);
  writeFileSync(journal, '"torn', { flag: 'a' });

  const other = await sosia(newKey(), 'import', 'many');
  assert.equal(other.code, 1);
  assert.match(other.err, /the journal of another import/);

  const { code, out, err } = await sosia(key, 'import', 'many', '--json');
  assert.equal(code, 0, err);
  assert.match(err, new RegExp(`${done} of 24 are done`));
  const { added, there_before } = JSON.parse(out);
  assert.equal(added + there_before, 24);
  assert.ok(there_before >= done && there_before <= done + 2); // two were under way
  assert.equal(JSON.parse((await sosia(key, 'status', '--json')).out).pictures, 24);
  assert.ok(!existsSync(journal));
  assert.equal(readdirSync(samplesFolder).length, 25); // with SOURCES.md
});

test('a wrong key, a dead server and a wrong command line end with words', async () => {
  const dead = ['--modify-url', 'http://127.0.0.1:9'];
  for (const [key, words, expected, sentence] of [
    ['nobody', ['import', 'pictures'], 1, /Unknown application key/],
    ['k', ['import', 'pictures', ...dead], 1, /no answer from http:\/\/127\.0\.0\.1:9: /],
    ['k', ['import', 'nowhere', '--dry-run'], 1, /there is no file or folder nowhere/],
    ['k', ['import'], 2, /missing required argument 'source'/],
    ['k', ['import', 'pictures', '--parallel', '0'], 2, /whole number from 1 to 64/],
    ['', ['import', 'pictures'], 1, /Unknown application key|--app/],
  ] as const) {
    const { code, err, out } = await sosia(key, ...words);
    assert.equal(code, expected, err);
    assert.match(err, sentence);
    assert.equal(out, '');
  }
});

/** A picture with hardly anything in it: four grey squares in the middle. */
function fourSquares(): Buffer {
  const [side, greys] = [200, [20, 90, 250, 160]];
  const bytes = Buffer.alloc(54 + 3 * side * side, 200);
  bytes.fill(0, 0, 54).write('BM', 'latin1');
  for (const [at, value] of [
    [2, bytes.length],
    [10, 54],
    [14, 40],
    [18, side],
    [22, side],
  ] as const) {
    bytes.writeUInt32LE(value, at);
  }
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  for (let y = 60; y < 84; y++) {
    for (let x = 60; x < 84; x++) {
      const grey = greys[(x < 72 ? 0 : 1) + (y < 72 ? 0 : 2)]!;
      bytes.fill(grey, 54 + 3 * (y * side + x), 57 + 3 * (y * side + x));
    }
  }
  return bytes;
}
