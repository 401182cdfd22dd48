import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lostDamage } from './image-survey.ts';

test('a lost row is named by its number, several by the first and the last', () => {
  const of = { file: 'images.db', application: 7 };
  assert.deepEqual(lostDamage(7, [3]), { ...of, number: 3, what: 'its row cannot be read' });
  for (const lost of [
    [3, 5],
    [3, 4, 9],
  ])
    assert.deepEqual(lostDamage(7, lost), {
      ...of,
      numbers: { from: 3, to: lost.at(-1) },
      records: lost.length,
      what: `${lost.length} rows cannot be read`,
    });
});
