import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { looks } from './looks.ts';
import { Workspace } from './workspace.ts';

const ENTRY = 352;
const entry = fc
  .uint8Array({ minLength: ENTRY, maxLength: ENTRY })
  .map((bytes) => bytes.map((byte, i) => (i < 192 && byte === 128 ? 129 : byte)));

test('the kernel tells what its twin tells, for every entry', () => {
  fc.assert(
    fc.property(entry, fc.array(entry, { minLength: 1, maxLength: 5 }), (query, entries) => {
      const workspace = new Workspace();
      const asked = workspace.put(query);
      const start = workspace.put(Uint8Array.from(entries.flatMap((each) => [...each])));
      const out = workspace.take(16 * entries.length);
      workspace.kernels.looks(start, entries.length, asked, out);
      const found = new Int32Array(workspace.kernels.memory.buffer, out, 4 * entries.length);
      assert.deepEqual(
        [...found],
        entries.flatMap((each) => looks(each, query)),
      );
    }),
  );
});

test('the largest sums fit', () => {
  const [low, high] = [new Uint8Array(ENTRY), new Uint8Array(ENTRY).fill(255)];
  const workspace = new Workspace();
  const [asked, start, out] = [workspace.put(low), workspace.put(high), workspace.take(16)];
  workspace.kernels.looks(start, 1, asked, out);
  assert.deepEqual([...new Int32Array(workspace.kernels.memory.buffer, out, 4)], [0, 0, 112 * 255, 48 * 255]);
});
