import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { onnxFile } from '@sosia/engine/classify/onnx-file.test.kit';
import { redOrBlue } from '@sosia/fixtures';
import { decodePicture } from '@sosia/server/decode';

const bin = fileURLToPath(new URL('../../../bin/sosia.js', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'sosia-profile-'));
after(() => rmSync(home, { recursive: true }));

function sosia(...words: string[]): { code: number | null; out: string; err: string } {
  const env = { PATH: process.env['PATH'] };
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...words], { encoding: 'utf8', cwd: home, env });
  return { code: status, out: stdout, err: stderr };
}

function done(...words: string[]): string {
  const { code, out, err } = sosia(...words);
  assert.equal(code, 0, err);
  return out;
}

/** 64 × 64 pixels in stripes, a BMP. */
function striped(upright: boolean, width: number, light = 220): Buffer {
  const bmp = Buffer.alloc(54 + 64 * 64 * 3);
  bmp.write('BM', 'latin1');
  bmp.writeUInt32LE(bmp.length, 2);
  bmp.writeUInt32LE(54, 10);
  bmp.writeUInt32LE(40, 14);
  bmp.writeInt32LE(64, 18);
  bmp.writeInt32LE(64, 22);
  bmp.writeUInt16LE(1, 26);
  bmp.writeUInt16LE(24, 28);
  for (let i = 0; i < 64 * 64; i++) {
    const along = upright ? i % 64 : Math.floor(i / 64);
    bmp.fill(Math.floor(along / width) % 2 ? light : 40, 54 + 3 * i, 57 + 3 * i);
  }
  return bmp;
}

before(() => {
  for (const [folder, upright] of [
    ['upright', true],
    ['lying', false],
  ] as const) {
    mkdirSync(join(home, folder));
    for (let i = 0; i < 12; i++) writeFileSync(join(home, folder, `${i}.bmp`), striped(upright, 2 + i));
  }
});

const training = ['--positive', 'upright', '--negative', 'lying'];

test('a profile is trained from two folders, and its report is kept with it', () => {
  const out = done('profile', 'train', '--name', 'stripes', ...training);
  assert.match(out, /stripes: 12 pictures that fit, 12 that do not/);
  assert.match(out, /balanced accuracy 1\.000, area under the curve 1\.000, 0 mistakes/);
  assert.equal(done('profile', 'show', 'stripes'), out);
  assert.match(done('profile', 'list'), /photograph +shipped[^]*stripes +trained +1\.000/);
});

test('training is deterministic, to the byte', () => {
  done('profile', 'export', 'stripes', 'one');
  done('profile', 'delete', 'stripes');
  done('profile', 'train', '--name', 'stripes', ...training);
  done('profile', 'export', 'stripes', 'other');
  assert.deepEqual(readFileSync(join(home, 'one')), readFileSync(join(home, 'other')));
});

test('training shows its progress, and lists the files that it leaves out', () => {
  writeFileSync(join(home, 'upright', 'broken.jpg'), 'not a picture');
  const { code, err } = sosia('profile', 'train', '--name', 'stripes-again', ...training);
  rmSync(join(home, 'upright', 'broken.jpg'));
  assert.equal(code, 0, err);
  assert.match(err, /looking at pictures 13\/25/);
  assert.match(err, /looking at pictures 25\/25/);
  assert.match(err, /left out: upright.broken\.jpg: /);
  done('profile', 'delete', 'stripes-again');
});

test('the worst mistakes can be looked at', async () => {
  for (const [folder, light] of [
    ['these', 221],
    ['those', 219],
  ] as const) {
    mkdirSync(join(home, folder));
    for (let i = 0; i < 12; i++) writeFileSync(join(home, folder, `${i}.bmp`), striped(true, 2 + i, light));
  }
  done('profile', 'train', '--name', 'nothing', '--positive', 'these', '--negative', 'those'); // no difference
  const out = done('profile', 'show', 'nothing', '--mistakes', 'mistakes.jpg');
  assert.match(
    out,
    /the worst mistakes; .*\n-?0\.\d\d +(taken for one that fits +those|fits, and missed +these).\d+\.bmp\n/,
  );
  const mistakes = Number(/(\d+) mistakes/.exec(out)![1]);
  assert.ok(mistakes >= 8, out);
  const { width, height } = await decodePicture(readFileSync(join(home, 'mistakes.jpg')), 2000);
  assert.deepEqual([width, height], [1200, 200 * Math.ceil(Math.min(24, mistakes) / 6)]);
  done('profile', 'delete', 'nothing');
});

test('what was exported can be imported once, and a damaged file never', () => {
  assert.match(sosia('profile', `import`, 'one').err, /exists already: stripes/);
  done('profile', 'delete', 'stripes');
  const damaged = readFileSync(join(home, 'one'));
  damaged[100]! ^= 1;
  writeFileSync(join(home, 'damaged'), damaged);
  assert.match(sosia('profile', `import`, 'damaged').err, /its checksum does not fit/);
  done('profile', `import`, 'one');
  assert.match(done('profile', 'list'), /stripes +imported/);
});

