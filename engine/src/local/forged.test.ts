import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blankMiniature } from '../../test/local-dna.ts';
import { Records } from '../../test/oracles/scan.ts';
import { stream } from '../../test/planted.ts';
import { type Feature, type LocalKind, openLocalDna, writeLocalDna } from '../dna/local.ts';
import { DnaError } from '../errors.ts';
import { finished } from '../steps.ts';
import { brandMonitoring } from '../types/brand-monitoring.ts';
import { mediaMatching } from '../types/media-matching.ts';
import { mobileMatching } from '../types/mobile-matching.ts';
import type { Side, TypeDefinition } from '../types/type-definition.ts';
import { MAX_HITS } from './index/matching.ts';
import { MAX_COMPARISONS } from './verify/effort.ts';

const FRAME_SIDE = 512;
const types: [TypeDefinition, kind: 'media' | 'mobile' | 'brand', reference: number, query: number][] = [
  [mediaMatching, 'media', 340, 2000],
  [mobileMatching, 'mobile', 420, 1800],
  [brandMonitoring, 'brand', 340, 2000],
];

/** How the features of a forged DNA lie; each is chosen to make another loop long. */
const layouts: Record<string, (i: number, n: number) => Pick<Feature, 'x' | 'y' | 'angle'>> = {
  'a grid, everything agrees': (i, n) => {
    const columns = Math.ceil(Math.sqrt(n));
    const step = FRAME_SIDE / (columns + 1);
    return { x: step * (1 + (i % columns)), y: step * (1 + Math.floor(i / columns)), angle: 0 };
  },
  'a line': (i, n) => ({ x: (i * FRAME_SIDE) / n, y: 100, angle: 0 }),
  'one spot, all directions': (i) => ({ x: 200 + (i >> 8) / 64, y: 200, angle: i & 255 }),
  'its own mirror image': (i, n) => {
    const { x, y } = layouts['a grid, everything agrees'](i >> 1, n / 2);
    return { x: i & 1 ? FRAME_SIDE - x : x, y, angle: i & 1 ? 128 : 0 };
  },
  'many small copies': (i, n) => {
    const [cell, place] = [i % 16, Math.floor(i / 16)];
    const { x, y } = layouts['a grid, everything agrees'](place, n / 16);
    return { x: (cell & 3) * 128 + x / 4, y: (cell >> 2) * 128 + y / 4, angle: 0 };
  },
};

/** Features that are all alike but for a few axes. */
function forged(kind: LocalKind, count: number, core: number, layout: string, level: number, seed: number): Uint8Array {
  const random = stream(seed);
  const features = Array.from({ length: count }, (_, i): Feature => {
    const code = new Uint8Array(32).fill(0x77);
    for (let k = 0; k < 2; k++) code[Math.floor(32 * random())] ^= 0x11;
    return { ...layouts[layout](i, count), core: i < core, level, code };
  });
  return writeLocalDna(
    kind,
    FRAME_SIDE,
    FRAME_SIDE,
    features,
    blankMiniature({ width: FRAME_SIDE, height: FRAME_SIDE }),
  );
}

for (const [definition, kind, most, mostInQuery] of types) {
  test(`${kind}: the comparison with forged DNA of any layout ends within its budget, the same in any partition`, () => {
    for (const layout of Object.keys(layouts)) {
      for (const level of [0, 12]) {
        const whole = definition.createPartition();
        const parts = [definition.createPartition(), definition.createPartition()];
        const numbers = [1, 2, 3, 4];
        for (const image of numbers) {
          const dna = forged(`${kind}-reference`, most, most, layout, level, image);
          definition.checkDna(dna, 'reference');
          whole.add(image, dna);
          parts[image % 2].add(image, dna);
        }
        const query = forged(`${kind}-query`, mostInQuery, most, layout, level, 99);
        definition.checkDna(query, 'query');
        const { verdicts, effort } = finished(whole.verify(query, numbers, {}));
        const results = parts.map((part) => finished(part.verify(query, numbers, {})));
        assert.ok(effort > 0 && effort <= numbers.length * (MAX_COMPARISONS + 10 * most * mostInQuery), `${effort}`);
        assert.equal(results[0].effort + results[1].effort, effort);
        const byImage = (a: { image: number }, b: { image: number }): number => a.image - b.image;
        assert.deepEqual(results.flatMap(({ verdicts }) => verdicts).sort(byImage), verdicts.toSorted(byImage));
      }
    }
  });

  test(`${kind}: DNA with more features than any picture has is refused, on either side`, () => {
    const sides: [Side, LocalKind, number, number][] = [
      ['reference', `${kind}-reference`, most, most],
      ['query', `${kind}-query`, mostInQuery, most],
    ];
    for (const [side, named, count, core] of sides) {
      const layout = 'a grid, everything agrees';
      definition.checkDna(forged(named, count, core, layout, 0, 1), side);
      const more = side === 'reference' ? core + 1 : core;
      for (const block of [
        forged(named, count + 1, more, layout, 0, 1),
        ...(side === 'query' ? [forged(named, count, core + 1, layout, 0, 1)] : []),
      ]) {
        assert.throws(
          () => definition.checkDna(block, side),
          (fault) => fault instanceof DnaError && /at most/.test(fault.message),
        );
      }
    }
  });
}

test('hits of a picture beyond the most do not count, whatever it is compared with', () => {
  const layout = 'a grid, everything agrees';
  const [small, reference] = [20, 340].map((n) =>
    openLocalDna(forged('media-reference', n, n, layout, 0, 1), ['media-reference']),
  );
  // each feature of the query has a hit at least with each of the reference
  const query = openLocalDna(forged('media-query', 1000, 340, layout, 0, 2), ['media-query']);
  assert.ok(1000 * 340 > 8 * MAX_HITS);
  const records = new Records();
  records.add(0, reference);
  records.add(1, small);
  const [cut, whole] = records.votes(records.lookUp(query, { plain: 'all' }), null, 2);
  assert.ok(cut > 0 && whole > 2 * cut, `${whole} votes with all hits, ${cut} with the first ${MAX_HITS}`);
});
