import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Postings } from './postings.ts';

/** An order that is not that of the handles. */
const rank = (picture: number): number => (picture * 7919) % 10_007;
const byRank = (a: number, b: number): number => rank(a) - rank(b);

test('after thousands of changes every keyword has its pictures in order, from any place', () => {
  const shape = fc.record({ seed: fc.nat(1e6), keywords: fc.integer({ min: 1, max: 5 }), appended: fc.nat(3000) });
  fc.assert(
    fc.property(shape, ({ seed, keywords, appended }) => {
      const postings = new Postings(byRank);
      const model = Array.from({ length: keywords }, () => new Set<number>());
      const first = Array.from({ length: appended }, (_, picture) => picture).sort(byRank);
      for (const picture of first) {
        postings.append(0, picture);
        model[0]!.add(picture);
      }
      let state = seed;
      const below = (most: number): number => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 2 ** 32) * most);
      };
      // grows, shrinks until almost empty, grows again
      for (const range of [4000, 500, 4000]) {
        for (let i = 0; i < 2500; i++) {
          const [keyword, picture] = [below(keywords), below(range)];
          if (model[keyword]!.delete(picture)) postings.remove(keyword, picture);
          else {
            model[keyword]!.add(picture);
            postings.insert(keyword, picture);
          }
        }
        if (range > 500) continue;
        model.forEach((pictures, keyword) => {
          for (const picture of [...pictures].slice(3)) {
            postings.remove(keyword, picture);
            pictures.delete(picture);
          }
        });
      }
      model.forEach((pictures, keyword) => {
        const expected = [...pictures].sort(byRank);
        const start = postings.lowerBound(keyword, () => false);
        assert.deepEqual([...postings.pictures(start, 0, expected.length)], expected);
        const limit = below(10_007);
        const place = postings.lowerBound(keyword, (picture) => rank(picture) < limit);
        const rest = expected.filter((picture) => rank(picture) >= limit);
        assert.equal(postings.between(start, place), expected.length - rest.length);
        const skip = Math.min(rest.length, below(700));
        assert.deepEqual([...postings.pictures(place, skip, rest.length - skip)], rest.slice(skip));
      });
    }),
    { numRuns: 30 },
  );
});
