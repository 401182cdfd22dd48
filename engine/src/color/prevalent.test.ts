import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addFill, emptyFill, type Fill, grouped, type Grouping, Holders, prevalent } from './prevalent.ts';

/** Colours as a partition holds them. */
const picture = (...colors: readonly [rgb: number, share: number][]): Uint32Array =>
  Uint32Array.from(colors, ([rgb, share]) => rgb * 256 + share);

function fillOf(pictures: readonly Uint32Array[]): Fill {
  const fill = emptyFill();
  for (const codes of pictures) addFill(fill, codes, 0, codes.length);
  return fill;
}

function countsOf(pictures: readonly Uint32Array[], grouping: Grouping): Uint32Array {
  const holders = new Holders(grouping);
  for (const codes of pictures) holders.add(codes, 0, codes.length);
  return holders.counts;
}

function paletteOf(pictures: readonly Uint32Array[]) {
  const grouping = grouped(fillOf(pictures));
  return prevalent(grouping, countsOf(pictures, grouping));
}

test('a colour counts once for each picture that holds it or nearly the same', () => {
  const pictures = [
    picture([0xd01010, 60], [0xd21212, 20], [0xffffff, 20]),
    picture([0xce0f11, 100]),
    picture([0x1020d0, 100]),
    picture([0xffffff, 50], [0xd01010, 50]),
  ];
  const found = paletteOf(pictures);
  assert.deepEqual(
    found.map(({ images }) => images),
    [3, 2, 1],
  );
  assert.equal(found[0].rgb >> 20, 0xc + 1); // d…
  assert.deepEqual([found[1].rgb, found[2].rgb], [0xffffff, 0x1020d0]);
});

test('no pictures have no palette', () => assert.deepEqual(paletteOf([]), []));

test('sets of pictures may be counted apart and added', () => {
  const color = fc.tuple(fc.nat(0xffffff), fc.integer({ min: 1, max: 100 }));
  const pictures = fc.array(
    fc.array(color, { minLength: 1, maxLength: 5 }).map((colors) => picture(...colors)),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(pictures, pictures, (some, others) => {
      const otherFill = fillOf(others);
      const grouping = grouped(fillOf(some).map((value, i) => value + otherFill[i]));
      const otherCounts = countsOf(others, grouping);
      const counts = countsOf(some, grouping).map((value, i) => value + otherCounts[i]);
      assert.deepEqual(prevalent(grouping, counts), paletteOf([...some, ...others]));
      for (const { images } of prevalent(grouping, counts))
        assert.ok(images >= 1 && images <= some.length + others.length);
    }),
    { numRuns: 40 },
  );
});

test('a colour added after the cells were grouped counts for none', () => {
  const grouping = grouped(fillOf([picture([0xff0000, 100])]));
  assert.deepEqual([...countsOf([picture([0x00ff00, 100])], grouping)], [0]);
});
