import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import Database from 'libsql';
import { Sosia } from '@sosia/client';
import { editedFolder, samplesFolder } from '@sosia/fixtures';
import { createLog, readConfig, startServer } from '@sosia/server';
import { photograph, startBeside } from '../testing/sosia.test.kit.ts';
import type { Beside } from '../testing/sosia.test.kit.ts';

const birds = join(editedFolder, 'kodim23-rotated.jpg');

let beside: Beside;
let key: string;
const sosia = (...words: string[]) => beside.sosia(key, ...words);
const here = (...names: string[]) => join(beside.home, ...names);
before(async () => {
  beside = await startBeside();
  key = beside.application();
  writeFileSync(here('list.jsonl'), `${JSON.stringify({ image_id: 'birds', path: birds, keywords: ['k'] })}\n`);
  assert.equal((await sosia('import', 'list.jsonl')).code, 0);
});
after(() => beside.close());

async function served<T>(data: string, work: (sosia: Sosia) => Promise<T>): Promise<T> {
  const flags = { data, modify_port: '0', query_port: '0', search_workers: '1', decode_workers: '1', stop_grace: '0' };
  const server = await startServer(readConfig({ flags }), createLog('silent'));
  const address = (port: number) => `http://127.0.0.1:${port}`;
  try {
    return await work(new Sosia({ key, modify: address(server.modifyPort), query: address(server.queryPort) }));
  } finally {
    await server.close();
  }
}

test('a backup made during additions is sound; restored, it is served and accepts additions', async () => {
  const adding = beside.start(key, 'import', samplesFolder, '--report', here('samples.report'));
  const added = once(adding, 'exit');
  await once(adding.stderr!, 'data'); // a tenth is in
  const made = await sosia('backup', 'backups/monday', '--data', beside.data, '--json');
  assert.equal(made.code, 0, made.err);
  const copied = JSON.parse(made.out);
  assert.deepEqual([copied.applications, copied.damages], [1, []]);
  assert.ok(copied.images >= 3 && copied.bytes > 3 * 5000, made.out);
  assert.equal((await added)[0], 0);

  const restored = await sosia('restore', 'backups/monday', '--data', 'restored');
  assert.equal(restored.code, 0, restored.err);
  assert.match(restored.out, new RegExp(`^1 application and ${copied.images} pictures are sound in restored, `));
  await served(here('restored'), async (client) => {
    assert.equal(await client.count(), copied.images);
    const [first] = (await client.search(readFileSync(birds), { keywords: ['k'] })).images;
    assert.deepEqual([first!.id, first!.score], ['birds', 0]);
    await client.add('new', readFileSync(photograph(9)));
  });
  assert.match(
    (await sosia('verify', 'restored')).out,
    new RegExp(`${copied.images + 1} pictures are sound in restored`),
  );
});

test('a server may hold the folder that is checked', async () => {
  const { code, out } = await sosia('verify', '--data', beside.data);
  assert.equal(code, 0);
  assert.match(out, /^1 application and \d+ pictures are sound in /);
});

test(
  'permissions that let in others are a warning of verify, and no damage',
  { skip: process.platform === 'win32' },
  async () => {
    await sosia('backup', 'open', '--data', beside.data);
    assert.equal((await sosia('verify', 'open')).err, '');
    chmodSync(here('open', 'images.db'), 0o644);
    const { code, err } = await sosia('verify', 'open');
    assert.equal(code, 0);
    assert.match(err, /^warning: open\/images\.db has the permissions 0644: others than its owner may use it$/m);
    assert.equal(JSON.parse((await sosia('verify', 'open', '--json')).out).warnings.length, 1);
  },
);

