import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { editedFolder } from '@sosia/fixtures';
import { parsed, photograph, startBeside } from '../../testing/sosia.test.kit.ts';
import type { Beside } from '../../testing/sosia.test.kit.ts';

let beside: Beside;
let key: string;
const sosia = (...words: string[]) => beside.sosia(key, ...words);
const edited = (name: string) => join(editedFolder, name);
before(async () => {
  beside = await startBeside();
  key = beside.application();
  await add({ bikes: photograph(5), crop: edited('kodim05-cropped.jpg'), birds: photograph(23), wall: photograph(1) });
});
after(() => beside.close());

let lists = 0;
async function add(pictures: Record<string, string>): Promise<void> {
  const name = `list${++lists}.jsonl`;
  const lines = Object.entries(pictures).map(([image_id, path]) => JSON.stringify({ image_id, path }));
  writeFileSync(join(beside.home, name), lines.join('\n'));
  assert.equal((await sosia('import', name)).code, 0);
}

const groups = async (...words: string[]) => {
  const { code, out, err } = await sosia('duplicates', '--json', ...words);
  assert.equal(code, 0, err);
  return parsed(out).map(({ pictures }) => pictures.map(({ id }: { id: string }) => id));
};

test('copies are a group, and what has none is in no group', async () => {
  const { code, out, err } = await sosia('duplicates');
  assert.equal(code, 0);
  assert.match(out, /^group  score   id\n1 {6}0\.\d{4}  bikes\n {7}0\.\d{4}  crop\n$/);
  assert.match(err, /4 pictures, 4 compared now\n2 pictures in 1 group\n$/);
});

test('with a journal only new pictures are compared, and declarations are stored', async () => {
  const journal = ['--journal', 'posters.duplicates'];
  assert.deepEqual(await groups(...journal), [['bikes', 'crop']]);
  assert.match((await sosia('duplicates', ...journal)).err, /4 pictures, 0 compared now\n2 pictures in 1 group/);

  await add({ turned: edited('kodim23-rotated.jpg') });
  assert.match((await sosia('duplicates', ...journal)).err, /5 pictures, 1 compared now\n4 pictures in 2 groups/);

  assert.equal((await sosia('duplicates', ...journal, '--not-duplicates', 'crop', 'bikes')).code, 0);
  assert.deepEqual(await groups(...journal), [['birds', 'turned']]);
  await sosia('delete', 'turned');
  assert.match((await sosia('duplicates', ...journal)).err, /4 pictures, 0 compared now\nno duplicates/);

  const other = await beside.sosia(beside.application(), 'duplicates', ...journal);
  assert.equal(other.code, 1);
  assert.match(other.err, /the journal of another application/);
});

test('a picture replaced under its id is compared again, and the declarations on the old one are dropped', async () => {
  const journal = ['--journal', 'anew.duplicates'];
  await add({ cat: photograph(3), copy: photograph(3) });
  assert.deepEqual(await groups(...journal), [
    ['cat', 'copy'],
    ['bikes', 'crop'],
  ]);
  await sosia('delete', 'copy');
  await add({ copy: photograph(3) });
  assert.match((await sosia('duplicates', ...journal)).err, /6 pictures, 0 compared now\n4 pictures in 2 groups/);
  await sosia('delete', 'copy');
  await add({ copy: edited('kodim23-rotated.jpg') });
  assert.match((await sosia('duplicates', ...journal)).err, /6 pictures, 1 compared now/);
  assert.deepEqual(await groups(...journal), [
    ['birds', 'copy'],
    ['bikes', 'crop'],
  ]);
  await sosia('delete', 'cat', 'copy');
});

test('an interrupted run resumes with its comparisons', async () => {
  const journal = ['--journal', 'killed.duplicates'];
  const whole = await groups(...journal);
  const path = join(beside.home, 'killed.duplicates');
  const lines = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, `${lines.slice(0, 3).join('\n')}\n{"looked":"to`);
  assert.match((await sosia('duplicates', ...journal)).err, /4 pictures, 2 compared now/);
  assert.deepEqual(await groups(...journal), whole);
});

test('--below leaves out what matches less', async () => {
  const [group] = parsed((await sosia('duplicates', '--json')).out);
  const score = group.pictures[0].score;
  assert.deepEqual(await groups('--below', String(score)), []);
  assert.deepEqual(await groups('--below', String(score + 0.001)), [['bikes', 'crop']]);
});

test('types that score every picture need --below, and Mobile Matching has no duplicates to be found', async () => {
  const colors = beside.application('color-similarity');
  assert.equal((await beside.sosia(colors, 'import', 'list1.jsonl', '--report', 'colors.report')).code, 0);
  const refused = await beside.sosia(colors, 'duplicates');
  assert.equal(refused.code, 2);
  assert.match(refused.err, /with --below SCORE/);
  const found = await beside.sosia(colors, 'duplicates', '--below', '0.2', '--json');
  assert.equal(found.code, 0, found.err);
  const remembered = async (below: string) =>
    (await beside.sosia(colors, 'duplicates', '--below', below, '--journal', 'colors.duplicates')).err;
  assert.match(await remembered('0.2'), /4 compared now/);
  assert.match(await remembered('0.1'), /0 compared now/);
  assert.match(await remembered('1'), /4 compared now\n4 pictures in 1 group/);

  const mobile = beside.application('mobile-matching');
  await beside.sosia(mobile, 'import', 'list1.jsonl', '--report', 'mobile.report');
  const { code, err } = await beside.sosia(mobile, 'duplicates');
  assert.equal(code, 1);
  assert.match(err, /asymmetric/i);
});

test('saying without a journal, or of one picture, is not possible', async () => {
  assert.equal((await sosia('duplicates', '--not-duplicates', 'a', 'b')).code, 2);
  assert.equal((await sosia('duplicates', '--journal', 'j', '--not-duplicates', 'a')).code, 2);
});
