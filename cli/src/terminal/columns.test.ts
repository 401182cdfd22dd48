import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { columnsOf, cut, padded } from './columns.ts';

test('letters take the columns that a terminal gives them', () => {
  assert.equal(columnsOf('sea'), 3);
  assert.equal(columnsOf('été'.normalize('NFD')), 3);
  assert.equal(columnsOf('海辺.jpg'), 8);
  assert.equal(columnsOf('🙂'), 2);
  assert.equal(columnsOf('\x1b[48;2;1;2;3m  \x1b[0m'), 2);
});

test('a text that is too long loses its middle', () => {
  assert.equal(cut('holiday/2019/beach.jpg', 22), 'holiday/2019/beach.jpg');
  assert.equal(cut('holiday/2019/beach.jpg', 15), 'holiday…ach.jpg');
  assert.equal(cut('海辺海辺海辺.jpg', 9), '海辺….jpg');
});

test('whatever the text, what is cut fits, begins and ends as the text does, and pads to the width', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.integer({ min: 4, max: 30 }), (text, most) => {
      const short = cut(text, most);
      assert.ok(columnsOf(short) <= most);
      if (columnsOf(text) <= most) return assert.equal(short, text);
      const [head, tail] = [short.slice(0, short.indexOf('…')), short.slice(short.lastIndexOf('…') + 1)];
      assert.ok(text.startsWith(head) && text.endsWith(tail));
      assert.ok(columnsOf(short) >= most - 2);
      assert.equal(columnsOf(padded(short, most)), most);
    }),
  );
});