test('nothing is overwritten, and what is no data folder is refused', async () => {
  mkdirSync(here('full'));
  writeFileSync(here('full', 'letter'), 'dear');
  for (const [words, sentence] of [
    [['backup', 'full', '--data', beside.data], /No snapshot was made: expected an empty folder, found letter/],
    [
      ['restore', 'backups/monday', '--data', 'full'],
      /full: expected an empty or missing folder to restore into, found letter/,
    ],
    [['restore', beside.data, '--data', 'other'], /in use by another server/],
    [
      ['app', 'create', '--type', 'media-matching', '--name', 'a', '--data', 'full'],
      /an empty one to make it in, found "letter" in full/,
    ],
    [['serve', '--data', 'full'], /an empty one to make it in, found "letter" in full/],
    [['restore', 'full', '--data', 'other'], /has no file "format"/],
    [['restore', 'nowhere', '--data', 'other'], /there is no data folder nowhere/],
    [['backup', 'other', '--data', 'nowhere'], /there is no data folder nowhere; --data/],
    [['verify', 'full'], /has no file "format"/],
  ] as const) {
    const { code, err } = await sosia(...words);
    assert.equal(code, 1);
    assert.match(err, sentence);
  }
  assert.deepEqual(readdirSync(here('full')), ['letter']);
  assert.ok(!existsSync(here('other')));
});

test('of a damaged backup all that is sound is restored, and what is lost is named with exit code 1', async () => {
  await sosia('backup', 'damaged', '--data', beside.data);
  const path = here('damaged', 'images.db');
  const bytes = readFileSync(path);
  const dna = Buffer.from((await sosia('export', '--ids', 'birds')).out.match(/"dna":"([^"]+)/)![1]!, 'base64');
  const at = bytes.indexOf(dna.subarray(8000, 8100)); // far from what SQLite moves about
  assert.ok(at > 0);
  bytes[at]! ^= 1;
  writeFileSync(path, bytes);

  const checked = await sosia('verify', 'damaged', '--json');
  assert.equal(checked.code, 1);
  assert.deepEqual(
    JSON.parse(checked.out).damages.map(({ id }: any) => id),
    ['birds'],
  );
  const partial = await sosia('restore', 'damaged', '--data', 'rest');
  assert.equal(partial.code, 1);
  assert.match(
    partial.err,
    /^lost: images\.db application 1 picture \d+ \(birds\): .*\n.*1 damage in damaged; rest holds all the rest and is sound/,
  );
  const taken = await sosia('restore', 'damaged', '--data', 'again', '--damaged', '--json');
  assert.equal(taken.code, 0, taken.err);
  assert.equal(JSON.parse(taken.out).damages.length, 1);
  assert.equal((await sosia('verify', 'again')).code, 0);
  await served(here('rest'), async (client) => {
    assert.equal((await client.searchByKeywords(['k'])).total, 0);
    assert.ok((await client.count()) > 20);
  });
});

test('a backup that lacks a file is refused by every command, and so is one with a file of another backup', async () => {
  for (const name of ['partial', 'mixed', 'other']) await sosia('backup', name, '--data', beside.data);
  rmSync(here('partial', 'images.db'));
  cpSync(here('other', 'images.db'), here('mixed', 'images.db'));
  for (const [folder, words] of [
    ['mixed', /images\.db: expected generation \d+ of this folder, found that of another copy/],
    ['partial', /images\.db: expected a database of the folder [0-9a-f]{32}, found no such file/],
  ] as const) {
    const checked = await sosia('verify', folder);
    assert.equal(checked.code, 1);
    assert.match(checked.out, words);
    const refused = await sosia('restore', folder, '--data', 'never');
    assert.equal(refused.code, 1);
    assert.match(refused.err, words);
    assert.ok(!existsSync(here('never')));
    const started = await sosia('serve', '--data', folder, '--modify-port', '0', '--query-port', '0');
    assert.equal(started.code, 1);
    assert.match(started.err, words);
  }
});

test('a backup with a trigger is refused by verify, restore and serve', async () => {
  await sosia('backup', 'triggered', '--data', beside.data);
  const database = new Database(here('triggered', 'images.db'));
  database.exec('CREATE TRIGGER t AFTER INSERT ON images BEGIN DELETE FROM images; END');
  database.close();
  for (const words of [
    ['verify', 'triggered'],
    ['restore', 'triggered', '--data', 'never'],
    ['serve', '--data', 'triggered', '--modify-port', '0', '--query-port', '0'],
  ]) {
    const { code, out, err } = await sosia(...words);
    assert.equal(code, 1, words.join(' '));
    assert.match(out + err, /images\.db: .*it has the trigger t/, words.join(' '));
  }
  assert.ok(!existsSync(here('never')));
});
