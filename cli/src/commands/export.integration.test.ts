import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { parsed, photograph, startBeside } from '../testing/sosia.test.kit.ts';
import type { Beside } from '../testing/sosia.test.kit.ts';

let beside: Beside;
let key: string;
before(async () => {
  beside = await startBeside();
  key = beside.application();
  mkdirSync(join(beside.home, 'p', 'mer; été'), { recursive: true });
  for (const [number, name] of [
    [1, 'mer; été/a b.jpg'],
    [2, 'mer; été/ü.jpg'],
    [3, 'c.jpg'],
    [4, '{"d": 1}.jpg'],
  ] as const) {
    cpSync(photograph(number), join(beside.home, 'p', name));
  }
  writeFileSync(
    join(beside.home, 'list.csv'),
    'image_id,path,keywords,metadata.year,metadata.by\nkey words,p/c.jpg,one; two,2026,é\n',
  );
  await beside.sosia(key, 'import', 'p');
  const { code, err } = await beside.sosia(key, 'import', 'list.csv');
  assert.equal(code, 0, err);
});
after(() => beside.close());

const file = (name: string) => readFileSync(join(beside.home, name), 'utf8');

test('what is exported is imported, answers alike, and is exported as the same bytes', async () => {
  const first = await beside.sosia(key, 'export', 'first.jsonl');
  assert.deepEqual([first.code, first.out], [0, '']);
  const ids = parsed(file('first.jsonl')).map(({ image_id }) => image_id);
  assert.deepEqual(ids, [...ids].sort());
  assert.deepEqual([ids.length, ids.includes('mer_ été/ü.jpg')], [5, true]);
  assert.ok(!existsSync(join(beside.home, 'first.jsonl.unfinished')));

  const other = beside.application();
  const imported = await beside.sosia(other, 'import', 'first.jsonl', '--json');
  assert.equal(imported.code, 0, imported.err);
  assert.equal(JSON.parse(imported.out).added, ids.length);
  assert.equal((await beside.sosia(other, 'export')).out, file('first.jsonl'));
  const search = ['search', photograph(3), '--json'];
  assert.equal((await beside.sosia(other, ...search)).out, (await beside.sosia(key, ...search)).out);
});

test('columns of metadata are searched, exported and changed', async () => {
  const found = await beside.sosia(key, 'search', photograph(3), '--where', 'year>=2026', 'by=é', '--json');
  assert.deepEqual(
    parsed(found.out)[0].images.map(({ id, metadata }: any) => [id, metadata]),
    [['key words', { year: 2026, by: 'é' }]],
  );
  assert.equal((await beside.sosia(key, 'export', '--where', 'year<2026')).out, '');
  const added = await beside.sosia(key, 'add', photograph(4), '--id', 'm', '--metadata', '{"year": 7}');
  assert.equal(added.code, 0, added.err);
  assert.match((await beside.sosia(key, 'export', '--no-dna', '--where', 'year=7')).out, /"image_id":"m".*"year":7/);
  assert.equal((await beside.sosia(key, 'delete', 'm')).code, 0);
  assert.equal((await beside.sosia(key, 'add', photograph(4), '--metadata', '{')).code, 2);
});

test('reference DNA of Mobile Matching is exported and imported, too', async () => {
  const [from, to] = [beside.application('mobile-matching'), beside.application('mobile-matching')];
  await beside.sosia(from, 'import', 'p', '--report', 'mobile.report');
  await beside.sosia(from, 'export', 'mobile.jsonl');
  assert.equal((await beside.sosia(to, 'import', 'mobile.jsonl')).code, 0);
  assert.equal((await beside.sosia(to, 'export')).out, file('mobile.jsonl'));
});

test('keywords and ids narrow it, and without DNA it is a list', async () => {
  assert.equal(
    (await beside.sosia(key, 'export', '--keywords', 'one', 'two', '--no-dna')).out,
    '{"image_id":"key words","keywords":["one","two"],"metadata":{"year":2026,"by":"é"}}\n',
  );
  assert.equal(parsed((await beside.sosia(key, 'export', '--ids', 'c.jpg', 'missing')).out).length, 1);
});

test('a reader that has had enough ends it in silence', async () => {
  const child = beside.start(key, 'export');
  const said = text(child.stderr!);
  await once(child.stdout!, 'data');
  child.stdout!.destroy();
  const [code] = await once(child, 'exit');
  assert.deepEqual([code, await said], [0, '']);
});

test('an export that fails leaves what was there, and nothing unfinished', async () => {
  writeFileSync(join(beside.home, 'kept.jsonl'), 'mine\n');
  const { code, err } = await beside.sosia('nobody', 'export', 'kept.jsonl');
  assert.equal(code, 1);
  assert.match(err, /Unknown application key/);
  assert.equal(file('kept.jsonl'), 'mine\n');
  assert.ok(!existsSync(join(beside.home, 'kept.jsonl.unfinished')));
  assert.equal((await beside.sosia(key, 'export', 'no/such/folder.jsonl')).code, 1);
});

test('pictures are deleted by id and by lists of ids; an unknown id is reported and is no failure', async () => {
  const other = beside.application();
  await beside.sosia(other, 'import', 'first.jsonl', '--report', 'again.report');
  const left = async () =>
    parsed((await beside.sosia(other, 'export', '--no-dna')).out).map(({ image_id }) => image_id);
  const before = await left();

  const one = await beside.sosia(other, 'delete', 'c.jpg', 'nobody');
  assert.deepEqual([one.code, one.out], [0, '1 picture deleted\n']);
  assert.match(one.err, /^not there: nobody$/m);

  writeFileSync(join(beside.home, 'ids.txt'), '\uFEFF{"d": 1}.jpg\r\n\r\n');
  await beside.sosia(other, 'export', 'rest.jsonl', '--keywords', 'one');
  assert.equal((await beside.sosia(other, 'delete', '--from', 'ids.txt')).out, '1 picture deleted\n');
  const fromExport = await beside.sosia(other, 'delete', '--from', 'rest.jsonl', '--json');
  assert.deepEqual(JSON.parse(fromExport.out), { deleted: 1, missing: 0, failed: 0, missing_ids: [] });
  assert.deepEqual(
    await left(),
    before.filter((id) => !['c.jpg', '{"d": 1}.jpg', 'key words'].includes(id)),
  );
});

test('deleting without a word of what ends with 2, with a wrong key with 1', async () => {
  assert.equal((await beside.sosia(key, 'delete')).code, 2);
  const { code, err } = await beside.sosia('nobody', 'delete', 'a');
  assert.equal(code, 1);
  assert.match(err, /a: Unknown application key/);
});