test('an application uses the profiles it is given, and only those that exist', () => {
  done('app', 'create', '--type', 'filter', '--name', 'mine');
  done('profile', 'use', 'mine', 'stripes', 'photograph');
  assert.match(sosia('profile', 'use', 'mine', 'nobody').err, /no profile is called nobody/);
  done('app', 'create', '--type', 'media-matching', '--name', 'posters');
  assert.match(sosia('profile', 'use', 'posters', 'stripes').err, /expected a filter application/);
});

test('a file that is there twice is left out, from both folders where it is in both', () => {
  mkdirSync(join(home, 'twice'));
  const copies = ['0.bmp', '1.bmp', '2.bmp'];
  for (const name of copies) cpSync(join(home, 'lying', name), join(home, 'twice', `b${name}`));
  for (let i = 0; i < 12; i++) writeFileSync(join(home, 'twice', `a${i}.bmp`), striped(true, 2 + i));
  cpSync(join(home, 'twice', 'a4.bmp'), join(home, 'twice', 'c.bmp'));
  const { code, out, err } = sosia('profile', 'train', '--name', 'twice', '--positive', 'twice', '--negative', 'lying');
  assert.match(err, /left out: twice.c\.bmp: it is twice.a4\.bmp once more/);
  assert.match(err, /left out: twice.b1\.bmp: the other folder has the same file, lying.1\.bmp/);
  assert.equal(code, 1, out);
  assert.match(err, /expected at least 10 pictures that fit and 10 that do not, got 12 and 9/);
  assert.match(
    sosia('profile', 'train', '--name', 'same', '--positive', 'lying', '--negative', 'lying').err,
    /got 0 and 0/,
  );
});

test('too few pictures and a name that is taken are refused', () => {
  mkdirSync(join(home, 'few'));
  writeFileSync(join(home, 'few', 'one.bmp'), striped(true, 3));
  const few = sosia('profile', 'train', '--name', 'few', '--positive', 'few', '--negative', 'lying');
  assert.doesNotMatch(few.err, /looking at/);
  const file = sosia('profile', 'train', '--name', 'few', '--positive', 'few/one.bmp', '--negative', 'lying');
  assert.match(file.err, /expected a folder of pictures, few.one\.bmp is a file/);
  assert.match(few.err, /expected at least 10 pictures that fit and 10 that do not, got 1 and 12/);
  assert.match(sosia('profile', 'train', '--name', 'stripes', ...training).err, /stripes exists already/);
});

const spec = { labels: ['red', 'blue'], positive: ['red'] };

test('a network is taken in with the name of its file, listed, shown, used, exported and deleted', () => {
  writeFileSync(join(home, 'reddish.onnx'), onnxFile(redOrBlue({ input: ['n', 3, 'h', 'w'] })));
  writeFileSync(join(home, 'reddish.json'), JSON.stringify({ ...spec, width: 40, height: 24 }));
  const out = done('profile', `import`, 'reddish.onnx');
  assert.match(out, /reddish: a network, 0\.0 MB, 40 x 24 pixels, without a report/);
  assert.match(out, /fits where red of red, blue has a probability over 0\.5\ntakes \d+ ms a picture here/);
  assert.ok(out.startsWith(done('profile', 'show', 'reddish')));
  assert.match(done('profile', 'list'), /reddish +network/);
  done('profile', 'use', 'mine', 'reddish');
  done('profile', 'export', 'reddish', 'reddish.profile');
  assert.match(sosia('profile', `import`, 'reddish.profile').err, /reddish exists already/);
  done('profile', 'delete', 'reddish');
  done('profile', `import`, 'reddish.profile');
  assert.ok(out.startsWith(done('profile', 'show', 'reddish')));
});

test('a network that cannot be run is not imported, and the reason is reported', () => {
  writeFileSync(join(home, 'broken.onnx'), Uint8Array.of(1, 2, 3));
  const refused = (words: RegExp, ...more: string[]) => {
    const { code, err } = sosia('profile', `import`, 'broken.onnx', ...more);
    assert.notEqual(code, 0);
    assert.match(err, words);
  };
  refused(/broken\.json: ENOENT/);
  writeFileSync(join(home, 'broken.json'), JSON.stringify({ ...spec, sise: 3 }));
  refused(/broken\.json: sise is no field; expected width, height/);
  writeFileSync(join(home, 'broken.json'), JSON.stringify(spec));
  refused(/The profile cannot be used: the model cannot be read/);
  refused(/lower-case letters, digits, - and _, at most 64, .*, got Broken/, '--name', 'Broken');
  truncateSync(join(home, 'broken.onnx'), 100_000_001);
  refused(/expected at most 100000000 bytes, got 100000001/);
  rmSync(join(home, 'broken.onnx'));
  assert.doesNotMatch(done('profile', 'list'), /broken/);
});
