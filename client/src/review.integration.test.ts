import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Sosia } from './index.ts';
import { collected, photograph, startService } from './service.test.kit.ts';
import type { Service } from './service.test.kit.ts';

let service: Service;
let sosia: Sosia;
before(async () => {
  service = await startService();
  sosia = new Sosia(service.application('media-matching'));
  for (const number of [1, 2]) for (const copy of 'ab') await sosia.add(`${number}${copy}`, await photograph(number));
});
after(() => service.close());

async function compared(): Promise<void> {
  await sosia.review.start();
  while ((await sosia.review.progress()).state === 'running') await pause(20);
}

async function idsOf(): Promise<string[]> {
  return (await collected(sosia.images())).map(({ id }) => id);
}

test('copies are judged, and verdicts are listed, taken back and imported', async () => {
  await compared();
  const { total, groups } = await sosia.review.groups();
  assert.deepEqual([total, groups.length], [2, 2]);
  assert.equal((await sosia.review.groups({ start: 1 })).groups.length, 1);

  const ids = groups.map(({ id }) => id);
  const { verdicts, removed } = await sosia.review.judge(ids, 'keep');
  assert.deepEqual([verdicts.length, removed, (await idsOf()).length], [2, 2, 2]);
  assert.equal((await collected(sosia.review.verdicts())).length, 2);
  assert.deepEqual(await sosia.review.undo(verdicts), { restored: 2 });
  assert.deepEqual(await idsOf(), ['1a', '1b', '2a', '2b']);
  assert.deepEqual(await collected(sosia.review.verdicts()), []);

  const judged = [{ verdict: 'different', images: ['1a', '1b'] }] as const;
  const imported = judged.map(({ verdict, images }) => ({ verdict, images: [...images] }));
  assert.equal(await sosia.review.importVerdicts(imported), 1);
  assert.equal(await sosia.review.importVerdicts(imported), 0);
});

test('a picture to keep can be named; all pictures are compared again on request', async () => {
  await compared();
  const [group] = (await sosia.review.groups()).groups;
  const others = group!.images.map(({ id }) => id).filter((id) => id !== group!.keep);
  const { verdicts, removed } = await sosia.review.judge([group!.id], 'keep', { keep: others[0]! });
  assert.equal(removed, 1);
  assert.ok(!(await idsOf()).includes(group!.keep));
  assert.deepEqual(await sosia.review.undo(verdicts), { restored: 1 });
  await compared();
  assert.equal((await sosia.review.start()).compared, 4, 'what was compared stays so');
  assert.ok((await sosia.review.start({ again: true })).compared < 4);
  while ((await sosia.review.progress()).state === 'running') await pause(20);
});

test('the ignore list has what was added, with its DNA on request', async () => {
  const dna = await sosia.dna('1a');
  await sosia.review.ignore('banner', { dna });
  await sosia.review.ignore('logo', { picture: await photograph(7) });
  const plain = await sosia.review.ignored();
  assert.deepEqual(
    plain.map((each) => [each.id, 'dna' in each]),
    [
      ['banner', false],
      ['logo', false],
    ],
  );
  assert.deepEqual((await sosia.review.ignored({ dna: true }))[0]!.dna, dna);
  await sosia.review.stopIgnoring('logo');
  await sosia.review.stopIgnoring('banner');
  assert.deepEqual(await sosia.review.ignored(), []);
});

test('a search with verdicts leaves out a picture that was marked as wrong', async () => {
  const group = await sosia.review.markWrong('2a', { id: '2b' });
  await sosia.review.judge([group], 'different');
  const found = async (verdicts: boolean): Promise<string[]> =>
    (await sosia.searchById('2b', { verdicts })).images.map(({ id }) => id);
  assert.deepEqual([(await found(true)).includes('2a'), (await found(false)).includes('2a')], [false, true]);
});

test('many groups are judged 100 at a time, and what was removed is summed', async () => {
  const parts: number[] = [];
  const recorder = createServer(async (request, response) => {
    const groups = /name="groups"\r\n\r\n([^\r]*)/.exec(await text(request))![1]!.split(';');
    parts.push(groups.length);
    const verdicts = groups.map((group) => `verdict of ${group}`);
    response.end(JSON.stringify({ status: { code: 0, message: '' }, verdicts, removed: groups.length }));
  });
  await once(recorder.listen(0, '127.0.0.1'), 'listening');
  const there = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`;
  const groups = Array.from({ length: 300 }, (_, i) => String(i));
  const judged = await new Sosia({ key: 'k', modify: there, query: there }).review.judge(groups, 'keep');
  assert.deepEqual(parts, [100, 100, 100]);
  assert.deepEqual(
    judged.verdicts,
    groups.map((group) => `verdict of ${group}`),
  );
  assert.equal(judged.removed, 300);
  recorder.closeAllConnections();
  recorder.close();
});
