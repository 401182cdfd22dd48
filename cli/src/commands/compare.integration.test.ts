import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readPicture } from '@sosia/fixtures';
import type { Pixels } from '@sosia/fixtures';
import { photograph, startBeside } from '../testing/sosia.test.kit.ts';
import type { Beside } from '../testing/sosia.test.kit.ts';

let beside: Beside;
before(async () => {
  beside = await startBeside();
  const picture = readPicture('kodim05');
  writeFileSync(join(beside.home, 'plain.bmp'), bmp(picture));
  const rgb = picture.rgb.map((value, i) => (isInPatch(Math.floor(i / 3), picture.width) ? 255 * (i % 2) : value));
  writeFileSync(join(beside.home, 'patched.bmp'), bmp({ ...picture, rgb }));
});
after(() => beside.close());

const isInPatch = (pixel: number, width: number): boolean => {
  const [x, y] = [pixel % width, Math.floor(pixel / width)];
  return x >= 100 && x < 160 && y >= 200 && y < 240;
};

test('a patch is reported with its box and marked in both pictures, with a service and without', async () => {
  const { width, height } = readPicture('kodim05');
  const here = await beside.sosia('', 'compare', 'plain.bmp', 'patched.bmp', '--out', 'marked', '--json');
  assert.equal(here.code, 0, here.err);
  const { score, regions } = JSON.parse(here.out);
  assert.ok(score > 0);
  assert.equal(regions.length, 1);
  const { topLeftPoint, bottomRightPoint } = regions[0].query;
  const expected = [100 / width, 200 / height, 160 / width, 240 / height];
  [...topLeftPoint, ...bottomRightPoint].forEach((value: number, i: number) =>
    assert.ok(Math.abs(value - expected[i]!) < 0.02, `${value}, expected ${expected[i]}`),
  );
  const [a, b] = ['a.jpg', 'b.jpg'].map((name) => readFileSync(join(beside.home, 'marked', name)));
  for (const marked of [a, b]) assert.deepEqual([...marked!.subarray(0, 3)], [0xff, 0xd8, 0xff]);
  assert.notDeepEqual(a, b);
  const words = ['compare', 'plain.bmp', 'patched.bmp', '--json'];
  const there = await beside.sosia('', ...words, '--app', beside.application());
  assert.equal(there.out, here.out);
  assert.match((await beside.sosia('', ...words, '--app', 'nobody')).err, /Unknown application key/);
  assert.equal((await beside.sosia('nobody', ...words)).out, here.out); // SOSIA_KEY alone uses no service
});

test('people read a score and a table of places', async () => {
  const same = await beside.sosia('', 'compare', photograph(5), photograph(5));
  assert.deepEqual([same.code, same.out], [0, 'score 0.0000, no differences\n']);
  const { out } = await beside.sosia('', 'compare', 'plain.bmp', 'patched.bmp');
  assert.match(out, /^score 0\.\d{4}, 1 place differs\n +strength +in a.*\n1 +[01]\.\d\d +\d+–\d+ × \d+–\d+ % /);
});

test('a reference picture takes the place of a file, and the result says that it is coarse', async () => {
  const key = beside.application();
  writeFileSync(join(beside.home, 'list.jsonl'), '{"image_id": "plain.bmp", "path": "plain.bmp"}\n');
  const added = await beside.sosia(key, 'import', 'list.jsonl');
  assert.equal(added.code, 0, added.err);
  const words = ['compare', 'id:plain.bmp', 'patched.bmp'];
  const { regions, coarse } = JSON.parse((await beside.sosia('', ...words, '--json', '--app', key)).out);
  assert.deepEqual([regions.length, coarse], [1, true]);
  assert.match((await beside.sosia('', ...words, '--app', key)).out, /1 place differs\n[^]*\ncoarse: .*\n$/);
  assert.match((await beside.sosia('', 'compare', 'id:no', 'plain.bmp', '--app', key)).err, /Unknown image id: no/);
  const without = await beside.sosia('', ...words);
  assert.match(without.err, /id:plain\.bmp is a reference picture, which needs --app/);
  assert.notEqual(without.code, 0);
});

test('pictures that do not match are a failure', async () => {
  const { code, err } = await beside.sosia('', 'compare', photograph(5), photograph(6));
  assert.equal(code, 1);
  assert.match(err, /^sosia: \S/);
});

/** Of 24 bits a pixel, the lowest row first. */
function bmp({ width, height, rgb }: Pixels): Buffer {
  const stride = Math.ceil((3 * width) / 4) * 4;
  const bytes = Buffer.alloc(54 + stride * height);
  bytes.write('BM', 'latin1');
  for (const [at, value] of [
    [2, bytes.length],
    [10, 54],
    [14, 40],
    [18, width],
    [22, height],
  ] as const) {
    bytes.writeUInt32LE(value, at);
  }
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const pixel = rgb.subarray(3 * (y * width + x));
      bytes.set([pixel[2]!, pixel[1]!, pixel[0]!], 54 + (height - 1 - y) * stride + 3 * x);
    }
  }
  return bytes;
}
