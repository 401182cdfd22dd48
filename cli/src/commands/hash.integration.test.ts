import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { goldenFolder, samplesFolder } from '@sosia/fixtures';

const bin = fileURLToPath(new URL('../../bin/sosia.js', import.meta.url));
const picture = join(samplesFolder, 'kodim01.jpg');

test('sosia hash prints hash, quality and name, goes on after a file that is no picture, and ends with 1', () => {
  const [pdq, quality] = readFileSync(join(goldenFolder, 'pdq/pdqhash-0.2.8.csv'), 'utf8').split(',') as [
    string,
    string,
  ];
  const run = (...words: string[]) => spawnSync(process.execPath, [bin, 'hash', ...words], { encoding: 'utf8' });
  const plain = run(bin, picture);
  assert.deepEqual([plain.status, plain.stdout], [1, `${pdq},${quality},${picture}\n`]);
  assert.match(plain.stderr, /sosia\.js: /);
  const json = run(picture, '--json');
  assert.equal(json.status, 0);
  assert.deepEqual(JSON.parse(json.stdout), { file: picture, pdq, quality: Number(quality) });
});
