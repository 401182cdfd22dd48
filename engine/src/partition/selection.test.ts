import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { imagesOf, isAmong, selectionOf, selectionWith } from './selection.ts';

test('dense and sparse pictures are all in their selection, up to the highest number', () => {
  const dense = fc.nat(200).chain((first) => fc.uniqueArray(fc.nat(300).map((image) => first + image)));
  const sparse = fc.uniqueArray(fc.integer({ min: 0, max: 2 ** 32 - 1 }));
  const high = fc.uniqueArray(fc.nat(100).map((image) => 2 ** 32 - 1 - image));
  fc.assert(
    fc.property(fc.oneof(dense, sparse, high), (images) => {
      const expected = images.toSorted((a, b) => a - b);
      for (const each of [images, Uint32Array.from(images)]) {
        const selection = selectionOf(each);
        assert.equal(selection.count, images.length);
        assert.deepEqual([...imagesOf(selection)], expected);
        for (const image of images)
          for (const near of [image - 1, image, image + 1])
            assert.equal(isAmong(selection, near), images.includes(near));
      }
    }),
  );
});

test('many of a range take a bit each, few of them a number', () => {
  const half = selectionOf(Array.from({ length: 1000 }, (_, i) => 7000 + 2 * i));
  assert.ok('bits' in half && half.bits.length === 63 && half.lowest === 7000);
  assert.ok('images' in selectionOf([0, 1e6]));
  assert.deepEqual(selectionOf([]), { count: 0, images: new Uint32Array() });
});

test('pictures that come and are removed one by one are in the selection or not, and it stays as small', () => {
  const near = fc.integer({ min: 2 ** 31 - 100, max: 2 ** 31 + 100 });
  const image = fc.oneof(near, near, near, fc.integer({ min: 0, max: 2 ** 32 - 1 }));
  fc.assert(
    fc.property(fc.uniqueArray(image), fc.array(image, { maxLength: 60 }), (first, changes) => {
      const expected = new Set(first);
      let selection = selectionOf(first);
      for (const changed of changes) {
        const isThere = !expected.has(changed);
        if (isThere) expected.add(changed);
        else expected.delete(changed);
        const before = [...imagesOf(selection)];
        const next = selectionWith(selection, changed, isThere);
        assert.deepEqual([...imagesOf(selection)], before);
        selection = selectionWith(next, changed, isThere);
        const images = [...expected].sort((a, b) => a - b);
        assert.deepEqual([...imagesOf(selection)], images);
        assert.equal(selection.count, images.length);
        if ('bits' in selection) assert.ok(selection.bits.length <= 4 * images.length);
      }
    }),
  );
});
