import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { blankMiniature } from '../../../test/local-dna.ts';
import { type Feature, keypointsOf, openLocalDna, writeLocalDna } from '../../dna/local.ts';
import { matchedRegions, withoutRegions } from './ignored-regions.ts';

const feature = fc.record({
  core: fc.constant(true),
  x: fc.double({ min: 0, max: 512, noNaN: true }),
  y: fc.double({ min: 0, max: 256, noNaN: true }),
  angle: fc.nat(255),
  level: fc.nat(3),
  code: fc.uint8Array({ minLength: 32, maxLength: 32 }),
});
const miniature = blankMiniature({ width: 1024, height: 512 });
const written = (features: readonly Feature[]) => writeLocalDna('media-reference', 1024, 512, features, miniature);

test('features in a place, or closer to it than their patches reach, are left out; the others stay', () => {
  fc.assert(
    fc.property(
      fc.array(feature, { minLength: 1, maxLength: 30 }),
      fc.double({ min: 0.1, max: 0.8, noNaN: true }),
      (features, right) => {
        const place = [
          [0, 0],
          [right, 0],
          [right, 1],
          [0, 1],
        ] as const;
        const dna = written(features);
        const rest = withoutRegions(dna, [place]);
        const margin = (level: number) => 10 * 2 ** (level / 3);
        const { x, level } = keypointsOf(openLocalDna(dna, ['media-reference']));
        const expected = [...x].filter((at, i) => at >= 512 * right + margin(level[i]) + 0.001).length;
        const close = [...x].filter((at, i) => Math.abs(at - 512 * right - margin(level[i])) < 0.002).length;
        const left = rest ? openLocalDna(rest, ['media-reference']).count : 0;
        assert.ok(left >= expected && left <= expected + close, `${left} left, expected ${expected}`);
      },
    ),
  );
});

test('a place that runs either way round is the same place', () => {
  const one = { core: true, x: 100, y: 100, angle: 0, level: 0, code: new Uint8Array(32) };
  const dna = written([one, { ...one, x: 400 }]);
  const homography = { source: 'reference', destination: 'query' } as const;
  const side = {
    resizedDimensions: [512, 256],
    matchingBox: { topLeftPoint: [0, 0], bottomRightPoint: [1, 1] },
  } as const;
  for (const coefficients of [
    [0.5, 0, 0, 0, 1, 0, 0, 0, 1],
    [-0.5, 0, 256, 0, 1, 0, 0, 0, 1],
  ]) {
    const places = matchedRegions({
      category: 'LOCALMATCHING',
      query: side,
      reference: side,
      distance: 0,
      homography: { ...homography, coefficients },
      decision: 'Match',
      relation: 'part',
      false_match_probability: 0.1,
    });
    const rest = openLocalDna(withoutRegions(dna, places)!, ['media-reference']);
    assert.deepEqual([...keypointsOf(rest).x], [400]);
  }
});

test('a rejection and another kind of match cover nothing', () => {
  assert.deepEqual(matchedRegions(null), []);
  assert.deepEqual(matchedRegions({ category: 'SIMILARITY', colorScore: 0, shapeScore: 0, colorweight: 0 }), []);
});

test('nothing is left of a query that is covered as a whole', () => {
  const one = { core: true, x: 100, y: 100, angle: 0, level: 0, code: new Uint8Array(32) };
  const whole = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ] as const;
  assert.equal(withoutRegions(written([one]), [whole]), undefined);
});
