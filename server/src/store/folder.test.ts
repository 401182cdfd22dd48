import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, mock, test } from 'node:test';
import { errors } from '../errors.ts';
import {
  bytesOf,
  fileNames,
  isDamaged,
  makeFolder,
  noteGeneration,
  prepareFolder,
  readFormat,
  requireFormat,
  writeFormat,
} from './folder.ts';

const scratch = fs.mkdtempSync(join(tmpdir(), 'sosia-folder-'));
after(() => fs.rmSync(scratch, { recursive: true }));

test('a folder that another process makes at the same moment is no failure', () => {
  const absent = mock.method(fs, 'existsSync', () => false);
  syncBuiltinESMExports();
  makeFolder(scratch);
  absent.mock.restore();
  syncBuiltinESMExports();
});

test('the noted generation rises, and what is no format of a finished folder is left alone', () => {
  const folder = join(scratch, 'data');
  prepareFolder(folder);
  noteGeneration(folder, 3);
  assert.equal(readFormat(folder), 'unfinished');
  const id = 'a'.repeat(32);
  writeFormat(folder, id);
  for (const [generation, noted] of [
    [0, 0],
    [3, 3],
    [2, 3],
    [12, 12],
  ] as const) {
    noteGeneration(folder, generation);
    assert.deepEqual(readFormat(folder), { folder: id, generation: noted });
  }
  noteGeneration(join(scratch, 'missing'), 1);
  assert.equal(fs.existsSync(join(scratch, 'missing')), false);
});

test('the size of a folder is that of all files in it and below', async () => {
  const folder = join(scratch, 'sized');
  fs.mkdirSync(folder);
  const own = await bytesOf(folder);
  fs.writeFileSync(join(folder, 'a'), 'x'.repeat(100));
  fs.writeFileSync(join(folder, 'b'), 'x'.repeat(23));
  assert.deepEqual([own, await bytesOf(folder)], [0, 123]);
  const below = join(folder, 'below');
  fs.mkdirSync(below);
  fs.writeFileSync(join(below, 'c'), 'x'.repeat(7));
  assert.equal(await bytesOf(folder), 123 + fs.statSync(below).size + 7);
});

test('a folder is what its format file and its databases say, in every version', () => {
  const id = '0123456789abcdef'.repeat(2);
  const { images, applications } = fileNames;
  const both = [images, applications];
  const refused = errors.STORE_FORMAT.code;
  const cases: [format: string | undefined, files: string[], expected: unknown][] = [
    [undefined, [], 'none'],
    ['', [], 'none'],
    ['\0\0', [], 'none'],
    ['sosia data 1\n', [], 'unfinished'],
    [`sosia data 1 ${id}\n`, both, { folder: id, generation: 0 }],
    [`sosia data 1 ${id} 12\n`, both, { folder: id, generation: 12 }],
    ['XYZ', both, 'damaged'],
    ['sosia data \n', both, 'damaged'],
    ['\0', both, 'damaged'],
    ...[[images], [applications], both].map((files) => [undefined, files, refused] as [undefined, string[], number]),
    ['', [images], refused],
    ['\0', [applications], refused],
    ['XYZ', [], refused],
    ['XYZ', [images], refused],
    ['sosia data 2\n', both, refused],
    [`sosia data 1 ${id.slice(1)}\n`, both, refused],
    [`sosia data 1 ${id} x\n`, both, refused],
    ['sosia data 1', both, refused],
  ];
  for (const [i, [format, files, expected]] of cases.entries()) {
    const folder = join(scratch, `format-${i}`);
    fs.mkdirSync(folder);
    for (const name of files) fs.writeFileSync(join(folder, name), '');
    if (format !== undefined) fs.writeFileSync(join(folder, 'format'), format);
    const name = JSON.stringify([format, files]);
    if (expected === refused) assert.throws(() => readFormat(folder), { code: refused }, name);
    else assert.deepEqual(readFormat(folder), expected, name);
    if (expected === refused || expected === 'none')
      assert.throws(() => requireFormat(folder), { code: refused }, name);
    else requireFormat(folder);
  }
});

test('a finished format file is replaced, never overwritten, and is the owner’s alone', () => {
  const folder = join(scratch, 'replaced');
  prepareFolder(folder);
  const path = join(folder, 'format');
  const file = () => fs.statSync(path).ino;
  const unfinished = file();
  writeFormat(folder);
  assert.equal(file(), unfinished);
  writeFormat(folder, 'a'.repeat(32));
  assert.notEqual(file(), unfinished);
  assert.deepEqual(fs.readdirSync(folder), ['format']);
  if (process.platform !== 'win32') assert.equal(fs.statSync(path).mode & 0o777, 0o600);
  fs.writeFileSync(path, 'x'.repeat(500));
  assert.throws(() => readFormat(folder), { message: new RegExp(`expected format 1, found "x{60}"$`) });
});

test('errors of SQLite that name the content of the file are damage, and no others', () => {
  const sqlite = ['NOTADB', 'CORRUPT', 'CORRUPT_INDEX', 'ERROR', 'IOERR_SHORT_READ'].map((code) => `SQLITE_${code}`);
  for (const code of [...sqlite, errors.STORE_DAMAGED.code]) assert.ok(isDamaged({ code }), String(code));
  for (const code of ['SQLITE_FULL', 'SQLITE_IOERR_READ', 'SQLITE_BUSY', 'ENOENT', errors.STORE_FULL.code, undefined])
    assert.ok(!isDamaged({ code }), String(code));
});
