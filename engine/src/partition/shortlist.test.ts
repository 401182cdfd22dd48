import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mostVoted } from './shortlist.ts';

const vote = fc.oneof(fc.nat(5), fc.nat(1000), fc.nat({ max: 2 ** 32 - 1 }));

test('the most voted are those that sorting puts first, with all that tie with the last, and none without votes', () => {
  fc.assert(
    fc.property(fc.array(vote, { maxLength: 60 }), fc.nat(20), (votes, limit) => {
      const sorted = votes
        .map((votes, place) => ({ votes, place }))
        .filter(({ votes }) => votes > 0)
        .sort((a, b) => b.votes - a.votes || a.place - b.place);
      const least = sorted[Math.min(limit, sorted.length) - 1]?.votes ?? Infinity;
      assert.deepEqual(
        [...mostVoted(Uint32Array.from(votes), limit)],
        sorted.filter(({ votes }) => votes >= least).map(({ place }) => place),
      );
    }),
  );
});

test('votes that differ by one among thousands of millions are no tie', () => {
  const most = 2 ** 32 - 1;
  assert.deepEqual([...mostVoted(Uint32Array.of(most - 2, most, most - 1, 2, 1, 3), 1)], [1]);
  assert.deepEqual([...mostVoted(Uint32Array.of(most - 2, most, most - 1, 2, 1, 3), 5)], [1, 2, 0, 5, 3]);
});
