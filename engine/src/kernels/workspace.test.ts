import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Workspace } from './workspace.ts';

test('allocations begin at multiples of 16 and do not overlap, however large', () => {
  const workspace = new Workspace();
  let end = 0;
  for (const bytes of [1, 16, 17, 0, 70000, 3, 9_000_000, 5]) {
    const at = workspace.take(bytes);
    assert.equal(at % 16, 0);
    assert.ok(at >= end && at >= workspace.kernels.memoryBase());
    end = at + bytes;
    assert.ok(end <= workspace.kernels.memory.buffer.byteLength);
  }
});

test('what is put lies there as bytes, also from the middle of a buffer and after memory grew', () => {
  const workspace = new Workspace();
  const floats = Float32Array.of(1.5, -2, 3e8, 7).subarray(1, 3);
  const at = workspace.put(floats);
  const halves = workspace.put(Uint16Array.of(1, 65535));
  const integers = workspace.put(Uint32Array.of(7, 0xfffffffe));
  workspace.take(5_000_000);
  assert.deepEqual(workspace.floats(at, 2), floats.slice());
  assert.deepEqual(workspace.halves(halves, 2), Uint16Array.of(1, 65535));
  assert.deepEqual(workspace.integers(integers, 2), Uint32Array.of(7, 0xfffffffe));
  assert.deepEqual(workspace.bytes(halves, 4), Uint8Array.of(1, 0, 255, 255));
});

test('what was taken since a mark is free again after its release', () => {
  const workspace = new Workspace();
  workspace.take(100);
  const mark = workspace.mark();
  const at = workspace.take(1000);
  workspace.release(mark);
  assert.equal(workspace.take(10), at);
});
