import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { Sosia } from '@sosia/client';
import { goldenFolder } from '@sosia/fixtures';
import { bin, end, Services } from '../testing/service.test.kit.ts';
import { parsed, photograph, startBeside, type Beside, type Ended } from '../testing/sosia.test.kit.ts';

const published = readFileSync(join(goldenFolder, 'pdq/pdqhash-0.2.8.csv'), 'utf8');
const [, second] = published.split('\n').map((line) => line.split(',')) as string[][];

let beside: Beside;
let key: string;
const services = new Services();
before(async () => {
  beside = await startBeside();
  key = beside.application();
});
after(async () => {
  await beside.close();
  services.close();
});

async function run(...words: string[]): Promise<Ended> {
  const ended = await beside.sosia(key, ...words);
  assert.equal(ended.code, 0, ended.err);
  return ended;
}

test('a list is imported, searched, watched, exported in each format and deleted', async () => {
  writeFileSync(join(beside.home, 'known.csv'), published);
  const imported = await run('hashes', 'import', 'known.csv', '--distance', '10');
  assert.match(imported.err, /imported: known\.csv, 28 hashes/);
  assert.match((await run('hashes', 'list')).out, /known\.csv +28 +10/);

  await run('add', photograph(2), '--id', 'a');
  const [event] = parsed((await run('events', '--json')).out);
  assert.deepEqual([event.search_id, event.hash.label, event.image_id], ['known.csv', second![2], 'a']);
  assert.match((await run('events')).out, /known\.csv found a by samples\/kodim02\.jpg: \d bits?, [\d.]+ %\n$/);

  for (const query of [[photograph(2)], ['--id', 'a'], ['--pdq', second![0]!]]) {
    const { out } = await run('hashes', 'search', ...query, '--list', 'known.csv');
    assert.match(out, new RegExp(`^\\d+  ${second![0]}  known\\.csv  samples/kodim02\\.jpg\n`));
  }
  assert.equal((await beside.sosia(key, 'hashes', 'search')).code, 2);

  const lines = published.trim().split('\n');
  for (const [format, expected] of Object.entries({
    csv: `hash,quality,label\n${published}`,
    text: lines.map((line) => `${line.split(',')[0]}\n`).join(''),
  })) {
    await run('hashes', 'export', 'known.csv', 'out', '--format', format);
    assert.equal(readFileSync(join(beside.home, 'out'), 'utf8'), expected);
  }
  await run('hashes', 'export', 'known.csv', 'out.json', '--format', 'json');
  const { data } = JSON.parse(readFileSync(join(beside.home, 'out.json'), 'utf8'));
  assert.deepEqual(
    data.map(({ indicator, quality, id }: any) => `${indicator},${quality},${id}`),
    lines,
  );
  await run('hashes', 'import', 'out.json', '--id', 'again');
  assert.match((await run('hashes', 'delete', 'known.csv')).err, /deleted: known\.csv/);
  assert.deepEqual(
    parsed((await run('hashes', 'list', '--json')).out).map(({ id }) => id),
    ['again'],
  );
  assert.equal((await beside.sosia(key, 'hashes', 'export', 'known.csv', 'none.csv')).code, 1);
});

test('a killed service has the list and the event of each acknowledged picture, and nothing else', async () => {
  const first = await services.start('serve', 'data');
  const words = ['app', 'create', '--type', 'media-matching', '--name', 'a', '--json'];
  const created = execFileSync(process.execPath, [bin, ...words, '--data', join(services.home, 'data')]);
  const application = JSON.parse(String(created)).application_key;
  const connected = ({ modify, query }: { modify: number; query: number }) =>
    new Sosia({ modify: `http://127.0.0.1:${modify}`, query: `http://127.0.0.1:${query}`, key: application });
  const sosia = connected(first);
  await sosia.hashes.save('l', Buffer.from(published));
  const added: string[] = [];
  const adding = Array.from({ length: 8 }, async (_, i) => {
    await sosia.add(`${i + 1}`, readFileSync(photograph(i + 1)));
    added.push(`${i + 1}`);
    if (added.length === 3) await end(first.child, 'SIGKILL');
  });
  await Promise.allSettled(adding);
  const again = connected(await services.start('serve', 'data'));
  const text: string[] = [];
  for await (const part of again.hashes.text('l', 'csv')) text.push(part);
  assert.equal(text.join(''), `hash,quality,label\n${published}`);
  const stored: string[] = [];
  for await (const { id } of again.images()) stored.push(id);
  const events = await again.events.after();
  assert.deepEqual(events.map(({ image_id }) => image_id).sort(), stored.sort());
  assert.ok(added.length >= 3 && added.every((id) => stored.includes(id)));
  for (const { hash, image_id } of events) assert.equal(basename(hash!.label!), basename(photograph(Number(image_id))));
});
