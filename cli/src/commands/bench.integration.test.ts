import assert from 'node:assert/strict';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parsed, photograph, startBeside } from '../testing/sosia.test.kit.ts';
import type { Beside } from '../testing/sosia.test.kit.ts';

let beside: Beside;
let key: string;
before(async () => {
  beside = await startBeside();
  key = beside.application();
  mkdirSync(join(beside.home, 'p'));
  cpSync(photograph(3), join(beside.home, 'p', 'three.jpg'));
  writeFileSync(join(beside.home, 'broken.jpg'), 'no picture');
  await beside.sosia(key, 'import', 'p');
});
after(() => beside.close());

test('a row for each number of searches at a time, in order, and nothing is added', async () => {
  const { code, out, err } = await beside.sosia(
    key,
    'bench',
    'p',
    photograph(4),
    'broken.jpg',
    '--requests',
    '6',
    '--parallel',
    '1',
    '3',
    '--json',
  );
  assert.equal(code, 0, err);
  assert.match(err, /^left out: broken\.jpg: Not a picture: .*\n2 pictures against 1 reference\n$/);
  const rows = parsed(out);
  assert.deepEqual(
    rows.map(({ parallel, searches, found }) => [parallel, searches, found]),
    [
      [1, 6, 3],
      [3, 6, 3],
    ],
  );
  for (const { median_ms, p95_ms, slowest_ms, per_second } of rows) {
    assert.ok(0 < median_ms && median_ms <= p95_ms && p95_ms <= slowest_ms && per_second > 0);
  }
  assert.equal(JSON.parse((await beside.sosia(key, 'status', '--json')).out).pictures, 1);
  assert.match(
    (await beside.sosia(key, 'bench', 'p', '--requests', '2')).out,
    /^parallel  searches  found .*\n1 .*\n4 .*\n$/,
  );
});

test('a picture that is refused and a folder without pictures are failures', async () => {
  mkdirSync(join(beside.home, 'empty'));
  for (const [words, sentence] of [
    [['empty'], /no pictures to search with in empty/],
    [['missing'], /there is no file or folder missing/],
    [[join(beside.home, 'data', 'format')], /^left out: .*format: Not a picture: .*\n.*no pictures to search with/],
  ] as const) {
    const { code, err } = await beside.sosia(key, 'bench', ...words);
    assert.equal(code, 1);
    assert.match(err, sentence);
  }
});
