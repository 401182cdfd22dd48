import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { shortlisted, mostVoted } from './shortlist.ts';

const vote = fc.oneof(fc.nat(5), fc.nat(1000), fc.nat({ max: 2 ** 38 }));

test('the most voted are those that sorting puts first, with all that tie with the last, and none without votes', () => {
  fc.assert(
    fc.property(fc.array(vote, { maxLength: 60 }), fc.nat(20), (votes, limit) => {
      const sorted = votes
        .map((votes, place) => ({ votes, place }))
        .filter(({ votes }) => votes > 0)
        .sort((a, b) => b.votes - a.votes || a.place - b.place);
      const least = sorted[Math.min(limit, sorted.length) - 1]?.votes ?? Infinity;
      assert.deepEqual(
        [...mostVoted(Float64Array.from(votes), limit)],
        sorted.filter(({ votes }) => votes >= least).map(({ place }) => place),
      );
    }),
  );
});

test('votes that differ by one among hundreds of thousands of millions are no tie', () => {
  const most = 2 ** 38;
  assert.deepEqual([...mostVoted(Float64Array.of(most - 2, most, most - 1, 2, 1, 3), 1)], [1]);
  assert.deepEqual([...mostVoted(Float64Array.of(most - 2, most, most - 1, 2, 1, 3), 5)], [1, 2, 0, 5, 3]);
});

test('exact copies are listed besides, and ties go by the number of the picture', () => {
  const candidate = (image: number, votes: number, exact = false) => ({ image, votes, exact });
  const found = [candidate(9, 4), candidate(5, 7, true), candidate(2, 4), candidate(3, 6), candidate(7, 1)];
  assert.deepEqual(
    shortlisted(found, 2).map(({ image }) => image),
    [5, 3, 2, 9],
  );
  assert.deepEqual(
    shortlisted(found, 0).map(({ image }) => image),
    [5],
  );
});
