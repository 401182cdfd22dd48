import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Color } from '../dna/palette.ts';
import { ColorDistance } from './color-distance.ts';
import { distance, type Lab, oklab } from './oklab.ts';
import { paletteEntry, FLOATS_OFFSET } from './palette-entry.ts';

const COLUMN_LENGTH = 16;

function miss(query: readonly Color[], held: readonly Color[]): number {
  return to(new ColorDistance(query), held);
}

function to(distance: ColorDistance, held: readonly Color[]): number {
  return distance.to(new Float32Array(paletteEntry(held).buffer), FLOATS_OFFSET, held.length);
}

/** The same, written to be read. */
function plain(query: readonly Color[], held: readonly Color[]): number {
  const lab = ({ rgb }: Color): Lab => oklab(rgb >> 16, (rgb >> 8) & 255, rgb & 255);
  const kept = (color: Color): Lab => lab(color).map(Math.fround) as unknown as Lab;
  const likeness = (d: number): number => (d >= 0.2 ? 0 : 1 / (1 + (d / 0.08) ** 4));
  const pairs = query
    .flatMap((one, i) => held.map((other, j) => ({ i, j, alike: likeness(distance(lab(one), kept(other))) })))
    .filter(({ alike }) => alike > 0)
    .sort((a, b) => b.alike - a.alike || a.i - b.i || a.j - b.j);
  const wanted = query.map(({ share }) => share);
  const left = held.map(({ share }) => share);
  let missing = 0;
  for (const { i, j, alike } of pairs) {
    const flow = Math.min(wanted[i], left[j]);
    wanted[i] -= flow;
    left[j] -= flow;
    missing += flow * (1 - alike);
  }
  missing += wanted.reduce((sum, share) => sum + share, 0);
  const beyond = held
    .map((_, j) => left[j] * Math.max(0, ...pairs.filter((pair) => pair.j === j).map(({ alike }) => alike)))
    .reduce((sum, share) => sum + share, 0);
  const total = query.reduce((sum, { share }) => sum + share, 0);
  return (missing + beyond) / (total > 0 ? total + beyond : 100);
}

const color = fc.record({
  rgb: fc.oneof(fc.nat(0xffffff), fc.constantFrom(0xd01010, 0xd41414, 0xc81818, 0x10d010)),
  share: fc.integer({ min: 0, max: 100 }),
});
const colors = fc.uniqueArray(color, { minLength: 1, maxLength: COLUMN_LENGTH, selector: ({ rgb }) => rgb });

test('it equals its plain twin, also at the second call', () => {
  fc.assert(
    fc.property(colors, fc.array(colors, { minLength: 1, maxLength: 4 }), (query, pictures) => {
      const tested = new ColorDistance(query);
      for (const held of [...pictures, pictures[0]]) {
        const distance = to(tested, held);
        const expected = plain(query, held);
        assert.ok(Math.abs(distance - expected) < 1e-9, `${distance}, expected ${expected}`);
      }
    }),
  );
});

test('0 for its own colours, 1 where none is there, and nothing outside', () => {
  fc.assert(
    fc.property(colors, colors, (query, held) => {
      fc.pre(query.some(({ share }) => share > 0));
      assert.equal(miss(query, query), 0);
      const score = miss(query, held);
      assert.ok(score >= 0 && score <= 1 + 1e-12, `${score}`);
    }),
  );
  assert.equal(miss([{ rgb: 0xff0000, share: 50 }], [{ rgb: 0x0000ff, share: 100 }]), 1);
});

test('near colours count nearly in full, the share counts, other colours do no harm', () => {
  const red = (share: number, rgb = 0xd01010): Color => ({ rgb, share });
  const blue = { rgb: 0x1020d0, share: 50 };
  assert.ok(miss([red(50)], [red(50, 0xcc1414)]) < 0.05);
  assert.equal(miss([red(50)], [red(50), blue]), 0);
  assert.equal(miss([red(50)], [red(25), blue]), 0.5);
  assert.equal(miss([red(50)], [red(100)]), 0.5);
});

test('a share of 0 means none of the colour: the less there is, the better', () => {
  const white = (share: number): Color => ({ rgb: 0xffffff, share });
  const blue = { rgb: 0x1020d0, share: 100 };
  assert.equal(miss([white(0)], [blue]), 0);
  assert.equal(miss([white(0)], [white(20), blue]), 0.2);
  assert.equal(miss([white(0)], [white(100)]), 1);
});
