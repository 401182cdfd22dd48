import assert from 'node:assert/strict';
import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { openFilesIn } from '../open-files.test.kit.ts';
import { RESERVE, SectionFileError, sectionsIn, SectionWriter } from './section-file.ts';
import type { Piece } from './section-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'sosia-sections-'));
const path = join(folder, 'file');
process.on('exit', () => rmSync(folder, { recursive: true }));

async function written(pieces: readonly Piece[]): Promise<number> {
  const writer = await SectionWriter.create(path);
  for (const piece of pieces) await writer.write(piece);
  return writer.finish();
}

/** All pieces and the checksum of the last one. */
function read(): { pieces: Piece[]; checksum: number } {
  const pieces: Piece[] = [];
  const found = sectionsIn(path);
  for (;;) {
    const { value, done } = found.next();
    if (done) return { pieces, checksum: value };
    assert.equal(value.bytes.byteOffset % 8, 0);
    pieces.push({ name: value.name, bytes: new Uint8Array(value.bytes) });
  }
}

const small = [
  { name: 'header', bytes: Buffer.from('{"a":1}') },
  { name: 'numbers', bytes: new Uint8Array([1, 2, 3, 4]) },
  { name: 'numbers', bytes: new Uint8Array([5]) },
  { name: 'none', bytes: new Uint8Array() },
];

test('sections are read with the bytes that were written, whatever their lengths', async () => {
  const piece = fc.record({
    name: fc.stringMatching(/^[a-z-]{1,20}$/).filter((name) => name !== 'end'),
    bytes: fc.oneof(
      fc.uint8Array(),
      fc.integer({ min: 2 ** 20 - 9, max: 2 ** 20 + 5000 }).map((n) => new Uint8Array(n).fill(7)),
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 5 }), async (pieces) => {
      const checksum = await written(pieces);
      assert.deepEqual(read(), { pieces: pieces.map((each) => ({ ...each })), checksum });
    }),
    { numRuns: 20 },
  );
});

test('a changed byte anywhere is noticed, and so is a file that is cut or has more bytes', async () => {
  await written(small);
  const bytes = readFileSync(path);
  for (let i = 0; i < bytes.length; i++) {
    for (const bit of [1, 128]) {
      const changed = Buffer.from(bytes);
      changed[i]! ^= bit;
      writeFileSync(path, changed);
      assert.throws(read, SectionFileError, `byte ${i}`);
    }
    writeFileSync(path, bytes.subarray(0, i));
    assert.throws(read, SectionFileError, `${i} bytes`);
  }
  writeFileSync(path, Buffer.concat([bytes, Buffer.from([0])]));
  assert.throws(read, SectionFileError);
});

test('pieces that are exchanged or left out are noticed, though each is whole', async () => {
  const piece = (byte: number) => ({ name: 'numbers', bytes: new Uint8Array(8).fill(byte) });
  await written([piece(1), piece(2), piece(3)]);
  const bytes = readFileSync(path);
  const size = 8 + 'numbers'.length + 8 + 4;
  const [head, one, two, rest] = [0, 1, 2, 3].map((i) =>
    bytes.subarray(i === 0 ? 0 : 8 + (i - 1) * size, i === 3 ? undefined : 8 + i * size),
  ) as [Buffer, Buffer, Buffer, Buffer];
  for (const parts of [
    [head, two, one, rest],
    [head, one, rest],
    [head, one, one, two, rest],
  ]) {
    writeFileSync(path, Buffer.concat(parts));
    assert.throws(read, SectionFileError);
  }
});

test('a file shows under its name only when it is finished, and nothing remains of an abandoned one', async () => {
  rmSync(path, { force: true });
  const writer = await SectionWriter.create(path);
  await writer.write(small[0]!);
  assert.deepEqual(readdirSync(folder), ['file.draft']);
  await writer.abandon();
  assert.deepEqual(readdirSync(folder), []);
  assert.throws(read, SectionFileError);
});

test('a file is for its owner alone, whatever the umask', { skip: process.platform === 'win32' }, async (t) => {
  const umask = process.umask(0);
  t.after(() => process.umask(umask));
  for (const other of [0, 0o777]) {
    process.umask(other);
    await written(small);
    assert.equal(statSync(path).mode & 0o777, 0o600);
  }
});

test('a file is closed when it is finished or abandoned, and when it was read or left', async () => {
  await written(small);
  assert.deepEqual(openFilesIn(folder), []);
  const writer = await SectionWriter.create(path);
  await writer.abandon();
  assert.deepEqual(openFilesIn(folder), []);
  await written(small);
  for (const _ of sectionsIn(path)) break;
  assert.deepEqual(openFilesIn(folder), []);
});

test('a file leaves 128 MB of the disk free: at its beginning, and after each 8 MB', async (t) => {
  let room = RESERVE;
  mock.method(fs, 'statfsSync', () => ({ bavail: room / 4096, bsize: 4096 }));
  syncBuiltinESMExports();
  t.after(() => (mock.restoreAll(), syncBuiltinESMExports()));
  const full = /expected 134217728 free bytes on the disk, found 134213632/;
  const writer = await SectionWriter.create(path);
  room = RESERVE - 4096;
  const piece = { name: 'a', bytes: new Uint8Array(2 ** 22 - 17) }; // two of them and the magic are 8 MB
  await writer.write(piece);
  await writer.write(piece);
  await assert.rejects(writer.write(piece), full);
  await writer.abandon();
  await assert.rejects(SectionWriter.create(path), full);
  assert.ok(!readdirSync(folder).includes('file.draft'));
});

test('the bytes of a file are those of its format', async () => {
  await written([{ name: 'ab', bytes: Uint8Array.of(1, 2, 3) }]);
  const bytes = readFileSync(path);
  const piece = (name: string, content: number[]) =>
    Buffer.concat([
      Buffer.from(Uint32Array.of(name.length, content.length).buffer),
      Buffer.from(name),
      Buffer.from(content),
    ]);
  const [one, end] = [piece('ab', [1, 2, 3]), piece('end', [])];
  assert.deepEqual(bytes.subarray(0, 8), Buffer.from('sosiaidx'));
  assert.deepEqual(bytes.subarray(8, 8 + one.length), one);
  assert.equal(bytes.readUInt32LE(8 + one.length), crc32(one));
  assert.deepEqual(bytes.subarray(8 + one.length + 4, -4), end);
  assert.equal(bytes.readUInt32LE(bytes.length - 4), crc32(end, crc32(one)));
});

test('a piece may have 16 MB and a name of 64 characters; a longer name or piece is damage, and end is no name', async () => {
  for (const [name, length] of [
    ['n'.repeat(64), 1],
    ['a', 2 ** 24],
  ] as const) {
    await written([{ name, bytes: new Uint8Array(length) }]);
    assert.deepEqual(
      read().pieces.map((each) => [each.name, each.bytes.length]),
      [[name, length]],
    );
  }
  for (const [name, length] of [
    ['n'.repeat(65), 1],
    ['a', 2 ** 24 + 1],
  ] as const) {
    await written([{ name, bytes: new Uint8Array(length) }]);
    assert.throws(read, SectionFileError);
  }
  const writer = await SectionWriter.create(path);
  assert.throws(() => writer.write({ name: 'end', bytes: new Uint8Array() }), RangeError);
  await writer.abandon();
});
