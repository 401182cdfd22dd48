import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { editedFolder } from '@sosia/fixtures';
import { parsed, photograph, startBeside } from '../../testing/sosia.test.kit.ts';
import type { Beside, Ended } from '../../testing/sosia.test.kit.ts';

let beside: Beside;
let key: string;

before(async () => {
  beside = await startBeside();
  key = beside.application();
  await run('add', photograph(5), photograph(2), join(editedFolder, 'kodim05-cropped.jpg'));
});
after(() => beside.close());

async function run(...words: string[]): Promise<Ended> {
  const ended = await beside.sosia(key, ...words);
  assert.equal(ended.code, 0, ended.err);
  return ended;
}

const json = async (...words: string[]): Promise<any[]> => parsed((await run(...words, '--json')).out);

test('groups are found, judged, taken back, exported and imported', async () => {
  const [progress] = await json('review', 'start', '--wait');
  assert.deepEqual([progress.state, progress.compared, progress.duplicates], ['idle', 3, 1]);
  const [group] = await json('review', 'groups');
  assert.equal(group.images.length, 2);
  assert.match((await run('review', 'groups')).out, /keep +768 x 512/);
  assert.match((await run('review', 'status')).out, /duplicates +1/);

  const [none] = await json('review', 'judge', 'keep', '--all', 'duplicates');
  assert.deepEqual(none, { verdicts: [], removed: 0 }, 'a crop is no Clone');
  const [judged] = await json('review', 'judge', 'keep', group.id);
  assert.equal(judged.removed, 1);
  assert.deepEqual(await json('review', 'undo', ...judged.verdicts), [{ restored: 1 }]);
  await run('review', 'judge', 'different', group.id);
  assert.match((await run('review', 'verdicts')).out, /different/);
  assert.equal((await beside.sosia(key, 'review', 'judge', 'keep')).code, 2);

  await run('ignored', 'add', photograph(1));
  await run('ignored', 'delete', basename(photograph(1)));
  await run('ignored', 'add', photograph(3), '--id', 'banner');
  assert.match((await run('ignored', 'list')).out, /banner +768 x 512/);
  const file = join(beside.home, 'verdicts.jsonl');
  await run('review', 'export', file);
  assert.deepEqual(
    parsed(readFileSync(file, 'utf8')).map((line) => line.verdict ?? line.ignored),
    ['different', 'banner'],
  );
  const other = beside.application('brand-monitoring');
  const refused = await beside.sosia(other, 'review', 'import', file);
  assert.equal(refused.code, 1);
  await run('ignored', 'delete', 'banner');
  assert.match((await run('review', 'import', file)).err, /0 new verdicts, 1 new ignored picture\b/);
  assert.match((await run('review', 'import', file)).err, /0 new verdicts, 0 new ignored pictures/);
  writeFileSync(file, 'no JSON\n');
  assert.equal((await beside.sosia(key, 'review', 'import', file)).code, 1);
});

test('a search for duplicates names the review', async () => {
  const { code, err } = await beside.sosia(key, 'duplicates');
  assert.equal(code, 2);
  assert.match(err, /sosia review start --wait`, then `sosia review groups/);
});

test('a wrong match is marked, and matches are counted', async () => {
  const id = (await json('search', photograph(2)))[0].images[0].id;
  const [{ group }] = await json('review', 'wrong', id, '--picture', photograph(2));
  const [wrong] = await json('review', 'groups', '--kind', 'wrong');
  assert.equal(wrong.id, group);
  assert.match((await run('review', 'groups', '--kind', 'wrong')).out, /query +dna:/);
  const [count] = await json('matches');
  assert.deepEqual([count.id, count.found, count.clone], [id, 1, 1]);
  assert.match((await run('matches', '--order', 'last')).out, /Clone/);
});
