import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Sosia } from '@sosia/client';
import { pictureFolder } from '@sosia/server/sources/sources.test.kit';
import type { PictureFolder } from '@sosia/server/sources/sources.test.kit';
import { parsed, photograph, startBeside } from '../../testing/sosia.test.kit.ts';
import type { Beside, Ended } from '../../testing/sosia.test.kit.ts';

let beside: Beside;
let folder: PictureFolder;
let key: string;
let sosia: Sosia;

before(async () => (beside = await startBeside()));
beforeEach(async () => {
  folder = await pictureFolder();
  key = beside.application();
  const { SOSIA_MODIFY_URL: modify, SOSIA_QUERY_URL: query } = beside.environment;
  sosia = new Sosia({ key, modify, query });
});
afterEach(() => folder.close());
after(() => beside.close());

const file = (number: number) => readFileSync(photograph(number));

function watch(...words: string[]): Promise<Ended> {
  return beside.sosia(key, 'watch', folder.path, '--state', `${key}.jsonl`, '--json', ...words);
}

/** Lets a pass run to its end. */
async function passed(...words: string[]): Promise<any> {
  const { code, out, err } = await watch('--once', ...words);
  assert.equal(code, 0, err);
  const { pictures: _, failed: __, ...changes } = parsed(out)[0];
  return Object.fromEntries(Object.entries(changes).filter(([, count]) => count !== 0));
}

async function images(): Promise<any[]> {
  const all = [];
  for await (const image of sosia.images()) all.push(image);
  return all;
}
const ids = async () => (await images()).map(({ id }) => id);

test('pictures are added, changed, moved with their keywords and removed, as the folder is', async () => {
  await folder.write('a.jpg', file(1));
  await folder.write('b/c.jpg', file(2));
  await folder.write('b/broken.jpg', 'text');
  const foretold = await watch('--dry-run');
  assert.deepEqual(parsed(foretold.out)[0], { listed: 3, added: 3, changed: 0, removed: 0 });
  assert.deepEqual(await ids(), []);

  const first = await watch('--once', '--keyword', 'studio', '--prefix', 'nas/');
  assert.deepEqual(parsed(first.out), [{ pictures: 2, added: 2, changed: 0, moved: 0, removed: 0, failed: 1 }]);
  assert.match(first.err, /^b\/broken\.jpg: Not a picture/);
  assert.deepEqual(await ids(), ['nas/a.jpg', 'nas/b/c.jpg']);
  assert.deepEqual((await images())[0].keywords, ['studio']);

  await sosia.setKeywords('nas/b/c.jpg', ['own']);
  await sosia.setMetadata('nas/b/c.jpg', { year: 1999 });
  await folder.move('b/c.jpg', 'moved/c.jpg');
  await folder.write('a.jpg', file(3));
  assert.deepEqual(await passed('--prefix', 'nas/'), { changed: 1, moved: 1 });
  const [changed, moved] = await images();
  assert.deepEqual([changed.id, changed.keywords, moved.id], ['nas/a.jpg', ['studio'], 'nas/moved/c.jpg']);
  assert.deepEqual([moved.keywords, moved.metadata], [['own'], { year: 1999 }]);
  assert.equal((await sosia.search(file(3))).images[0]!.id, 'nas/a.jpg');
  await folder.remove('moved/c.jpg');
  assert.deepEqual(await passed('--prefix', 'nas/'), { removed: 1 });
  assert.deepEqual(await passed('--prefix', 'nas/'), {});
  const other = await watch('--once');
  assert.match(other.err, /journal of another watch/);
});

test('an empty folder removes nothing before somebody agrees, and a missing one nothing at all', async () => {
  for (const number of [1, 2]) await folder.write(`${number}.jpg`, file(number));
  await passed();
  for (const number of [1, 2]) await folder.remove(`${number}.jpg`);
  const { code, err } = await watch('--once');
  assert.equal(code, 1);
  assert.match(err, /would remove 2 of 2 pictures; nothing was removed/);
  assert.deepEqual(await ids(), ['1.jpg', '2.jpg']);
  assert.deepEqual(await passed('--removals', '2'), { removed: 2 });
  await folder.close();
  assert.equal((await watch('--once')).code, 2);
});

test('a service that does not answer is no fault of a picture, which the next pass adds', async () => {
  await folder.write('a.jpg', file(1));
  const away = await watch('--once', '--query-url', 'http://127.0.0.1:1');
  assert.equal(away.code, 1);
  assert.match(away.err, /127\.0\.0\.1:1/);
  assert.deepEqual(await passed(), { added: 1 });
});

test('with --dna no file is sent: searches find the pictures, and another type is refused', async () => {
  await folder.write('a.jpg', file(1));
  await folder.write('broken.jpg', 'text');
  assert.deepEqual(await passed('--dna', 'media-matching'), { added: 1 });
  const { images: found } = await sosia.search(file(1));
  assert.deepEqual([found[0]!.id, found[0]!.score], ['a.jpg', 0]);
  const { code, err } = await watch('--once', '--dna', 'image-similarity');
  assert.deepEqual([code, err], [0, '']);
  await folder.write('b.jpg', file(2));
  assert.match((await watch('--once', '--dna', 'image-similarity')).err, /DNA/);
  assert.deepEqual(await ids(), ['a.jpg']);
});

test('killed at any moment the command resumes without a miss or a double, and follows what happens meanwhile', async () => {
  const other = (number: number, i: number) => Buffer.concat([file(number), Buffer.from(String(i))]);
  for (let i = 0; i < 30; i++) await folder.write(`${i}.jpg`, other(1 + (i % 24), i));
  for (let kills = 0; kills < 6; kills++) {
    const child = beside.start(key, 'watch', folder.path, '--state', `${key}.jsonl`, '--interval', '1');
    const before = await sosia.count();
    while ((await sosia.count()) < Math.min(30, before + 4)) await pause(10);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await folder.move(`${kills}.jpg`, `moved/${kills}.jpg`);
    await folder.write(`${10 + kills}.jpg`, other(17 + kills, kills));
  }
  await passed();
  const expected = Array.from({ length: 30 }, (_, i) => (i < 6 ? `moved/${i}.jpg` : `${i}.jpg`));
  assert.deepEqual(await ids(), expected.sort());
  assert.deepEqual(await passed(), {});
  for (const number of [10, 15]) {
    const { images: found } = await sosia.search(file(17 + number - 10), { ids: [`${number}.jpg`] });
    assert.equal(found[0]!.score, 0);
  }
});

test('without end: a new file is added after the first pass, and the end of the command is no failure', async () => {
  const child = beside.start(key, 'watch', folder.path, '--state', `${key}.jsonl`, '--interval', '1');
  await pause(500);
  await folder.write('late.jpg', file(5));
  while ((await sosia.count()) === 0) await pause(50);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});
