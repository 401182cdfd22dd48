import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBeyondChance } from './beyond-chance.ts';

function overlapOf(toned: number, agreeing: number, contradicting: number): Parameters<typeof isBeyondChance>[2] {
  const shares = { agreeingShare: 1, contradictingShare: 0, agreeingAround: 1, contradictingInside: 0 };
  return {
    toned,
    contradiction: { agreeing, contradicting, ...shares, width: 0, height: 0, agrees: new Uint8Array() },
  };
}

test('outlines that agree with a displaced map nearly as well are chance', () => {
  assert.equal(isBeyondChance({ chance: { support: 9, displaced: 1 } }, 'middle'), true);
  assert.equal(isBeyondChance({ chance: { support: 9, displaced: 1.5 } }, 'middle'), false);
  assert.equal(isBeyondChance({ chance: { support: 3.9, displaced: 0 } }, 'middle'), false);
  assert.equal(isBeyondChance({ chance: { support: 1.6, displaced: 0 } }, 'logo'), true);
  assert.equal(isBeyondChance({}, 'middle'), true);
});

test('where little but outlines agrees, more support is needed', () => {
  const judged = (support: number, ...overlap: Parameters<typeof overlapOf>): boolean =>
    isBeyondChance({ chance: { support, displaced: 1 } }, 'middle', overlapOf(...overlap));
  assert.deepEqual([judged(19, 0.4, 0.4, 0), judged(20, 0.4, 0.4, 0)], [false, true]);
  assert.equal(judged(19, 0.4, 0.5, 0), true, 'texture agrees');
  assert.equal(judged(19, 0.4, 0.3, 0.06), true, 'a part is hidden or blurred');
  assert.equal(judged(19, 0.8, 0.4, 0), true, 'a copy of a plain picture');
});
