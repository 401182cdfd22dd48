import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { RecordError, RecordFile } from './record-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'sosia-records-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
let files = 0;
const newPath = (): string => join(folder, String(++files));

function read(records: RecordFile, address: number, length: number): Uint8Array {
  const into = new Uint8Array(length);
  records.read(Float64Array.of(address), Uint32Array.of(length), into);
  return into;
}

test('records are read in any part, from memory, from the file and after a restart; addresses are used again after release only', async () => {
  const change = fc.record({
    size: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(4079, 4080, 4081, 8160, 9000)),
    step: fc.constantFrom('put', 'put', 'remove', 'save', 'restart'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 40 }), async (changes) => {
      let records = new RecordFile(newPath());
      let held = new Map<number, Uint8Array>();
      let saved = new Map<number, Uint8Array>();
      let file: Awaited<ReturnType<RecordFile['save']>> | undefined;
      for (const [i, { size, step }] of changes.entries()) {
        if (step === 'put') {
          const record = new Uint8Array(size).fill(i + 1);
          const address = records.put(record);
          assert.ok(!held.has(address) && !saved.has(address));
          held.set(address, record);
        } else if (step === 'remove' && held.size > 0) {
          const [address] = held.keys();
          records.remove(address!);
          held.delete(address!);
        } else if (step === 'save') {
          const removed = records.takeRemoved();
          file = await records.save();
          saved = new Map(held);
          records.release(removed);
        } else if (step === 'restart' && file) {
          records.close();
          records = new RecordFile('', file);
          held = new Map(saved);
        }
        for (const [address, record] of held) {
          for (const length of [1, record.length >> 1, record.length]) {
            assert.deepEqual(read(records, address, length), record.subarray(0, length));
          }
        }
      }
      records.close();
    }),
    { numRuns: 40 },
  );
});

test('a changed byte in a block is noticed, a cut file too, and a record is none at another address', async () => {
  const records = new RecordFile(newPath());
  const addresses = [5000, 100, 100].map((size, i) => records.put(new Uint8Array(size).fill(i)));
  const saved = await records.save();
  records.close();
  const { path } = saved;
  const bytes = readFileSync(path);
  const readAll = () => {
    const opened = new RecordFile('', saved);
    try {
      [5000, 100, 100].forEach((size, i) => read(opened, addresses[i]!, size));
    } finally {
      opened.close();
    }
  };
  readAll();
  for (const at of [0, 17, 4079, 4080, 4083, 4084, 4900, 5010, 5060, 5130, 5160, 5200]) {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 16;
    writeFileSync(path, changed);
    assert.throws(readAll, RecordError, `byte ${at} of ${bytes.length}`);
  }
  writeFileSync(path, bytes.subarray(0, -1));
  assert.throws(readAll, RecordError);
  const [, second, third] = addresses.map((address) => Math.floor(address / 65536) * 16);
  const exchanged = Buffer.from(bytes);
  bytes.copy(exchanged, third, second, third);
  writeFileSync(path, exchanged);
  assert.throws(readAll, RecordError);
});

test('what was read is in memory, at most 64 MB of all files together, and the file used longest ago gives way', async () => {
  const filled = async () => {
    const records = new RecordFile(newPath());
    const addresses = Array.from({ length: 40 }, (_, i) => records.put(new Uint8Array(1_000_000).fill(i)));
    await records.save();
    const readAll = () =>
      addresses.forEach((address, i) => assert.equal(read(records, address, 1_000_000)[999_999], i));
    readAll();
    writeFileSync(records.path, '');
    return { records, readAll };
  };
  const first = await filled();
  first.readAll();
  assert.equal(first.records.bytes, 40_000_000);
  const second = await filled();
  second.readAll();
  assert.equal(first.records.bytes, 0);
  assert.throws(first.readAll, RecordError);
  assert.equal(second.records.bytes, 40_000_000);
  for (const { records } of [first, second]) records.close();
  assert.equal(second.records.bytes, 0);
});

test('few records need no file, and a file that cannot be written leaves them in memory', async () => {
  const records = new RecordFile(join(process.execPath, 'file'));
  const big = new Uint8Array(900_000).fill(5);
  const addresses = Array.from({ length: 100 }, () => records.put(big));
  for (const address of addresses) assert.deepEqual(read(records, address, 10), big.subarray(0, 10));
  await assert.rejects(records.save());
  const path = newPath();
  const few = new RecordFile(path);
  few.put(new Uint8Array(1000));
  assert.ok(!existsSync(path));
  few.close();
});
