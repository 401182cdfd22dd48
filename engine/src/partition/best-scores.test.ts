import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BestScores } from './best-scores.ts';

test('the best of all lists are kept with their ties, however the slots are divided', () => {
  const lists = fc.array(fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 8 }), { maxLength: 6 });
  fc.assert(
    fc.property(lists, fc.nat(10), (lists, limit) => {
      const kept = new BestScores(limit);
      const all: [slot: number, score: number][] = [];
      for (const scores of lists) {
        const first = all.length;
        const able = scores.map((score, i): [number, number] => [first + i, score]);
        const some = able.filter(([, score]) => score >= kept.least);
        kept.take({
          slots: Uint32Array.from(some, ([slot]) => slot),
          scores: Uint32Array.from(some, ([, score]) => score),
        });
        all.push(...able);
      }
      all.sort(([a, x], [b, y]) => y - x || a - b);
      const last = all[Math.min(limit, all.length) - 1]?.[1] ?? (limit > 0 ? 1 : Infinity);
      const expected = all.filter(([, score]) => score >= last);
      const { slots, scores } = kept.best;
      const best = [...slots].map((slot, i): [number, number] => [slot, scores[i]]);
      best.sort(([a, x], [b, y]) => y - x || a - b);
      assert.deepEqual(best, expected);
    }),
  );
});
