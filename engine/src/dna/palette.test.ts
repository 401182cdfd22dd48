import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sealBlock } from './block.ts';
import { type Color, MAX_COLORS, openPalette, writePalette } from './palette.ts';

const colorsOf = (...shares: number[]): Color[] => shares.map((share, i) => ({ rgb: 0x100000 + i, share }));
const block = (kind: 'palette' | 'colors-query', ...shares: number[]): Uint8Array =>
  writePalette(kind, colorsOf(...shares));

test('a palette is read as it was written', () => {
  for (const shares of [[100], [60, 40], [1], Array.from({ length: MAX_COLORS }, () => 6)]) {
    assert.deepEqual(openPalette(block('palette', ...shares), false), colorsOf(...shares));
  }
});

test('the colours of a picture fill at most the picture', () => {
  assert.throws(() => openPalette(block('palette', 60, 41), false), /fill 101 per cent/);
  assert.throws(() => openPalette(block('palette', 101), false), /share of 101/);
  assert.throws(() => openPalette(block('palette', 50, 0), false), /share of 0/);
});

test('the shares of a query may sum to more, or be 0, but none is more than all', () => {
  for (const shares of [
    [60, 60],
    [100, 0],
  ]) {
    assert.deepEqual(openPalette(block('colors-query', ...shares), true), colorsOf(...shares));
  }
  assert.throws(() => openPalette(block('colors-query', 101), true), /share of 101/);
  assert.throws(() => openPalette(block('colors-query', 50), false), /kind|block/);
});

test('too many colours, none, parts of one, out of order and one twice are refused', () => {
  const most = Array.from({ length: MAX_COLORS + 1 }, () => 1);
  assert.throws(() => openPalette(block('palette', ...most), false), /17 colours, expected 1 to 16/);
  assert.equal(openPalette(block('colors-query', ...most), true).length, 17);
  assert.throws(() => openPalette(block('colors-query', ...Array.from({ length: 101 }, () => 1)), true), /1 to 100/);
  assert.throws(() => openPalette(block('palette'), false), /0 colours/);
  assert.throws(() => openPalette(sealBlock('palette', Uint8Array.of(1, 2, 3)), false), /0.75 colours/);
  const raw = (...bytes: number[]): Uint8Array => sealBlock('palette', Uint8Array.from(bytes));
  assert.throws(() => openPalette(raw(1, 2, 3, 40, 1, 2, 4, 60), false), /out of order/);
  assert.throws(() => openPalette(raw(1, 2, 4, 40, 1, 2, 3, 40), false), /out of order/);
  assert.throws(() => openPalette(raw(1, 2, 3, 40, 1, 2, 3, 40), false), /out of order/);
  assert.throws(() => openPalette(raw(1, 2, 3, 40, 1, 2, 3, 20), false), /one twice/);
});
