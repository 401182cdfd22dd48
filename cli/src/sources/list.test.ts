import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { csvLines, jsonLines } from './list.ts';

const folder = mkdtempSync(join(tmpdir(), 'sosia-list-'));
after(() => rmSync(folder, { recursive: true }));

function written(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function csv(content: string): Promise<[line: number, ...cells: unknown[]][]> {
  const lines = await collected(csvLines(written('list.csv', content)));
  return lines.map(({ line, fields }) => [line, ...Object.values(fields)]);
}

test('a CSV may have quotes, line breaks in cells, any line ends, a byte order mark and short rows', async () => {
  assert.deepEqual(await csv('\ufeffimage_id, path\r\n\r\na,b\n"x\ny","k ""q"""\rlast\n,,\n'), [
    [3, 'a', 'b'],
    [4, 'x\ny', 'k "q"'],
    [6, 'last', ''],
  ]);
});

test('a CSV without a column of paths, or with a quote out of place, is refused', async () => {
  await assert.rejects(csv('image_id,file\na,b\n'), /with path among them; got image_id, file$/);
  await assert.rejects(csv(''), /the first line must name the columns, .*; got none$/);
  await assert.rejects(csv('path\na"b"\n'), /Invalid Opening Quote.* line 2/);
});

test('records of JSON lines longer than what is read at a time bring their DNA when called for', async () => {
  const dna = (seed: number) => Buffer.alloc(100_000, seed).toString('base64');
  const lines = [1, 2, 3].map((seed) => JSON.stringify({ image_id: `été ${seed}`, dna: dna(seed) }));
  const path = written('list.jsonl', `${lines[0]}\r\n\n${lines[1]}\nno JSON\n${lines[2]}`);
  const records = await collected(jsonLines(path));
  assert.deepEqual(
    records.map(({ line, fields }) => [line, fields['image_id'] ?? fields['fault']]),
    [
      [1, 'été 1'],
      [3, 'été 2'],
      [4, 'not JSON'],
      [5, 'été 3'],
    ],
  );
  assert.deepEqual(await records[3]!.dna!(), Buffer.alloc(100_000, 3));
  assert.deepEqual(await records[0]!.dna!(), Buffer.alloc(100_000, 1));
});
