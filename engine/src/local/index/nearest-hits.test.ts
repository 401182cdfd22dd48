import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MAX_HAMMING_DISTANCE } from './hits.ts';
import { NearestHits } from './nearest-hits.ts';

test('the nearest are kept in the order in which they came, of equal ones the first', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: MAX_HAMMING_DISTANCE }), { maxLength: 400 }),
      fc.integer({ min: 1, max: 60 }),
      (distances, most) => {
        const hits = new NearestHits(most);
        distances.forEach((distance, i) => hits.take((i & 0xffff) | (distance << 16), i));
        const nearest = distances.map((distance, i) => ({ distance, i })).sort((a, b) => a.distance - b.distance);
        const expected = nearest.slice(0, most).sort((a, b) => a.i - b.i);
        assert.deepEqual(
          [...hits.end()],
          expected.flatMap(({ distance, i }) => [i | (distance << 16), i]),
        );
      },
    ),
  );
});
