import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, mock, test } from 'node:test';
import { bytesOf, makeFolder, noteGeneration, prepareFolder, readFormat, writeFormat } from './folder.ts';

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
});
