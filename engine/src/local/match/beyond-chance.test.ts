import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBeyondChance, sharesOutlines, sharesSilhouette } from './beyond-chance.ts';

function overlapOf(toned: number, agreeing: number, contradicting: number): Parameters<typeof sharesOutlines>[1] {
  const shares = {
    agreeingShare: 1,
    contradictingShare: 0,
    agreeingAround: 1,
    contradictingInside: 0,
    agreeingLevels: 1,
    contradictingLevels: 0,
  };
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
  const isChance = (support: number, ...overlap: Parameters<typeof overlapOf>): boolean =>
    sharesOutlines({ chance: { support, displaced: 1 } }, overlapOf(...overlap));
  assert.deepEqual([isChance(19, 0.4, 0.4, 0), isChance(20, 0.4, 0.4, 0)], [true, false]);
  assert.equal(isChance(19, 0.4, 0.5, 0), false, 'texture agrees');
  assert.equal(isChance(19, 0.4, 0.3, 0.06), false, 'a part is hidden or blurred');
  assert.equal(isChance(19, 0.8, 0.4, 0), false, 'a copy of a plain picture');
});

test('things on plain ground that have their outlines in common need more support, unless they are copies', () => {
  const isShared = (
    share: number,
    { support = 19, distance = 12, toned = 0.5, shows = 'middle' as 'middle' | 'logo' } = {},
  ): boolean => {
    const agreements = [{ feature: 0, query: [0, 0], reference: [0, 0], distance }] as const;
    return sharesSilhouette({ chance: { support, displaced: 1 }, agreements }, shows, share, { toned });
  };
  assert.deepEqual([isShared(0.46), isShared(0.45)], [true, false]);
  assert.equal(isShared(0.9, { support: 20 }), false);
  assert.equal(isShared(0.9, { distance: 3 }), false, 'features are nearly the same');
  assert.equal(isShared(0.9, { toned: 0.8 }), false, 'pixels are the same');
  assert.deepEqual([isShared(0.9, { toned: 0.7 }), isShared(0.9, { toned: 0.7, shows: 'logo' })], [true, false]);
  assert.equal(sharesSilhouette({ agreements: [] }, 'middle', 1), false, 'the chance is unknown');
});
