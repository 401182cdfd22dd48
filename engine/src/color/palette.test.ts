import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MAX_COLORS } from '../dna/palette.ts';
import { palette } from './palette.ts';

/** So many pixels of each colour. */
const pixelsOf = (...parts: readonly [rgb: number, count: number][]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap(([rgb, count]) =>
      Array.from({ length: count }, () => [rgb >> 16, (rgb >> 8) & 255, rgb & 255]).flat(),
    ),
  );

test('flat colours are found exactly, with whole shares, the largest first', () => {
  assert.deepEqual(palette(pixelsOf([0x102030, 250], [0xff0000, 150], [0xfafafa, 600])), [
    { rgb: 0xfafafa, share: 60 },
    { rgb: 0x102030, share: 25 },
    { rgb: 0xff0000, share: 15 },
  ]);
});

test('rounded shares still sum to 100', () => {
  const shares = palette(pixelsOf([0x000000, 1], [0xff0000, 1], [0xffffff, 1])).map(({ share }) => share);
  assert.deepEqual(shares, [34, 33, 33]);
});

test('a small but striking colour is found, one that fills less than a hundredth is not', () => {
  const colors = palette(pixelsOf([0x808080, 970], [0xe01010, 20], [0x10e010, 5], [0x848484, 5]));
  assert.deepEqual(
    colors.map(({ rgb, share }) => [rgb > 0xd00000, share]),
    [
      [false, 97],
      [true, 2],
    ],
  );
});

test('shades that run into each other are one colour, two flat ones as far apart stay two', () => {
  const shades = Array.from({ length: 41 }, (_, i): [number, number] => [0x601010 + 0x010000 * i, 10]);
  assert.equal(palette(pixelsOf(...shades)).length, 1);
  assert.equal(palette(pixelsOf([0x601010, 100], [0x881010, 100])).length, 2);
});

test('light that falls over two flat colours makes neither two nor both one', () => {
  const steps = [...Array(25).keys()].map((i) => 0x010101 * i);
  const lit = (...colors: number[]) =>
    palette(pixelsOf(...colors.flatMap((rgb) => steps.map((step): [number, number] => [rgb - 0x0c0c0c + step, 10]))));
  for (const [one, other] of [
    [0x81c910, 0x5eb347],
    [0x1e7b43, 0x517e10],
    [0x4d2893, 0x276a5b],
  ])
    assert.deepEqual(
      lit(one, other).map(({ share }) => share),
      [50, 50],
    );
  // of each six steps, three are missing
  const torn = steps.filter((_, i) => i % 6 < 3).map((step): [number, number] => [0x39678d + step, 10]);
  assert.equal(palette(pixelsOf(...torn)).length, 1);
});

test('orange that runs into grey stays orange', () => {
  const mixed = (part: number): number =>
    [0xe0, 0x80, 0x20].reduce((rgb, value) => rgb * 256 + Math.round(value * part + 0x80 * (1 - part)), 0);
  const colors = palette(pixelsOf(...Array.from({ length: 50 }, (_, i): [number, number] => [mixed(i / 49), 10])));
  assert.ok(colors.length >= 2, `${colors.length}`);
});

test('whatever the pixels: at most so many colours, no share below 1, a sum of at most 100, in order, none twice', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0xffffff), { minLength: 1, maxLength: 300 }), (list) => {
      const colors = palette(pixelsOf(...list.map((rgb): [number, number] => [rgb, 1])));
      assert.ok(colors.length <= MAX_COLORS);
      assert.ok(colors.every(({ share }) => Number.isInteger(share) && share >= 1));
      assert.ok(colors.reduce((sum, { share }) => sum + share, 0) <= 100);
      assert.deepEqual(
        colors,
        colors.toSorted((a, b) => b.share - a.share || a.rgb - b.rgb),
      );
      assert.equal(new Set(colors.map(({ rgb }) => rgb)).size, colors.length);
    }),
  );
});
